extension MultipartForm {
    /// One field or file of a form.
    public struct Part: Sendable {
        enum Content: Sendable {
            case text(String)
            case data(Data)
            /// A value that is encoded when the request is built.
            case value(RequestBody)
            case file(URL)
            case stream(BodyStream)
        }

        /// The name of the field.
        public let name: String
        /// The name of the file; nil for a field that is none.
        public let fileName: String?
        /// The media type; nil where it goes without saying.
        public let type: ContentType?
        /// Header fields besides those that are made of the name, the file name and the type; a `Content-Type` among them is
        /// sent in place of ``type``.
        ///
        /// RFC 7578 asks receivers to ignore other fields, so set some only for a server that documents them.
        public private(set) var headers = HeaderFields()
        var content: Content

        /// A field with a text, in UTF-8.
        ///
        /// Its line breaks, of whichever kind, are sent as CRLF, as those of the name are. It has no media type, as RFC 7578
        /// and browsers have it.
        public static func text(_ name: String, _ value: String) -> Part {
            Part(name: name, fileName: nil, type: nil, content: .text(value))
        }

        /// Bytes, as they are.
        ///
        /// - Parameters:
        ///   - name: The name of the field.
        ///   - data: The bytes.
        ///   - fileName: The name of the file; nil where it is none.
        ///   - type: The media type.
        public static func data(
            _ name: String, _ data: Data, fileName: String? = nil, type: ContentType? = .octetStream
        ) -> Part {
            Part(name: name, fileName: fileName, type: type, content: .data(data))
        }

        /// A value as JSON (RFC 8259), encoded when the request is built.
        ///
        /// - Parameters:
        ///   - name: The name of the field.
        ///   - value: The value; one that cannot be encoded fails the request with `bodyEncodingFailed`.
        ///   - fileName: The name of the file; `nil`, the default, where it is none.
        ///   - encoder: The encoder; `nil`, the default, uses the encoder of the API that sends the form. It must not be changed any more.
        public static func json(
            _ name: String, _ value: some Encodable & Sendable, fileName: String? = nil,
            encoder: (any DataEncoder)? = nil
        ) -> Part {
            Part(name: name, fileName: fileName, type: .json, content: .value(.json(value, encoder: encoder)))
        }

        /// The contents of a file, read while they are sent.
        ///
        /// - Parameters:
        ///   - name: The name of the field.
        ///   - file: The file, as long as it is when the request is built.
        ///   - fileName: The name that the server is told; nil tells the last component of the URL.
        ///   - type: The media type; nil guesses it from the extension.
        public static func file(
            _ name: String, _ file: URL, fileName: String? = nil, type: ContentType? = nil
        ) -> Part {
            Part(
                name: name, fileName: fileName ?? file.lastPathComponent, type: type ?? .guessed(for: file),
                content: .file(file))
        }

        /// A stream, read while it is sent; when its count is not known, that of the form is not either.
        ///
        /// - Parameters:
        ///   - name: The name of the field.
        ///   - stream: The contents.
        ///   - fileName: The name of the file; nil where it is none.
        ///   - type: The media type.
        public static func stream(
            _ name: String, _ stream: BodyStream, fileName: String? = nil, type: ContentType? = .octetStream
        ) -> Part {
            Part(name: name, fileName: fileName, type: type, content: .stream(stream))
        }

        /// This part with more header fields.
        ///
        /// - Parameter headers: The fields, in place of those that it had. `Content-Disposition` is made of the name; one here fails
        ///   the request with `invalidHeaderField`.
        public func with(headers: HeaderFields) -> Part {
            var part = self
            part.headers = headers
            return part
        }
    }
}

extension MultipartForm.Part: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name of the field; never what is in it.
    public var description: String { name }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The name alone, so that `dump` shows no content either.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
