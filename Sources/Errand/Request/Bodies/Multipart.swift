/// Several bodies in one, each with its own header fields (RFC 2046, section 5.1).
///
/// ```swift
/// // A file and what describes it, in one request.
/// body = .multipart(.related([
///     Multipart.Part(.json(metadata)),
///     Multipart.Part(.file(film), headers: ["Content-ID": "<film>"]),
/// ]))
/// ```
///
/// For the fields and files of a form, use ``MultipartForm``. Files and streams are read while they are sent. The size
/// of the body is known if that of every part is. The body can be sent again if every part can be read again. To read
/// such a body, see ``DataResponse/decodeParts()`` and ``ResponseStream/parts(maximumSize:)``.
public struct Multipart: Sendable {
    /// One body of a multipart body.
    public struct Part: Sendable {
        /// The body, whose media type is sent as the `Content-Type` of the part.
        public var body: RequestBody
        /// The header fields of the part, such as `Content-ID`. A `Content-Type` field replaces the media type of the
        /// body.
        public var headers: HeaderFields

        /// Creates a part.
        ///
        /// - Parameters:
        ///   - body: The body, of any kind, including a multipart body.
        ///   - headers: Additional header fields; none by default.
        public init(_ body: RequestBody, headers: HeaderFields = [:]) {
            self.body = body
            self.headers = headers
        }
    }

    /// The parts, in order.
    public let parts: [Part]
    /// The media type of the whole body, with the boundary.
    public let type: ContentType
    /// The text that separates the parts.
    public let boundary: String

    /// Creates a body from parts, with any subtype of `multipart`.
    ///
    /// - Parameters:
    ///   - type: The media type, with its required parameters except the boundary.
    ///   - parts: The parts, in order; at least one, as RFC 2046 requires.
    ///   - boundary: The boundary; `nil`, the default, creates a random one. It must not occur in a part, and must have
    ///     1 to 70 of the characters that RFC 2046, section 5.1.1, allows. An invalid boundary fails the request with
    ///     `bodyEncodingFailed`.
    public init(_ type: ContentType, _ parts: [Part], boundary: String? = nil) {
        let boundary = boundary ?? MultipartEncoding.randomBoundary()
        self.parts = parts
        self.boundary = boundary
        // An invalid type or boundary fails the request when the body is encoded.
        self.type = type.with("boundary", boundary) ?? type
    }

    /// Creates a body from independent parts, as `multipart/mixed` (RFC 2046, section 5.1.3).
    ///
    /// - Parameters:
    ///   - parts: The parts, in order.
    ///   - boundary: The boundary; see ``init(_:_:boundary:)``.
    public static func mixed(_ parts: [Part], boundary: String? = nil) -> Multipart {
        Multipart("multipart/mixed", parts, boundary: boundary)
    }

    /// Creates a body from parts that form one document, as `multipart/related` (RFC 2387). The first part is its root,
    /// whose media type becomes the parameter `type`.
    ///
    /// - Parameters:
    ///   - parts: The parts, the root first.
    ///   - boundary: The boundary; see ``init(_:_:boundary:)``.
    public static func related(_ parts: [Part], boundary: String? = nil) -> Multipart {
        let root = parts.first.flatMap { $0.headers.contentType ?? $0.body.type }
        let type: ContentType = "multipart/related"
        return Multipart(root.flatMap { type.with("type", $0.essence) } ?? type, parts, boundary: boundary)
    }
}

extension Multipart {
    /// Encodes the parts as the bytes of a body.
    ///
    /// - Parameter encoder: The encoder of the API, for values without their own encoder.
    /// - Throws: ``ErrandError``; ``LongBody`` for a part above the encoder's maximum size.
    fileprivate func content(_ encoder: BodyEncoder) throws -> RequestBody.Content {
        guard !parts.isEmpty else {
            throw ErrandError(.bodyEncodingFailed, reason: "a multipart body must have at least one part")
        }
        guard type.type == "multipart" else {
            throw ErrandError(.bodyEncodingFailed, reason: "the media type of a multipart body begins with multipart/")
        }
        let sections = try parts.map { part in
            var headers = part.headers
            if let own = headers["Content-Type"], let type = try part.body.contentType(replacedBy: own), type != own {
                headers["Content-Type"] = type
            }
            return try MultipartEncoding.Section(
                generated: part.generatedFields, headers: headers, content: part.body.content(encoder))
        }
        return try MultipartEncoding(sections, boundary: boundary).content(origin: .other)
    }
}

extension Multipart.Part {
    /// The header fields of the body, without those that `headers` replaces.
    fileprivate var generatedFields: [HeaderFields.Field] {
        let own = [("Content-Type", body.type?.description), ("Content-Encoding", body.contentEncoding)]
        return own.compactMap { name, value in
            value.flatMap { headers[name] == nil ? HeaderFields.Field(name, $0) : nil }
        }
    }
}

