public import Errand

extension HAR {
    /// What came back.
    public struct Response: Codable, Hashable, Sendable {
        /// The status code; 0 where no answer came.
        public var status: Int
        /// The phrase that goes with it.
        public var statusText: String
        /// The version of HTTP, such as `HTTP/1.1`; `unknown` where the transport does not tell.
        public var httpVersion: String
        /// Cookies, apart from their fields. Errand writes none.
        public var cookies: [Pair]
        /// The header fields, repeated ones apart.
        public var headers: [Pair]
        /// The body.
        public var content: Content
        /// The value of `Location`; empty if it is missing.
        public var redirectURL: String
        /// How many bytes the head has; -1 for unknown.
        public var headersSize: Int
        /// How many bytes the body had on the wire; -1 for unknown.
        public var bodySize: Int
        /// A remark.
        public var comment: String?
        /// Where the answer came from, where redirects led away from the request's URL; a key of our own, `_url`.
        public var url: String?

        /// No answer.
        public static let none = Response(status: 0)

        /// An answer.
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

        /// Reads an answer; only the status has to be there.
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

    /// The body of an answer, with its content coding undone.
    public struct Content: Codable, Hashable, Sendable {
        /// Why a body is not whole.
        public enum Cut: String, Codable, Hashable, Sendable {
            /// Whoever read it left, or the recording ended, before the body did.
            case released
            /// It is longer than the cassette keeps.
            case limit
            /// It broke off; the entry's error says how.
            case failed
        }

        /// How many bytes the body has.
        public var size: Int
        /// How many bytes its content coding saved.
        public var compression: Int?
        /// The media type, with its parameters.
        public var mimeType: String
        /// The body as text, or in Base64 where ``encoding`` says so; nil where it was not kept.
        public var text: String?
        /// `base64` for a body that is no text.
        public var encoding: String?
        /// A remark.
        public var comment: String?
        /// Why the body is not whole; nil when it is. A key of our own, `_cut`.
        public var cut: Cut?

        /// No body.
        public init() {
            size = 0
            mimeType = ""
        }

        /// A body: as text where it is UTF-8, and in Base64 where it is not.
        public init(_ data: Data, mimeType: String) {
            let kept = BodyText(data, mimeType: mimeType)
            size = data.count
            self.mimeType = mimeType
            text = kept.text
            encoding = kept.encoding
        }

        /// Reads a body; nothing of it has to be there.
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

        /// The bytes; nil where they were not kept, or are not what ``encoding`` says.
        ///
        /// A text is in the encoding that the media type names, and in UTF-8 where it names none.
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
