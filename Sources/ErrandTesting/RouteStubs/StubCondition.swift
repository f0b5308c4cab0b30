public import Errand

/// What a request has to be like for a stub of ``RouteStubs`` to answer it, besides its method and its path.
///
/// ```swift
/// stubs.on(.get, "/books", where: .query("page", "2"), .json(second))
/// stubs.on(.post, "/books", where: [.host("*.example.com"), .json(book)], .status(201))
/// ```
///
/// A list of conditions is met when all of them are. What a condition is about is named in messages; the values are not.
public struct StubCondition: Sendable {
    private let parts: [Part]

    private struct Part: Sendable {
        let label: String
        let isMet: @Sendable (MockRequest) -> Bool
    }

    private init(_ parts: [Part]) {
        self.parts = parts
    }

    /// Met by every request.
    public static let always = StubCondition([])

    /// The host that the request goes to, in capitals or small letters: `api.example.com`, `localhost:8080`;
    /// `*.example.com` for any host below that one. Without a port, any will do.
    public static func host(_ pattern: String) -> StubCondition {
        let wanted = HostPattern(pattern)
        return StubCondition([Part(label: "the host is \(pattern)") { wanted.matches($0.headers["Host"] ?? "") }])
    }

    /// The query has an item of this name, whatever its value.
    public static func query(_ name: String) -> StubCondition {
        StubCondition([
            Part(label: "the query has \"\(name)\"") { $0.queryItems.contains { $0.name == name } }
        ])
    }

    /// The query has an item of this name with this value, both without escapes; it may have others.
    public static func query(_ name: String, _ value: String) -> StubCondition {
        StubCondition([
            Part(label: "the query's \"\(name)\" is right") { request in
                request.queryItems.contains { $0.name == name && ($0.value ?? "") == value }
            }
        ])
    }

    /// The request has a header field of this name with this value.
    public static func header(_ name: String, _ value: String) -> StubCondition {
        StubCondition([Part(label: "the field \(name) is right") { $0.headers[values: name].contains(value) }])
    }

    /// The body has exactly these bytes.
    public static func body(_ body: Data) -> StubCondition {
        StubCondition([Part(label: "the body is right") { $0.body == body }])
    }

    /// The body is this JSON, whatever the order of its members and the space between them.
    public static func json(_ document: Data) -> StubCondition {
        let wanted = document.canonicalJSON
        return StubCondition([Part(label: "the body is right") { wanted != nil && $0.body.canonicalJSON == wanted }])
    }

    /// The body is this value as JSON, whatever the order of its members and the space between them.
    ///
    /// - Throws: What the encoder throws.
    public static func json(
        encodable value: some Encodable, encoder: some DataEncoder = FastJSONEncoder()
    ) throws -> StubCondition {
        json(try encoder.encode(value))
    }

    /// What a closure says, which may be called for a request that another stub answers in the end.
    ///
    /// - Parameters:
    ///   - label: What it is about, to be named in messages behind "where": `the author is known`.
    ///   - isMet: Called on the task that sends the request.
    public static func matching(
        _ label: String, _ isMet: @escaping @Sendable (MockRequest) -> Bool
    ) -> StubCondition {
        StubCondition([Part(label: label, isMet: isMet)])
    }

    /// What of it a request does not meet, in words; empty when it meets all.
    func unmet(by request: MockRequest) -> [String] {
        parts.filter { !$0.isMet(request) }.map(\.label)
    }
}

extension StubCondition: ExpressibleByArrayLiteral {
    /// Met when all of these are.
    public init(arrayLiteral conditions: StubCondition...) {
        self.init(conditions.flatMap(\.parts))
    }
}

extension StubCondition: CustomStringConvertible {
    /// What it is about, in words and without values; empty where there is none.
    public var description: String { parts.map(\.label).joined(separator: " and ") }
}

/// A host as a condition names it.
private struct HostPattern: Sendable {
    private let name: String
    private let port: String?

    init(_ pattern: String) {
        (name, port) = Self.split(pattern)
    }

    func matches(_ field: String) -> Bool {
        let (host, otherPort) = Self.split(field)
        guard port == nil || port == otherPort else { return false }
        guard name.hasPrefix("*.") else { return host == name }
        return host.hasSuffix(name.dropFirst()) && host.count > name.count - 1
    }

    private static func split(_ host: String) -> (name: String, port: String?) {
        let host = host.lowercased()
        // What stands in brackets is an IPv6 address, with colons of its own.
        guard let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") else { return (host, nil) }
        return (String(host[..<colon]), String(host[host.index(after: colon)...]))
    }
}

extension Data {
    /// This JSON document as it is for all that mean the same; nil when it is none.
    fileprivate var canonicalJSON: Data? {
        guard let value = try? JSONSerialization.jsonObject(with: self, options: .fragmentsAllowed) else { return nil }
        return try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
    }
}
