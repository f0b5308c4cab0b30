public import Errand

extension HAR {
    /// What was sent.
    public struct Request: Codable, Hashable, Sendable {
        /// The method.
        public var method: String
        /// The URL, without a fragment.
        public var url: String
        /// The version of HTTP, such as `HTTP/1.1`; `unknown` where the transport does not tell.
        public var httpVersion: String
        /// Cookies, apart from their field. Errand writes none.
        public var cookies: [Pair]
        /// The header fields.
        public var headers: [Pair]
        /// The items of the URL's query, without escapes.
        public var queryString: [Pair]
        /// The body, where there is one.
        public var postData: PostData?
        /// How many bytes the head has; -1 for unknown.
        public var headersSize: Int
        /// How many bytes the body has; -1 for unknown.
        public var bodySize: Int
        /// A remark.
        public var comment: String?

        /// A request.
        public init(method: String, url: String, headers: [Pair] = [], postData: PostData? = nil, bodySize: Int = 0) {
            self.method = method
            self.url = url
            httpVersion = "unknown"
            cookies = []
            self.headers = headers
            queryString = (URLComponents(string: url)?.queryItems ?? []).map { Pair($0.name, $0.value ?? "") }
            self.postData = postData
            headersSize = -1
            self.bodySize = bodySize
        }

        /// Reads a request; only the method and the URL have to be there.
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
        /// The media type, with its parameters.
        public var mimeType: String
        /// The fields of a form, where it is one.
        public var params: [Pair]?
        /// The body as text, or in Base64 where ``encoding`` says so.
        public var text: String?
        /// `base64` for a body that is no text; a key of our own, `_encoding`.
        public var encoding: String?
        /// A remark.
        public var comment: String?

        /// A body: as text where it is UTF-8, and in Base64 where it is not.
        public init(_ data: Data, mimeType: String) {
            self.mimeType = mimeType
            let kept = BodyText(data)
            text = kept.text
            encoding = kept.encoding
            if ContentType(mimeType)?.isForm == true, kept.encoding == nil {
                params = Self.params(of: kept.text)
            }
        }

        /// Reads a body; nothing of it has to be there.
        public init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            mimeType = fields.text(.mimeType) ?? ""
            params = try? fields.decodeIfPresent([Pair].self, forKey: .params)
            text = fields.text(.text)
            encoding = fields.text(.encoding)
            comment = fields.text(.comment)
        }

        /// The bytes; nil where they are not there, or are not what ``encoding`` says.
        ///
        /// Of a form without its text they are made of its fields.
        public var data: Data? {
            if let text { return BodyText(text: text, encoding: encoding).data }
            guard let params, ContentType(mimeType)?.isForm == true else { return nil }
            let fields = params.map { "\(Self.escaped($0.name))=\(Self.escaped($0.value))" }
            return Data(fields.joined(separator: "&").utf8)
        }

        private static func params(of form: String) -> [Pair] {
            form.split(separator: "&").map { item in
                let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                    let text = $0.replacingOccurrences(of: "+", with: " ")
                    return text.removingPercentEncoding ?? text
                }
                return Pair(parts.first ?? "", parts.count > 1 ? parts[1] : "")
            }
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
