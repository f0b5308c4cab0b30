extension HAR {
    /// The place of a value that a cassette has replaced or removed; never the value itself.
    ///
    /// It is written into the entry under the custom key `_redacted`.
    public struct RedactedValue: Codable, Hashable, Sendable, CustomStringConvertible {
        /// The part of a request or a response.
        public enum Part: String, Codable, Hashable, Sendable, CaseIterable {
            /// The URL of the request.
            case requestURL = "request URL"
            /// A header field of the request.
            case requestHeader = "request header"
            /// The body of the request.
            case requestBody = "request body"
            /// The URL of the response.
            case responseURL = "response URL"
            /// A header field of the response.
            case responseHeader = "response header"
            /// The body of the response.
            case responseBody = "response body"

            /// Whether the caller receives a different value during replay.
            public var isInResponse: Bool {
                switch self {
                case .requestURL, .requestHeader, .requestBody: false
                case .responseURL, .responseHeader, .responseBody: true
                }
            }
        }

        /// The part that contains the value.
        public let part: Part
        /// The name of the header field, query item or form field, or the JSON path of the value, such as
        /// `users[].token`. Empty if the part changed as a whole, such as a text body.
        public let name: String

        /// Creates the place of a value.
        public init(_ part: Part, _ name: String = "") {
            self.part = part
            self.name = name
        }

        /// `response body: users[].token`.
        public var description: String { name.isEmpty ? part.rawValue : "\(part.rawValue): \(name)" }
    }
}
