import Errand

extension Cassette {
    /// Which entry of a cassette answers a request: the parts that have to be equal, and the order.
    ///
    /// ```swift
    /// Cassette(at: file, matching: [.method, .url, .body])
    /// Cassette(at: file, matching: Cassette.Matching([.method, .path], order: .strict))
    /// ```
    public struct Matching: Sendable, ExpressibleByArrayLiteral {
        /// In which order entries are used.
        public enum Order: Hashable, Sendable {
            /// By content: a request gets the first entry with equal parts that was not used yet.
            case byContent
            /// As they were recorded: each request has to be equal to the next entry.
            case strict
        }

        /// What has to be equal; ``Part/method`` and ``Part/url`` by default.
        public var parts: [Part]
        /// In which order entries are used; by content by default.
        public var order: Order
        /// Whether the last of several equal entries answers again when all of them were used; not by default. Has no effect
        /// on the strict order.
        public var repeatsLast: Bool

        /// Method and URL, by content, each entry once.
        public init() {
            self.init([.method, .url])
        }

        /// The parts that have to be equal, and the order.
        public init(
            _ parts: [Part] = [.method, .url], order: Order = .byContent, repeatsLast: Bool = false
        ) {
            self.parts = parts
            self.order = order
            self.repeatsLast = repeatsLast
        }

        /// These parts, by content, each entry once.
        public init(arrayLiteral parts: Part...) {
            self.init(parts)
        }
    }

    /// A part of a request that has to be equal to what was recorded.
    public struct Part: Sendable {
        /// What it is called in a difference.
        let name: String
        let facts: @Sendable (HAR.Request) -> [Fact]
        /// Whether it has to have the body, which may be a stream.
        var readsBody = false

        /// The method.
        public static let method = Part("method") { [$0.method] }
        /// Scheme, host and port.
        public static let origin = Part("origin") { [RequestParts($0).origin] }
        /// The path, with its escapes.
        public static let path = Part("path") { [RequestParts($0).path] }
        /// The query: the items in the order of their names, those of the same name as they come.
        public static let query = Part.query(ignoring: [])
        /// The query without some items.
        ///
        /// - Parameter names: Their names, without escapes.
        public static func query(ignoring names: Set<String>) -> Part {
            Part("query") { RequestParts($0).query(ignoring: names) }
        }
        /// Origin, path and query.
        public static let url = Part.url(ignoringQuery: [])
        /// Origin, path and query, without some items of the query: a time, a nonce.
        ///
        /// - Parameter names: Their names, without escapes.
        public static func url(ignoringQuery names: Set<String>) -> Part {
            let parts = [origin, path, query(ignoring: names)]
            return Part(name: "url") { request in parts.flatMap { $0.facts(request) } }
        }
        /// Header fields, in any case; one that is missing is equal to one that is missing.
        public static func headers(_ names: String...) -> Part {
            Part(name: "header") { request in
                names.map { name in
                    let values = request.headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
                    return Fact("header", values.isEmpty ? "no \(name)" : "\(name): \(values.joined(separator: ", "))")
                }
            }
        }
        /// The body: JSON by its values, a form by its fields, other text by its lines, and anything else byte by byte.
        public static let body = Part(name: "body", readsBody: true) { request in BodyFacts.facts(of: request) }
        /// Whatever a closure says of a request, such as the name of a GraphQL operation.
        ///
        /// - Parameters:
        ///   - name: What it is called in a difference.
        ///   - value: Called with the request as it was recorded and as it is sent, both redacted.
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
