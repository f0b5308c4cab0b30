extension MultipartForm {
    /// One field or file of a form.
    public struct Part: Sendable {
        enum Content: Sendable {
            case text(String)
            case data(Data)
            case file(URL)
            case stream(BodyStream)
        }

        /// The name of the field.
        public let name: String
        /// The name of the file; nil for a field that is none.
        public let fileName: String?
        /// The media type; nil where it goes without saying.
        public let type: ContentType?
        let content: Content

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
        ///   - fileName: The name of the file; nil where it is none, such as a JSON document beside files.
        ///   - type: The media type.
        public static func data(
            _ name: String, _ data: Data, fileName: String? = nil, type: ContentType? = .octetStream
        ) -> Part {
            Part(name: name, fileName: fileName, type: type, content: .data(data))
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