extension RequestBody {
    /// Returns the media type of the body, or the one that a header field states in its place. To a multipart type, the
    /// boundary of the body is added.
    ///
    /// - Throws: ``ErrandError`` with `invalidHeaderField` for a type of a multipart body that is not multipart, or
    ///   that has another boundary: no server could read such a body.
    func contentType(replacedBy own: String?) throws(ErrandError) -> String? {
        guard let own else { return type?.description }
        guard let type, type.type == "multipart", let boundary = type["boundary"] else { return own }
        guard let stated = ContentType(own), stated.type == "multipart", stated["boundary"] ?? boundary == boundary,
            let complete = stated.with("boundary", boundary)
        else {
            let reason = "Content-Type must be multipart, without a boundary or with that of the multipart body"
            throw ErrandError(.invalidHeaderField, reason: reason)
        }
        return complete.description
    }
}

extension Multipart: Confidential {
    /// The media type without its parameters, and the number of parts. It never contains their contents.
    public var description: String { "\(type.essence) (\(parts.count) parts)" }
}

extension RequestBody {
    /// Creates a body from several bodies, each with its own header fields.
    ///
    /// The body is held in memory if every part is. Otherwise, it is read while it is sent. A part that cannot be
    /// encoded, a body without parts, and a type other than `multipart` fail the request with `bodyEncodingFailed`. An
    /// invalid header field fails it with `invalidHeaderField`.
    public static func multipart(_ multipart: Multipart) -> RequestBody {
        let body = RequestBody(type: multipart.type, mayRepeat: multipart.parts.allSatisfy(\.body.mayRepeat)) {
            try multipart.content($0)
        }
        return multipart.parts.contains(where: \.body.isEncodedWhenSent) ? body.encodedWhenSent() : body
    }
}

/// An encoder that writes several bodies as one (RFC 2046, section 5.1).
struct MultipartEncoding {
    /// The header fields of a part, and its bytes.
    struct Section {
        let headers: [HeaderFields.Field]
        let content: RequestBody.Content

        /// - Parameters:
        ///   - generated: The fields that are derived from the part. They are not checked.
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
    /// Small pieces after the last segment, joined into one.
    private var gathered = Data()

    /// The minimum size in bytes of data that becomes a segment without a copy.
    private static let minimumUncopiedSize = 65_536

    /// - Throws: ``ErrandError`` for an invalid boundary, and for a stream with a negative count or with trailer
    ///   fields.
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
        guard data.count >= Self.minimumUncopiedSize else { return gathered.append(data) }
        flush()
        segments.append(.data(data))
    }

    private mutating func append(_ stream: BodyStream) throws(ErrandError) {
        guard (stream.count ?? 0) >= 0 else {
            throw ErrandError(.bodyCountMismatch, reason: "the count of a part is negative")
        }
        guard stream.trailers == nil else {
            throw ErrandError(.bodyEncodingFailed, reason: "a part of a multipart body cannot have trailer fields")
        }
        add(stream.count)
        flush()
        segments.append(.stream(stream))
    }

    /// Adds to the count. A size that is unknown, or a sum that overflows, makes the total unknown.
    private mutating func add(_ more: Int?) {
        guard let sum = count, let more else {
            count = nil
            return
        }
        let (total, hasOverflowed) = sum.addingReportingOverflow(more)
        count = hasOverflowed ? nil : total
    }

    /// Ends the piece of joined data.
    private mutating func flush() {
        if !gathered.isEmpty { segments.append(.data(gathered)) }
        gathered = Data()
    }

    private static func head(_ fields: [HeaderFields.Field]) -> String {
        fields.reduce(into: "") { $0 += "\($1.name): \($1.value)\r\n" }
    }
}

extension String {
    /// Whether this has 1 to 70 characters of a boundary, and the last is not a space (RFC 2046, section 5.1.1).
    var isMultipartBoundary: Bool {
        (1...70).contains(utf8.count) && utf8.last != 0x20 && utf8.allSatisfy(Self.boundaryCharacters.contains)
    }

    private static let boundaryCharacters = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'()+_,-./:=? ".utf8)
}

/// A reader that returns the segments in order, and opens each stream when it reaches it.
///
/// It is an actor because it stores its position. Calls must not overlap.
actor SegmentReading {
    private var rest: ArraySlice<MultipartEncoding.Segment>
    private var reader: BodyStream.Reader?

    init(_ segments: [MultipartEncoding.Segment]) {
        rest = segments[...]
    }

    func next() async throws -> Data? {
        while true {
            if let piece = try await reader?() { return piece }
            reader = nil
            switch rest.popFirst() {
            case .data(let data): return data
            case .stream(let stream): reader = try stream.open()
            case nil: return nil
            }
        }
    }
}
