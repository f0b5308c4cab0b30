extension MessageSignature {
    /// A part of a request that a signature covers (RFC 9421, section 2). A string literal is the name of a header field.
    public struct Component: Hashable, Sendable, ExpressibleByStringLiteral {
        /// The name, in lowercase letters.
        let name: String
        /// The name of an item of the query, as it is without percent-encoding.
        private(set) var queryName: String?

        /// The method.
        public static let method = Component(name: "@method")
        /// The whole URL.
        public static let targetURI = Component(name: "@target-uri")
        /// The host in lowercase letters, and the port unless the scheme implies it.
        public static let authority = Component(name: "@authority")
        /// The scheme.
        public static let scheme = Component(name: "@scheme")
        /// The path and the query, as they are in the request line of HTTP/1.1.
        public static let requestTarget = Component(name: "@request-target")
        /// The path.
        public static let path = Component(name: "@path")
        /// The query with its question mark, which is there without a query too.
        public static let query = Component(name: "@query")

        /// One item of the query. If the query has no such item, or several, the request fails.
        ///
        /// - Parameter name: The name of the item, as it is without percent-encoding.
        public static func queryItem(_ name: String) -> Component {
            Component(name: "@query-param", queryName: name)
        }

        /// A header field.
        ///
        /// - Parameter name: The name, in letters of either case.
        public static func field(_ name: String) -> Component {
            Component(name: name.asciiLowercased)
        }

        /// A header field.
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
    /// The name, and for an item of the query that of the item.
    public var description: String { name + (queryName.map { " \($0)" } ?? "") }
}
