/// The fields and files of a form, which are sent as `multipart/form-data` (RFC 7578) in the format of browsers.
///
/// ```swift
/// body = .multipart([
///     .text("title", "Summer"),
///     .file("photo", photo),
///     .json("place", place),
/// ])
/// ```
///
/// Files and streams are read while they are sent. The size of the body is known if that of every part is. The body can
/// be sent again for a retry or a redirect if every part can be read again. Only a ``Part/stream(_:_:fileName:type:)``
/// of a stream that can be read once prevents this.
public struct MultipartForm: Sendable {
    /// The parts, in order; names may repeat.
    public var parts: [Part]
    /// The text that separates the parts.
    public let boundary: String

    /// Creates a form from parts.
    ///
    /// - Parameters:
    ///   - parts: The parts, in order.
    ///   - boundary: The boundary; `nil`, the default, creates a random one. A custom one is useful in tests. It must
    ///     not occur in a part, and must have 1 to 70 of the characters that RFC 2046, section 5.1.1, allows. An
    ///     invalid boundary fails the request with `bodyEncodingFailed`.
    public init(_ parts: [Part] = [], boundary: String? = nil) {
        self.parts = parts
        self.boundary = boundary ?? MultipartEncoding.randomBoundary()
    }
}

extension MultipartForm: Confidential {
    /// The number of parts. It never contains their contents.
    public var description: String { "multipart/form-data (\(parts.count) parts)" }
}

extension RequestBody {
    /// Creates a body from the fields and files of a form, as `multipart/form-data`.
    ///
    /// The body is held in memory if every part is. Otherwise, it is read while it is sent. The size of a file is
    /// determined when the content is created (see ``RequestBody``). A file that changes its size while it is sent
    /// fails the request with `bodyCountMismatch`.
    public static func multipart(_ form: MultipartForm) -> RequestBody {
        RequestBody(type: .multipartFormData.with("boundary", form.boundary) ?? .multipartFormData) {
            try form.content($0)
        }
    }

    /// Creates a body from the fields and files of a form, as `multipart/form-data` with a random boundary.
    public static func multipart(_ parts: [MultipartForm.Part]) -> RequestBody {
        .multipart(MultipartForm(parts))
    }
}

extension MultipartForm {
    /// One field or file of a form.
    public struct Part: Sendable {
        enum Content: Sendable {
            case text(String)
            case data(Data)
            /// A value that is not encoded yet.
            case value(RequestBody)
            case file(URL)
            case stream(BodyStream)
        }

        /// The name of the field.
        public let name: String
        /// The name of the file; `nil` for a field that is not a file.
        public let fileName: String?
        /// The media type; `nil` sends none, as for a text.
        public let type: ContentType?
        /// Header fields in addition to those derived from the name, the file name and the type. A `Content-Type` field
        /// replaces ``type``.
        ///
        /// RFC 7578 asks receivers to ignore other fields, so set them only for a server that documents them.
        public private(set) var headers = HeaderFields()
        var content: Content

        /// Creates a field with a text in UTF-8.
        ///
        /// Line breaks of any kind are sent as CRLF in the text, and as `%0D%0A` in the name. The field has no media
        /// type, as in RFC 7578 and in browsers.
        public static func text(_ name: String, _ value: String) -> Part {
            Part(name: name, fileName: nil, type: nil, content: .text(value))
        }

        /// Creates a part from bytes, which are sent unchanged.
        ///
        /// - Parameters:
        ///   - name: The name of the field.
        ///   - data: The bytes.
        ///   - fileName: The name of the file; `nil`, the default, if it is not a file.
        ///   - type: The media type.
        public static func data(
            _ name: String, _ data: Data, fileName: String? = nil, type: ContentType? = .octetStream
        ) -> Part {
            Part(name: name, fileName: fileName, type: type, content: .data(data))
        }

        /// Creates a part from a value, encoded as JSON (RFC 8259).
        ///
        /// - Parameters:
        ///   - name: The name of the field.
        ///   - value: The value. If it cannot be encoded, the request fails with `bodyEncodingFailed`.
        ///   - fileName: The name of the file; `nil`, the default, if it is not a file.
        ///   - encoder: The encoder; `nil`, the default, uses the encoder of the API that sends the form. Do not change
        ///     it after this call.
        public static func json(
            _ name: String, _ value: some Encodable & Sendable, fileName: String? = nil,
            encoder: (any DataEncoder)? = nil
        ) -> Part {
            Part(name: name, fileName: fileName, type: .json, content: .value(.json(value, encoder: encoder)))
        }

        /// Creates a part from a file, which is read while it is sent.
        ///
        /// - Parameters:
        ///   - name: The name of the field.
        ///   - file: The URL of the file. The size of the part is that of the file when the content is created (see
        ///     ``RequestBody``). If it is not a regular file at that time, the request fails with `bodyEncodingFailed`.
        ///   - fileName: The file name in the request; `nil`, the default, uses the last component of the URL.
        ///   - type: The media type; `nil`, the default, derives it from the extension.
        public static func file(
            _ name: String, _ file: URL, fileName: String? = nil, type: ContentType? = nil
        ) -> Part {
            Part(
                name: name, fileName: fileName ?? file.lastPathComponent, type: type ?? .guessed(for: file),
                content: .file(file))
        }

