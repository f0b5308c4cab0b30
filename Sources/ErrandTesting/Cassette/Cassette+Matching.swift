import Errand

extension Cassette {
    /// The rule for choosing the entry of a cassette for a request: the parts that must be equal, and the order.
    ///
    /// ```swift
    /// Cassette(at: file, matching: [.method, .url, .body])
    /// Cassette(at: file, matching: Cassette.Matching([.method, .path], order: .strict))
    /// ```
    public struct Matching: Sendable, ExpressibleByArrayLiteral {
        /// The order in which entries are used.
        public enum Order: Hashable, Sendable {
            /// By content: a request gets the first unused entry whose parts are equal.
            case byContent
            /// In the recorded order: each request must be equal to the next entry.
            case strict
        }

        /// The parts that must be equal; ``Part/method`` and ``Part/url`` by default.
        public var parts: [Part]
        /// The order in which entries are used; by content by default.
        public var order: Order
        /// Whether the last of several equal entries is used again when all of them have been used; `false` by default.
        /// It has no effect with the strict order.
        public var repeatsLast: Bool

        /// Creates the default rule: method and URL, by content, each entry once.
        public init() {
            self.init([.method, .url])
        }

        /// Creates a rule from parts and an order.
        public init(
            _ parts: [Part] = [.method, .url], order: Order = .byContent, repeatsLast: Bool = false
        ) {
            self.parts = parts
            self.order = order
            self.repeatsLast = repeatsLast
        }

        /// Creates a rule from parts, by content, each entry once.
        public init(arrayLiteral parts: Part...) {
            self.init(parts)
        }
    }

    /// A part of a request that must be equal to the recorded request.
    public struct Part: Sendable {
        /// The name of the part in a difference.
        let name: String
        let facts: @Sendable (HAR.Request) -> [Fact]
        /// Whether the part needs the body, which may be a stream.
        var readsBody = false

        /// The method.
        public static let method = Part("method") { [$0.method] }
        /// The scheme, host and port.
        public static let origin = Part("origin") { [RequestParts($0).origin] }
        /// The path, with its percent-encoding.
        public static let path = Part("path") { [RequestParts($0).path] }
        /// The query: items are ordered by name, and items with the same name keep their order.
        public static let query = Part.query(ignoring: [])
        /// The query without some items.
        ///
        /// - Parameter names: The names of the ignored items, without percent-encoding.
        public static func query(ignoring names: Set<String>) -> Part {
            Part("query") { RequestParts($0).query(ignoring: names) }
        }
        /// Origin, path and query.
        public static let url = Part.url(ignoringQuery: [])
        /// Origin, path and query, without some items of the query, such as a time or a nonce.
        ///
        /// - Parameter names: The names of the ignored items, without percent-encoding.
        public static func url(ignoringQuery names: Set<String>) -> Part {
            let parts = [origin, path, query(ignoring: names)]
            return Part(name: "url") { request in parts.flatMap { $0.facts(request) } }
        }
        /// Header fields, by their names in any case. A field that is missing in both requests is equal.
        public static func headers(_ names: String...) -> Part {
            Part(name: "header") { request in
                names.map { name in
                    let values = request.headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
                    return Fact("header", values.isEmpty ? "no \(name)" : "\(name): \(values.joined(separator: ", "))")
                }
            }
        }
        /// The body: JSON is compared by its values, a form by its fields, other text by its lines, and anything else
        /// by its bytes.
        public static let body = Part(name: "body", readsBody: true) { request in BodyFacts.facts(of: request) }
        /// The result of a closure, such as the name of a GraphQL operation.
        ///
        /// - Parameters:
        ///   - name: The name of the part in a difference.
        ///   - value: Called with the recorded request and with the sent request, both redacted.
        public static func value(_ name: String, of value: @escaping @Sendable (HAR.Request) -> String) -> Part {
            Part(name: name, readsBody: true) { [Fact(name, value($0))] }
        }

        private init(_ name: String, _ texts: @escaping @Sendable (HAR.Request) -> [String]) {
            self.init(name: name) { request in texts(request).map { Fact(name, $0) } }
        }

        private init(
            name: String, readsBody: Bool = false, _ facts: @escaping @Sendable (HAR.Request) -> [Fact]
        ) {
            self.name = name
            self.readsBody = readsBody
            self.facts = facts
        }
    }
}
