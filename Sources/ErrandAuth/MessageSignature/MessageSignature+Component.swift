import Errand

extension MessageSignature {
    /// A part of a request that a signature covers (RFC 9421, section 2). A string literal is the name of a header
    /// field.
    public struct Component: Hashable, Sendable, ExpressibleByStringLiteral {
        /// The name, in lowercase letters.
        let name: String
        /// The name of a query item, without percent-encoding.
        private(set) var queryName: String?

        /// The method.
        public static let method = Component(name: "@method")
        /// The whole URL, without its fragment.
        public static let targetURI = Component(name: "@target-uri")
        /// The host in lowercase, and the port unless it is the scheme's default.
        public static let authority = Component(name: "@authority")
        /// The scheme.
        public static let scheme = Component(name: "@scheme")
        /// The path and the query, as in the request line of HTTP/1.1.
        public static let requestTarget = Component(name: "@request-target")
        /// The path of the URL; `/` for an empty path.
        public static let path = Component(name: "@path")
        /// The query with its question mark; only a question mark for a URL without a query.
        public static let query = Component(name: "@query")

        /// Creates a component for one query item. If the query has no such item, or several, the request fails.
        ///
        /// - Parameter name: The name of the item, without percent-encoding.
        public static func queryItem(_ name: String) -> Component {
            Component(name: "@query-param", queryName: name)
        }

        /// Creates a component for a header field.
        ///
        /// - Parameter name: The name, in any case.
        public static func field(_ name: String) -> Component {
            Component(name: name.asciiLowercased)
        }

        /// Creates a component for a header field.
        public init(stringLiteral name: String) {
            self = .field(name)
        }

        private init(name: String, queryName: String? = nil) {
            self.name = name
            self.queryName = queryName
        }
    }
}

extension MessageSignature.Component: CustomStringConvertible {
    /// The name, and for a query item also the name of the item.
    public var description: String { name + (queryName.map { " \($0)" } ?? "") }
}
