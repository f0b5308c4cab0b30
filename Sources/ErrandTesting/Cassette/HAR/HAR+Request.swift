public import Errand

extension HAR {
    /// The request of an entry.
    public struct Request: Codable, Hashable, Sendable {
        /// The method.
        public var method: String
        /// The URL, without a fragment.
        public var url: String
        /// The HTTP version, such as `HTTP/1.1`; `unknown` if the transport does not provide it.
        public var httpVersion: String
        /// The cookies. Errand writes none: they are in ``headers``.
        public var cookies: [Pair]
        /// The header fields.
        public var headers: [Pair]
        /// The query items of the URL, percent-decoded.
        public var queryString: [Pair]
        /// The body; `nil` if there is none.
        public var postData: PostData?
        /// The number of bytes of the head; -1 if unknown.
        public var headersSize: Int
        /// The number of bytes of the body; -1 if unknown.
        public var bodySize: Int
        /// A comment.
        public var comment: String?

        /// Creates a request.
        public init(method: String, url: String, headers: [Pair] = [], postData: PostData? = nil, bodySize: Int = 0) {
            self.method = method
            self.url = url
            httpVersion = "unknown"
            cookies = []
            self.headers = headers
            queryString = (URLComponents(lenient: url)?.queryItems ?? []).map { Pair($0.name, $0.value ?? "") }
            self.postData = postData
            headersSize = -1
            self.bodySize = bodySize
        }

        /// Decodes a request; only the method and the URL are required.
        public init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            method = try fields.decode(String.self, forKey: .method)
            url = try fields.decode(String.self, forKey: .url)
            httpVersion = fields.text(.httpVersion) ?? "unknown"
            cookies = (try? fields.decodeIfPresent([Pair].self, forKey: .cookies)) ?? []
            headers = (try? fields.decodeIfPresent([Pair].self, forKey: .headers)) ?? []
            queryString = (try? fields.decodeIfPresent([Pair].self, forKey: .queryString)) ?? []
            postData = try fields.decodeIfPresent(PostData.self, forKey: .postData)
            headersSize = fields.number(.headersSize) ?? -1
            bodySize = fields.number(.bodySize) ?? -1
            comment = fields.text(.comment)
        }
    }

    /// The body of a request.
    public struct PostData: Codable, Hashable, Sendable {
        /// The media type with its parameters.
        public var mimeType: String
        /// The fields of a form; `nil` for other bodies.
        public var params: [Pair]?
        /// The body as text, or in Base64 according to ``encoding``.
        public var text: String?
        /// `base64` if the body is not text; written under the custom key `_encoding`.
        public var encoding: String?
        /// A comment.
        public var comment: String?

        /// Creates a body: as text if it is UTF-8, otherwise in Base64.
        public init(_ data: Data, mimeType: String) {
            self.mimeType = mimeType
            let kept = BodyText(data)
            text = kept.text
            encoding = kept.encoding
            if ContentType(lenient: mimeType)?.isForm == true, kept.encoding == nil {
                params = Self.params(of: kept.text)
            }
        }

        /// Decodes a body; no key is required.
        public init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            mimeType = fields.text(.mimeType) ?? ""
            params = try? fields.decodeIfPresent([Pair].self, forKey: .params)
            text = fields.text(.text)
            encoding = fields.text(.encoding)
            comment = fields.text(.comment)
        }

        /// The bytes; `nil` if they are missing or not valid in ``encoding``.
        ///
        /// For a form without text, they are built from its fields.
        public var data: Data? {
            if let text { return BodyText(text: text, encoding: encoding).data }
            guard let params, ContentType(lenient: mimeType)?.isForm == true else { return nil }
            let fields = params.map { "\(Self.escaped($0.name))=\(Self.escaped($0.value))" }
            return Data(fields.joined(separator: "&").utf8)
        }

        private static func params(of form: String) -> [Pair] {
            form.formItems.map { Pair($0.name, $0.value) }
        }

        private static func escaped(_ text: String) -> String {
            text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
        }

        private enum CodingKeys: String, CodingKey {
            case mimeType, params, text, comment
            case encoding = "_encoding"
        }
    }
}
