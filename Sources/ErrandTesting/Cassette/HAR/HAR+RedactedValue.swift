extension HAR {
    /// The place of a value that a cassette has replaced or left out: never the value itself.
    ///
    /// It is written into the entry, under a custom key, `_redacted`.
    public struct RedactedValue: Codable, Hashable, Sendable, CustomStringConvertible {
        /// The part of a request or a response.
        public enum Part: String, Codable, Hashable, Sendable, CaseIterable {
            /// The URL of the request.
            case requestURL = "request URL"
            /// A header field of the request.
            case requestHeader = "request header"
            /// The body of the request.
            case requestBody = "request body"
            /// The URL that the response came from.
            case responseURL = "response URL"
            /// A header field of the response.
            case responseHeader = "response header"
            /// The body of the response.
            case responseBody = "response body"

            /// Whether the caller receives another value when the cassette is replayed.
            public var isInResponse: Bool {
                switch self {
                case .requestURL, .requestHeader, .requestBody: false
                case .responseURL, .responseHeader, .responseBody: true
                }
            }
        }

        /// The part that the value is in.
        public let part: Part
        /// The name of the header field, of the query item or of the form field, or the path of the value in JSON, such as
        /// `users[].token`. Empty where the part as a whole has changed, such as a body of text.
        public let name: String

        /// The place of a value.
        public init(_ part: Part, _ name: String = "") {
            self.part = part
            self.name = name
        }

        /// `response body: users[].token`.
        public var description: String { name.isEmpty ? part.rawValue : "\(part.rawValue): \(name)" }
    }
}
