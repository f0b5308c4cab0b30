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
        /// The name of the file; `nil` for a field that is not a file.
        public let fileName: String?
        /// The media type; `nil` for a text, which has the default type.
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

        /// Creates a part from a value, encoded as JSON (RFC 8259) when the request is built.
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
        ///   - file: The URL of the file. The size of the part is that of the file when the request is built.
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

extension MultipartForm.Part: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name of the field. It never contains the content.
    public var description: String { name }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// A mirror with only the name, so that `dump` shows no content either.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