        /// Creates a part from a stream, which is read while it is sent. If the size of the stream is not known, the
        /// size of the form is not known either.
        ///
        /// - Parameters:
        ///   - name: The name of the field.
        ///   - stream: The contents.
        ///   - fileName: The name of the file; `nil`, the default, if it is not a file.
        ///   - type: The media type.
        public static func stream(
            _ name: String, _ stream: BodyStream, fileName: String? = nil, type: ContentType? = .octetStream
        ) -> Part {
            Part(name: name, fileName: fileName, type: type, content: .stream(stream))
        }

        /// Returns this part with other additional header fields.
        ///
        /// - Parameter headers: The fields, which replace the previous ones. `Content-Disposition` is derived from the
        ///   name; setting it here fails the request with `invalidHeaderField`.
        public func with(headers: HeaderFields) -> Part {
            var part = self
            part.headers = headers
            return part
        }
    }
}

extension MultipartForm.Part: Confidential {
    /// The name of the field. It never contains the content.
    public var description: String { name }
    /// A mirror with only the name, so that `dump` shows no content either.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

extension MultipartForm {
    /// Encodes the form as the bytes of a body, with the WHATWG's "multipart/form-data encoding algorithm".
    ///
    /// - Parameter encoder: The encoder of the API, for values without their own encoder.
    /// - Throws: ``ErrandError`` for an invalid part or boundary, and for a file that is missing or not a regular file;
    ///   ``LongBody`` for a part above the encoder's maximum size.
    func content(_ encoder: BodyEncoder) throws -> RequestBody.Content {
        let sections = try parts.map { try $0.section(encoder) }
        var form = self
        for (index, section) in sections.enumerated() { form.parts[index].content.replaceValue(with: section.content) }
        return try MultipartEncoding(sections, boundary: boundary).content(origin: .form(form))
    }
}

extension MultipartForm.Part.Content {
    /// Stores the encoded bytes of a value, which a curl command shows.
    fileprivate mutating func replaceValue(with encoded: RequestBody.Content) {
        if case .value = self, case .data(let data) = encoded { self = .data(data) }
    }
}

extension MultipartForm.Part {
    fileprivate func section(_ encoder: BodyEncoder) throws -> MultipartEncoding.Section {
        if let type, !type.isValid {
            throw ErrandError(.invalidHeaderField, reason: "the media type of a part is not valid")
        }
        guard headers["Content-Disposition"] == nil else {
            throw ErrandError(
                .invalidHeaderField, reason: "a part of a form must not set Content-Disposition; its name generates it")
        }
        var disposition = "form-data; name=\"\(name.withCRLF.escapedForDisposition)\""
        if let fileName { disposition += "; filename=\"\(fileName.escapedForDisposition)\"" }
        // Generated fields are not checked: a name may contain control characters, which browsers send unchanged.
        var generated = [HeaderFields.Field("Content-Disposition", disposition)]
        if let type, headers["Content-Type"] == nil { generated.append(.init("Content-Type", type.description)) }
        return try .init(generated: generated, headers: headers, content: encodedContent(encoder))
    }

    private func encodedContent(_ encoder: BodyEncoder) throws -> RequestBody.Content {
        switch content {
        case .text(let text): .data(Data(text.withCRLF.utf8))
        case .data(let data): .data(data)
        case .value(let body): try body.content(encoder)
        case .file(let file): .stream(try BodyStream(file: file))
        case .stream(let stream): .stream(stream)
        }
    }
}

extension String {
    /// This text with every line break, including a single CR or LF, replaced by CRLF.
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

    /// This text for the quotes of a `Content-Disposition`. Browsers escape only quotes and line breaks.
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

extension MultipartForm.Part {
    /// Returns the options of a `curl` command that send this part. `@-` sends what the command reads from its standard
    /// input.
    ///
    /// - Parameter isRevealed: Whether the content, the values of header fields and the names of files are shown. The
    ///   name and the media type of the part always are.
    func curlWords(isRevealed: Bool) -> [String] {
        switch content {
        case .text(let text) where headers.isEmpty:
            // Unlike `-F`, it does not interpret a leading @ or < as the name of a file.
            return ["--form-string", "\(name)=\(isRevealed ? text : "***")".shellQuoted]
        case .text(let text):
            return formWords(isRevealed ? text.curlQuoted : "***", isRevealed)
        case .data(let data):
            let text = String(validating: data, as: UTF8.self).flatMap { $0.utf8.contains(0) ? nil : $0 }
            return formWords(isRevealed ? text?.curlQuoted ?? "@-" : "***", isRevealed)
        case .file(let file):
            return formWords("@" + (isRevealed ? file.path.curlQuoted : "***"), isRevealed)
        // No value gets here: `MultipartForm.content(_:)` has replaced it with its bytes.
        case .value, .stream:
            return formWords("@-", isRevealed)
        }
    }

    private func formWords(_ value: String, _ isRevealed: Bool) -> [String] {
        var word = "\(name)=\(value)"
        if let type, headers["Content-Type"] == nil { word += ";type=\(type)" }
        for field in headers { word += ";headers=\(isRevealed ? "\(field.name): \(field.value)".curlQuoted : "***")" }
        if let fileName { word += ";filename=\(isRevealed ? fileName.curlQuoted : "***")" }
        return ["-F", word.shellQuoted]
    }
}

extension String {
    /// This text in quotes for curl's `-F`, so that a comma, a semicolon or a leading @ is plain text.
    fileprivate var curlQuoted: String { quoted }
}
