public import Errand

extension HAR {
    /// The response of an entry.
    public struct Response: Codable, Hashable, Sendable {
        /// The status code; 0 if there was no response.
        public var status: Int
        /// The reason phrase.
        public var statusText: String
        /// The HTTP version, such as `HTTP/1.1`; `unknown` if the transport does not provide it.
        public var httpVersion: String
        /// The cookies. Errand writes none: they are in ``headers``.
        public var cookies: [Pair]
        /// The header fields; repeated ones are separate.
        public var headers: [Pair]
        /// The body.
        public var content: Content
        /// The value of `Location`; empty if it is missing.
        public var redirectURL: String
        /// The number of bytes of the head; -1 if unknown.
        public var headersSize: Int
        /// The number of bytes of the body before content decoding; -1 if unknown.
        public var bodySize: Int
        /// A comment.
        public var comment: String?
        /// The URL of the response, if redirects changed it; written under the custom key `_url`.
        public var url: String?

        /// No response.
        public static let none = Response(status: 0)

        /// Creates a response.
        public init(status: Int, headers: [Pair] = [], content: Content = Content(), bodySize: Int = -1) {
            self.status = status
            statusText = MockResponse.standardReason(for: status) ?? ""
            httpVersion = "unknown"
            cookies = []
            self.headers = headers
            self.content = content
            redirectURL = headers.first { $0.name.lowercased() == "location" }?.value ?? ""
            headersSize = -1
            self.bodySize = bodySize
        }

        /// Decodes a response; only the status code is required.
        public init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            status = try fields.decode(Int.self, forKey: .status)
            statusText = fields.text(.statusText) ?? ""
            httpVersion = fields.text(.httpVersion) ?? "unknown"
            cookies = (try? fields.decodeIfPresent([Pair].self, forKey: .cookies)) ?? []
            headers = (try? fields.decodeIfPresent([Pair].self, forKey: .headers)) ?? []
            content = try fields.decodeIfPresent(Content.self, forKey: .content) ?? Content()
            redirectURL = fields.text(.redirectURL) ?? ""
            headersSize = fields.number(.headersSize) ?? -1
            bodySize = fields.number(.bodySize) ?? -1
            comment = fields.text(.comment)
            url = fields.text(.url)
        }

        private enum CodingKeys: String, CodingKey {
            case status, statusText, httpVersion, cookies, headers, content, redirectURL, headersSize, bodySize, comment
            case url = "_url"
        }
    }

    /// The body of a response after content decoding.
    public struct Content: Codable, Hashable, Sendable {
        /// The reason why a body is incomplete.
        public enum Cut: String, Codable, Hashable, Sendable {
            /// The reader stopped, or the recording ended, before the end of the body.
            case released
            /// The body is larger than the cassette's limit.
            case limit
            /// The transfer failed; see the entry's error.
            case failed
        }

        /// The number of bytes of the body; -1 if unknown.
        public var size: Int
        /// The number of bytes that the content coding saved.
        public var compression: Int?
        /// The media type with its parameters.
        public var mimeType: String
        /// The body as text, or in Base64 according to ``encoding``; `nil` if it was not stored.
        public var text: String?
        /// `base64` if the body is not text.
        public var encoding: String?
        /// A comment.
        public var comment: String?
        /// The reason why the body is incomplete; `nil` if it is complete. Written under the custom key `_cut`.
        public var cut: Cut?

        /// Creates an empty body.
        public init() {
            size = 0
            mimeType = ""
        }

        /// Creates a body: as text if it is UTF-8, otherwise in Base64.
        public init(_ data: Data, mimeType: String) {
            let kept = BodyText(data, mimeType: mimeType)
            size = data.count
            self.mimeType = mimeType
            text = kept.text
            encoding = kept.encoding
        }

        /// Decodes a body; no key is required.
        public init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            size = fields.number(.size) ?? -1
            compression = fields.number(.compression)
            mimeType = fields.text(.mimeType) ?? ""
            text = fields.text(.text)
            encoding = fields.text(.encoding)
            comment = fields.text(.comment)
            cut = fields.text(.cut).flatMap { Cut(rawValue: $0) }
        }

        /// The bytes; `nil` if they were not stored or are not valid in ``encoding``. A body of unknown size without
        /// text counts as empty.
        ///
        /// Text is encoded with the charset of the media type, by default with UTF-8.
        public var data: Data? {
            guard let text else { return size > 0 ? nil : Data() }
            return BodyText(text: text, encoding: encoding).data(of: mimeType)
        }

        private enum CodingKeys: String, CodingKey {
            case size, compression, mimeType, text, encoding, comment
            case cut = "_cut"
        }
    }
}
