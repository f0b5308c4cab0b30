public import Errand

/// A condition for a request besides its method and path: for a stub of ``RouteStubs`` to match it, or for a
/// `MockServer` to expect it.
///
/// ```swift
/// stubs.on(.get, "/books", where: .query("page", "2"), .json(second))
/// stubs.on(.post, "/books", where: [.host("*.example.com"), .json(book)], .status(201))
/// stubs.on(.get, "/books", where: [.any(of: .query("page"), .query("cursor")), .not(.query("all"))], .json(second))
/// ```
///
/// A list of conditions is met if all of them are met, ``any(of:)`` if at least one is met, and ``not(_:)`` if its
/// condition is not met. All three can be nested. Messages name what a condition is about, but not the values.
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

    /// A condition that every request meets.
    public static let always = RequestCondition(.all([]))

    /// A condition that is met if at least one of these is met. Without any conditions, no request meets it.
    ///
    /// Its description names all of them: `the query has "page" or the query has "cursor"`.
    public static func any(of conditions: RequestCondition...) -> RequestCondition {
        conditions.count == 1 ? conditions[0] : RequestCondition(.any(conditions))
    }

    /// A condition that is met if this one is not: `not (the query has "all")`.
    public static func not(_ condition: RequestCondition) -> RequestCondition {
        RequestCondition(.not(condition))
    }

    /// A condition on the host of the request, in any case: `api.example.com`, `localhost:8080`, or `*.example.com` for
    /// all of its subdomains. Without a port, any port is accepted. A URL without a path, such as
    /// `https://api.example.com`, names its host, and its port or that of its scheme. No request meets another text.
    public static func host(_ pattern: String) -> RequestCondition {
        let wanted = HostPattern(pattern)
        return RequestCondition("the host is \(pattern)") { wanted?.matches($0.headers["Host"] ?? "") ?? false }
    }

    /// A condition that the query has an item with this name, with any value.
    public static func query(_ name: String) -> RequestCondition {
        RequestCondition("the query has \"\(name)\"") { $0.queryItems.contains { $0.name == name } }
    }

    /// A condition that the query has an item with this name and value, both percent-decoded. Further items are
    /// allowed.
    public static func query(_ name: String, _ value: String) -> RequestCondition {
        RequestCondition("the query's \"\(name)\" has the expected value") { request in
            request.queryItems.contains { $0.name == name && ($0.value ?? "") == value }
        }
    }

    /// A condition that the request has a header field with this name, with any value.
    public static func header(_ name: String) -> RequestCondition {
        RequestCondition("there is a header field \(name)") { $0.headers[name] != nil }
    }

    /// A condition that the request has a header field with this name and value.
    public static func header(_ name: String, _ value: String) -> RequestCondition {
        RequestCondition("the header field \(name) has the expected value") { $0.headers[values: name].contains(value) }
    }

    /// A condition that the body is a form with a field of this name, with any value.
    public static func form(_ name: String) -> RequestCondition {
        RequestCondition("the form has \"\(name)\"") { $0.formFields.contains { $0.name == name } }
    }

    /// A condition that the body is a form with a field of this name and value, both decoded. Further fields are
    /// allowed.
    public static func form(_ name: String, _ value: String) -> RequestCondition {
        RequestCondition("the form's \"\(name)\" has the expected value") { request in
            request.formFields.contains { $0.name == name && $0.value == value }
        }
    }

    /// A condition that the body has exactly these bytes.
    public static func body(_ body: Data) -> RequestCondition {
        RequestCondition("the body is the expected one") { $0.body == body }
    }

    /// A condition that the body is this JSON, in any order of members and with any whitespace.
    public static func json(_ document: Data) -> RequestCondition {
        let wanted = JSONValue(document: document)
        return RequestCondition("the body is the expected one") {
            wanted != nil && JSONValue(document: $0.body) == wanted
        }
    }

    /// A condition that the body is a JSON object with exactly these members: `.json(["type": "file"])`.
    public static func json(_ members: JSONValue.Object) -> RequestCondition {
        let wanted = JSONValue.object(members)
        return RequestCondition("the body is the expected one") { JSONValue(document: $0.body) == wanted }
    }

    /// A condition that the body is this value as JSON, in any order of members and with any whitespace.
    ///
    /// - Throws: The errors of the encoder.
    public static func json(
        encodable value: some Encodable, encoder: some DataEncoder = FastJSONEncoder()
    ) throws -> RequestCondition {
        json(try encoder.encode(value))
    }

    /// A condition that a closure decides. The closure may also be called for requests that another stub handles.
    ///
    /// - Parameters:
    ///   - label: What the condition is about, for messages, after "where": `the author is known`.
    ///   - isMet: Called on the task that sends the request.
    public static func matching(
        _ label: String, _ isMet: @escaping @Sendable (MockRequest) -> Bool
    ) -> RequestCondition {
        RequestCondition(label, isMet: isMet)
    }

    /// Returns `true` if a request meets the condition.
    package func isMet(by request: MockRequest) -> Bool {
        switch rule {
        case .test(_, let isMet): isMet(request)
        case .all(let parts): parts.allSatisfy { $0.isMet(by: request) }
        case .any(let parts): parts.contains { $0.isMet(by: request) }
        case .not(let condition): !condition.isMet(by: request)
        }
    }

    /// Returns the parts that a request does not meet, in order; ``always`` if it meets all.
    func unmet(by request: MockRequest) -> RequestCondition {
        RequestCondition(all: parts.filter { !$0.isMet(by: request) })
    }

    /// The conditions that must all be met; empty for ``always``.
    package var parts: [RequestCondition] {
        if case .all(let parts) = rule { parts } else { [self] }
    }
}

