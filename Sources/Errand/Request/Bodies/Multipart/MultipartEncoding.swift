/// Writes a form as `multipart/form-data` (RFC 7578, and the WHATWG's "multipart/form-data encoding algorithm").
struct MultipartEncoding {
    /// What is sent one after the other: bytes that are there, and streams to be read.
    enum Segment: Sendable {
        case data(Data)
        case stream(BodyStream)
    }

    private let form: MultipartForm
    private(set) var segments: [Segment] = []
    /// How many bytes there are in all; nil when that is not known.
    private(set) var count: Int? = 0
    /// Small pieces that are put together.
    private var gathered = Data()

    /// From how many bytes on a piece of data is sent from where it is.
    private static let leastShared = 65_536

    /// - Throws: ``ErrandError`` for an invalid boundary or media type; an error of Foundation for a missing file.
    init(_ form: MultipartForm) throws {
        guard form.boundary.isMultipartBoundary else {
            throw ErrandError(
                .bodyEncodingFailed, reason: "the multipart boundary must have 1 to 70 characters from RFC 2046's set")
        }
        self.form = form
        for part in form.parts {
            append(Data("--\(form.boundary)\r\n\(try Self.head(of: part))\r\n".utf8))
            switch part.content {
            case .text(let text): append(Data(text.withCRLF.utf8))
            case .data(let data): append(data)
            case .file(let file): try append(BodyStream(file: file))
            case .stream(let stream): try append(stream)
            }
            append(Data("\r\n".utf8))
        }
        append(Data("--\(form.boundary)--\r\n".utf8))
        flush()
    }

    /// All of it: in memory when no part has to be read.
    var content: RequestBody.Content {
        let streams = segments.compactMap { segment in
            if case .stream(let stream) = segment { stream } else { nil }
        }
        guard streams.isEmpty else {
            return .stream(
                BodyStream(of: streams, count: count, origin: .form(form)) { [segments] in
                    let reading = SegmentReading(segments)
                    return { try await reading.next() }
                })
        }
        var data = Data(capacity: count ?? 0)
        for case .data(let piece) in segments { data.append(piece) }
        return .data(data)
    }

    private mutating func append(_ data: Data) {
        add(data.count)
        guard data.count >= Self.leastShared else { return gathered.append(data) }
        flush()
        segments.append(.data(data))
    }

    private mutating func append(_ stream: BodyStream) throws {
        guard stream.count.map({ $0 >= 0 }) ?? true else {
            throw ErrandError(.bodyCountMismatch, reason: "the count of a part is negative")
        }
        add(stream.count)
        flush()
        segments.append(.stream(stream))
    }

    /// What cannot be counted is sent in chunks.
    private mutating func add(_ more: Int?) {
        guard let sum = count, let more else {
            count = nil
            return
        }
        let (total, hasOverflowed) = sum.addingReportingOverflow(more)
        count = hasOverflowed ? nil : total
    }

    private mutating func flush() {
        if !gathered.isEmpty { segments.append(.data(gathered)) }
        gathered = Data()
    }

    private static func head(of part: MultipartForm.Part) throws -> String {
        var head = "Content-Disposition: form-data; name=\"\(part.name.withCRLF.escapedForDisposition)\""
        if let fileName = part.fileName { head += "; filename=\"\(fileName.escapedForDisposition)\"" }
        head += "\r\n"
        guard let type = part.type else { return head }
        guard type.isValid else {
            throw ErrandError(.invalidHeaderField, reason: "the media type of a part is not valid")
        }
        return head + "Content-Type: \(type)\r\n"
    }
}

extension String {
    /// Whether this has 1 to 70 of the characters of a boundary, the last no space (RFC 2046, section 5.1.1).
    fileprivate var isMultipartBoundary: Bool {
        (1...70).contains(utf8.count) && utf8.last != 0x20 && utf8.allSatisfy(Self.boundaryCharacters.contains)
    }

    private static let boundaryCharacters = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'()+_,-./:=? ".utf8)

    /// With every line break, a lone CR or LF as well, as CRLF.
    fileprivate var withCRLF: String {
        guard utf8.contains(where: { $0 == 0x0D || $0 == 0x0A }) else { return self }
        var bytes: [UInt8] = []
        var previous: UInt8 = 0
        for byte in utf8 {
            switch byte {
            case 0x0D: bytes += [0x0D, 0x0A]
            case 0x0A where previous == 0x0D: break
            case 0x0A: bytes += [0x0D, 0x0A]
            default: bytes.append(byte)
            }
            previous = byte
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// As it stands between the quotes of a `Content-Disposition`: browsers escape quotes and line breaks, and nothing else.
    fileprivate var escapedForDisposition: String {
        var bytes: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case 0x22: bytes += "%22".utf8
            case 0x0D: bytes += "%0D".utf8
            case 0x0A: bytes += "%0A".utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
