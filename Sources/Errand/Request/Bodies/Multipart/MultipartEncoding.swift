/// An encoder that writes several bodies as one (RFC 2046, section 5.1).
struct MultipartEncoding {
    /// The header fields of a part, and its bytes.
    struct Section {
        let headers: [HeaderFields.Field]
        let content: RequestBody.Content

        /// - Parameters:
        ///   - generated: The fields that are derived from the part, and are valid.
        ///   - headers: The fields of the user.
        /// - Throws: ``ErrandError`` for an invalid field in `headers`.
        init(
            generated: [HeaderFields.Field], headers: HeaderFields, content: RequestBody.Content
        ) throws(ErrandError) {
            for field in headers { try RequestCheck.check(field: field) }
            self.headers = generated + Array(headers)
            self.content = content
        }
    }

    /// A part of the output: bytes in memory, or a stream that is read.
    enum Segment: Sendable {
        case data(Data)
        case stream(BodyStream)
    }

    private(set) var segments: [Segment] = []
    /// The total number of bytes; `nil` if it is not known.
    private(set) var count: Int? = 0
    /// Small pieces, joined into one.
    private var gathered = Data()

    /// The minimum size in bytes of data that is sent without a copy.
    private static let leastShared = 65_536

    /// - Throws: ``ErrandError`` for an invalid boundary, and for a stream with a negative count.
    init(_ sections: [Section], boundary: String) throws(ErrandError) {
        guard boundary.isMultipartBoundary else {
            throw ErrandError(
                .bodyEncodingFailed, reason: "the multipart boundary must have 1 to 70 characters from RFC 2046's set")
        }
        for section in sections {
            append(Data("--\(boundary)\r\n\(Self.head(section.headers))\r\n".utf8))
            switch section.content {
            case .none: break
            case .data(let data): append(data)
            case .stream(let stream): try append(stream)
            }
            append(Data("\r\n".utf8))
        }
        append(Data("--\(boundary)--\r\n".utf8))
        flush()
    }

    /// Returns the whole body, in memory if no part must be read.
    ///
    /// - Parameter origin: The source that a stream reports for its bytes.
    func content(origin: BodyStream.Origin) -> RequestBody.Content {
        let streams = segments.compactMap { segment in
            if case .stream(let stream) = segment { stream } else { nil }
        }
        guard streams.isEmpty else {
            return .stream(
                BodyStream(of: streams, count: count, origin: origin) { [segments] in
                    let reading = SegmentReading(segments)
                    return { try await reading.next() }
                })
        }
        var data = Data(capacity: count ?? 0)
        for case .data(let piece) in segments { data.append(piece) }
        return .data(data)
    }

    /// Creates a boundary with 190 random bits, so that no content contains it by chance.
    static func randomBoundary() -> String {
        let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        return "ErrandBoundary" + String((0..<32).compactMap { _ in letters.randomElement() })
    }

    private mutating func append(_ data: Data) {
        add(data.count)
        guard data.count >= Self.leastShared else { return gathered.append(data) }
        flush()
        segments.append(.data(data))
    }

    private mutating func append(_ stream: BodyStream) throws(ErrandError) {
        guard stream.count.map({ $0 >= 0 }) ?? true else {
            throw ErrandError(.bodyCountMismatch, reason: "the count of a part is negative")
        }
        add(stream.count)
        flush()
        segments.append(.stream(stream))
    }

    /// Adds to the count. A body of unknown size is sent in chunks.
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

    private static func head(_ fields: [HeaderFields.Field]) -> String {
        fields.reduce(into: "") { $0 += "\($1.name): \($1.value)\r\n" }
    }
}

extension String {
    /// Returns `true` if this has 1 to 70 characters of a boundary, and the last is not a space (RFC 2046, section
    /// 5.1.1).
    var isMultipartBoundary: Bool {
        (1...70).contains(utf8.count) && utf8.last != 0x20 && utf8.allSatisfy(Self.boundaryCharacters.contains)
    }

    private static let boundaryCharacters = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'()+_,-./:=? ".utf8)
}