extension RequestCondition: ExpressibleByArrayLiteral {
    /// Creates a condition that is met if all of these are met.
    public init(arrayLiteral conditions: RequestCondition...) {
        self.init(all: conditions.flatMap(\.parts))
    }

    private init(all parts: [RequestCondition]) {
        self.init(.all(parts))
        if parts.count == 1 { self = parts[0] }
    }
}

extension RequestCondition: CustomStringConvertible {
    /// A description in words, without values; empty for ``always``.
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

/// A host in any case, with or without a port, or `*.` and a name for all subdomains of that name.
struct HostPattern: Sendable {
    private static let ports = ["http": 80, "ws": 80, "https": 443, "wss": 443]
    private let name: String
    private let port: Int?

    /// - Parameter pattern: A host and perhaps a port, or a URL without a path; `nil` for another text.
    init?(_ pattern: String) {
        guard let (_, scheme, host, number) = pattern.lowercased().wholeMatch(of: Self.syntax)?.output else {
            return nil
        }
        let text = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : String(host)
        name = URLComponents(string: "//\(text)")?.encodedHost ?? text
        port = number.map { Int($0) ?? 0 } ?? scheme.flatMap { Self.ports[String($0)] }
        guard (1...65535).contains(port ?? 1) else { return nil }
    }

    /// Returns `true` for the value of a `Host` field, whose missing port is that of `http` or `https`.
    func matches(_ field: String) -> Bool {
        HostPattern(field).map { matches($0.name, $0.port.map { [$0] } ?? [80, 443]) } ?? false
    }

    func matches(_ url: URL) -> Bool {
        let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        let port = parts?.port ?? Self.ports[parts?.scheme?.lowercased() ?? ""]
        return matches(parts?.encodedHost?.lowercased() ?? "", [port ?? 0])
    }

    private func matches(_ host: String, _ ports: [Int]) -> Bool {
        guard port.map(ports.contains) ?? true else { return false }
        guard name.hasPrefix("*.") else { return host == name }
        return host.hasSuffix(name.dropFirst()) && host.count > name.count - 1
    }

    /// A scheme, a name or an IP address, and a port. An IPv6 address without a port needs no brackets.
    private static var syntax: Regex<(Substring, Substring?, Substring, Substring?)> {
        #/(?:(https?|wss?):\/\/)?((?:\*\.)?[\p{L}\d_-][\p{L}\d._-]*|\[[0-9a-f:.]+\]|[0-9a-f.:]*::[0-9a-f.:]*)(?::(\d+))?\/?/#
    }
}
