public import Errand

/// What a request has to be like, besides its method and its path: for a stub of ``RouteStubs`` to answer it, or to be the
/// request that a ``MockServer`` expects.
///
/// ```swift
/// stubs.on(.get, "/books", where: .query("page", "2"), .json(second))
/// stubs.on(.post, "/books", where: [.host("*.example.com"), .json(book)], .status(201))
/// stubs.on(.get, "/books", where: [.any(of: .query("page"), .query("cursor")), .not(.query("all"))], .json(second))
/// ```
///
/// A list of conditions is met when all of them are; ``any(of:)`` when at least one is, and ``not(_:)`` when one is not. Lists,
/// ``any(of:)`` and ``not(_:)`` may contain each other. What a condition is about is named in messages; the values are not.
public struct RequestCondition: Sendable {
    private indirect enum Rule: Sendable {
        case test(label: String, isMet: @Sendable (MockRequest) -> Bool)
        case all([RequestCondition])
        case any([RequestCondition])
        case not(RequestCondition)
    }

    private let rule: Rule

    private init(_ rule: Rule) {
        self.rule = rule
    }

    private init(_ label: String, isMet: @escaping @Sendable (MockRequest) -> Bool) {
        self.init(.test(label: label, isMet: isMet))
    }

    /// Met by every request.
    public static let always = RequestCondition(.all([]))

    /// Met when at least one of these is. Without any condition, no request meets it.
    ///
    /// The description of an unmet one names all of them: `the query has "page" or the query has "cursor"`.
    public static func any(of conditions: RequestCondition...) -> RequestCondition {
        conditions.count == 1 ? conditions[0] : RequestCondition(.any(conditions))
    }

    /// Met when this condition is not: `not (the query has "all")`.
    public static func not(_ condition: RequestCondition) -> RequestCondition {
        RequestCondition(.not(condition))
    }

    /// The host that the request goes to, in capitals or small letters: `api.example.com`, `localhost:8080`;
    /// `*.example.com` for any host below that one. Without a port, any will do.
    public static func host(_ pattern: String) -> RequestCondition {
        let wanted = HostPattern(pattern)
        return RequestCondition("the host is \(pattern)") { wanted.matches($0.headers["Host"] ?? "") }
    }

    /// The query has an item of this name, whatever its value.
    public static func query(_ name: String) -> RequestCondition {
        RequestCondition("the query has \"\(name)\"") { $0.queryItems.contains { $0.name == name } }
    }

    /// The query has an item of this name with this value, both without escapes; it may have others.
    public static func query(_ name: String, _ value: String) -> RequestCondition {
        RequestCondition("the query's \"\(name)\" is right") { request in
            request.queryItems.contains { $0.name == name && ($0.value ?? "") == value }
        }
    }

    /// The request has a header field of this name with this value.
    public static func header(_ name: String, _ value: String) -> RequestCondition {
        RequestCondition("the field \(name) is right") { $0.headers[values: name].contains(value) }
    }

    /// The body has exactly these bytes.
    public static func body(_ body: Data) -> RequestCondition {
        RequestCondition("the body is right") { $0.body == body }
    }

    /// The body is this JSON, whatever the order of its members and the space between them.
    public static func json(_ document: Data) -> RequestCondition {
        let wanted = JSONValue(document: document)
        return RequestCondition("the body is right") { wanted != nil && JSONValue(document: $0.body) == wanted }
    }

    /// The body is a JSON object with these members and no others: `.json(["type": "file"])`.
    public static func json(_ members: JSONValue.Object) -> RequestCondition {
        let wanted = JSONValue.object(members)
        return RequestCondition("the body is right") { JSONValue(document: $0.body) == wanted }
    }

    /// The body is this value as JSON, whatever the order of its members and the space between them.
    ///
    /// - Throws: What the encoder throws.
    public static func json(
        encodable value: some Encodable, encoder: some DataEncoder = FastJSONEncoder()
    ) throws -> RequestCondition {
        json(try encoder.encode(value))
    }

    /// What a closure says, which may be called for a request that another stub answers in the end.
    ///
    /// - Parameters:
    ///   - label: What it is about, to be named in messages behind "where": `the author is known`.
    ///   - isMet: Called on the task that sends the request.
    public static func matching(
        _ label: String, _ isMet: @escaping @Sendable (MockRequest) -> Bool
    ) -> RequestCondition {
        RequestCondition(label, isMet: isMet)
    }

    /// Whether a request meets it.
    func isMet(by request: MockRequest) -> Bool {
        switch rule {
        case .test(_, let isMet): isMet(request)
        case .all(let parts): parts.allSatisfy { $0.isMet(by: request) }
        case .any(let parts): parts.contains { $0.isMet(by: request) }
        case .not(let condition): !condition.isMet(by: request)
        }
    }

    /// The parts that a request does not meet, in order; ``always`` when it meets all.
    func unmet(by request: MockRequest) -> RequestCondition {
        RequestCondition(all: parts.filter { !$0.isMet(by: request) })
    }

    /// The conditions of which each has to be met; none for ``always``.
    var parts: [RequestCondition] {
        if case .all(let parts) = rule { parts } else { [self] }
    }
}

extension RequestCondition: ExpressibleByArrayLiteral {
    /// Met when all of these are.
    public init(arrayLiteral conditions: RequestCondition...) {
        self.init(all: conditions.flatMap(\.parts))
    }

    private init(all parts: [RequestCondition]) {
        self.init(.all(parts))
        if parts.count == 1 { self = parts[0] }
    }
}

extension RequestCondition: CustomStringConvertible {
    /// What it is about, in words and without values; empty for ``always``.
    public var description: String {
        switch rule {
        case .test(let label, _): label
        case .all(let parts): parts.map(\.operand).joined(separator: " and ")
        case .any(let parts): parts.map(\.operand).joined(separator: " or ")
        case .not(let condition): "not (\(condition.isEmpty ? condition.operand : condition.description))"
        }
    }

    /// The description as a part of another one.
    private var operand: String {
        switch rule {
        case .test, .not: description
        case .all: isEmpty ? "anything" : "(\(description))"
        case .any: isEmpty ? "nothing" : "(\(description))"
        }
    }

    /// Whether it is a list without conditions.
    private var isEmpty: Bool {
        switch rule {
        case .all(let parts), .any(let parts): parts.isEmpty
        case .test, .not: false
        }
    }
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
