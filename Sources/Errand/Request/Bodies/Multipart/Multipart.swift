/// Several bodies in one, each with header fields of its own (RFC 2046, section 5.1).
///
/// ```swift
/// // A file and what describes it, in one request.
/// body = .multipart(.related([
///     Multipart.Part(.json(metadata)),
///     Multipart.Part(.file(film), headers: ["Content-ID": "<film>"]),
/// ]))
/// ```
///
/// For the fields and files of a form, use ``MultipartForm``. Files and streams are read while they are sent. The count of
/// the body is known when that of every part is. It can be sent again when every part can be read again. To read such a body, see
/// ``DataResponse/decodeParts()`` and ``ResponseStream/parts(maximumSize:)``.
public struct Multipart: Sendable {
    /// One of the bodies.
    public struct Part: Sendable {
        /// The body; its media type is sent as the `Content-Type` of the part.
        public var body: RequestBody
        /// The header fields of the part, such as `Content-ID`. A `Content-Type` among them is sent in place of the type of the body.
        public var headers: HeaderFields

        /// A part.
        ///
        /// - Parameters:
        ///   - body: The body, of any kind; it may be a multipart body too.
        ///   - headers: More header fields; none by default.
        public init(_ body: RequestBody, headers: HeaderFields = [:]) {
            self.body = body
            self.headers = headers
        }
    }

    /// The parts, in order.
    public let parts: [Part]
    /// The media type of the whole, with the boundary.
    public let type: ContentType
    /// What separates the parts.
    public let boundary: String

    /// Parts under any subtype of `multipart`.
    ///
    /// - Parameters:
    ///   - type: The media type, with the parameters that it needs apart from the boundary.
    ///   - parts: The parts, in order; one at least, by RFC 2046.
    ///   - boundary: `nil`, the default, makes a random one. A given one must not occur in a part, and has 1 to 70 of the
    ///     characters that RFC 2046, section 5.1.1, allows; with any other the request fails with `bodyEncodingFailed`.
    public init(_ type: ContentType, _ parts: [Part], boundary: String? = nil) {
        let boundary = boundary ?? MultipartEncoding.randomBoundary()
        self.parts = parts
        self.boundary = boundary
        self.type = type.with("boundary", boundary) ?? type
    }

    /// Parts that are independent of each other, as `multipart/mixed` (RFC 2046, section 5.1.3).
    ///
    /// - Parameters:
    ///   - parts: The parts, in order.
    ///   - boundary: As for ``init(_:_:boundary:)``.
    public static func mixed(_ parts: [Part], boundary: String? = nil) -> Multipart {
        Multipart("multipart/mixed", parts, boundary: boundary)
    }

    /// Parts that make one document, as `multipart/related` (RFC 2387). The first part is its root, whose media type becomes the
    /// parameter `type`.
    ///
    /// - Parameters:
    ///   - parts: The parts, the root first.
    ///   - boundary: As for ``init(_:_:boundary:)``.
    public static func related(_ parts: [Part], boundary: String? = nil) -> Multipart {
        let root = parts.first.flatMap { $0.headers.contentType ?? $0.body.type }
        let type: ContentType = "multipart/related"
        return Multipart(root.flatMap { type.with("type", $0.essence) } ?? type, parts, boundary: boundary)
    }
}

extension Multipart {
    /// The parts as the bytes of a body.
    ///
    /// - Parameter encoder: The encoder of the API, for values that bring none.
    /// - Throws: ``ErrandError``; what an encoder throws.
    fileprivate func content(_ encoder: any DataEncoder) throws -> RequestBody.Content {
        guard !parts.isEmpty else {
            throw ErrandError(.bodyEncodingFailed, reason: "a multipart body needs a part")
        }
        guard self.type.type == "multipart" else {
            throw ErrandError(.bodyEncodingFailed, reason: "the media type of a multipart body begins with multipart/")
        }
        let sections = try parts.map { part in
            try MultipartEncoding.Section(
                generated: part.generatedFields, headers: part.headers,
                content: part.body.content(defaultEncoder: encoder))
        }
        return try MultipartEncoding(sections, boundary: boundary).content(origin: .other)
    }
}

extension Multipart.Part {
    /// The fields of the body that `headers` does not replace.
    fileprivate var generatedFields: [HeaderFields.Field] {
        let own = [("Content-Type", body.type?.description), ("Content-Encoding", body.contentEncoding)]
        return own.compactMap { name, value in
            value.flatMap { headers[name] == nil ? HeaderFields.Field(name, $0) : nil }
        }
    }
}

extension Multipart: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The media type without its parameters, and the number of parts; never what is in them.
    public var description: String { "\(type.essence) (\(parts.count) parts)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no content either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension RequestBody {
    /// Several bodies in one, each with header fields of its own.
    ///
    /// In memory when every part is, and else read while it is sent. A part that cannot be encoded, and a body without parts,
    /// fails the request with `bodyEncodingFailed`; a header field that cannot be sent, with `invalidHeaderField`.
    public static func multipart(_ multipart: Multipart) -> RequestBody {
        RequestBody(type: multipart.type) { try multipart.content($0) }
    }
}
