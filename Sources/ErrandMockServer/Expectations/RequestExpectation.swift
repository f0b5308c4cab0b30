import Errand
import ErrandTesting

/// An expected request, and its comparison with a received one.
struct RequestExpectation: Sendable {
    private let method: RequestMethod
    private let path: String
    private let route: Route
    private let condition: RequestCondition
    private let query: [(name: String, value: String)]?
    private let headers: HeaderFields
    private let body: MockBody?

    init(
        _ method: RequestMethod, _ path: String, where condition: RequestCondition = .always,
        query: KeyValuePairs<String, String>?, headers: HeaderFields, body: MockBody?
    ) {
        self.method = method
        self.path = path
        self.route = Route(method, path) { _ in .status(500) }
        self.condition = condition
        self.query = query.map { pairs in pairs.map { (name: $0.key, value: $0.value) } }
        self.headers = headers
        self.body = body
    }

    /// The method, path and condition, for messages.
    var name: String {
        let condition = condition.description
        return condition.isEmpty ? routeName : "\(routeName) where \(condition)"
    }

    private var routeName: String { "\(method) \(path)" }

    /// Returns `true` if a request is the expected one.
    func matches(_ request: MockRequest) -> Bool {
        let (expected, actual) = facts(comparedWith: request)
        return expected == actual
    }

    /// Returns the difference between a request and the expected one, line by line.
    func difference(from request: MockRequest) -> TextDifference {
        let (expected, actual) = facts(comparedWith: request)
        return TextDifference(expected: expected.map(\.text), actual: actual.map(\.text))
    }

    /// Returns the expected facts and the corresponding facts of a request, each shown as one line.
    private func facts(comparedWith request: MockRequest) -> (expected: [Fact], actual: [Fact]) {
        let parameters = route.parameters(of: request)
        let isOnRoute = parameters != nil
        let line = "\(request.method) \(request.path)"
        var expected = [Fact("route", isOnRoute ? line : routeName)]
        // A path that differs from the route only in its encoding, such as that of a slash, is shown with
        // percent-encoding.
        var actual = [Fact("route", isOnRoute || line != routeName ? line : "\(request.method) \(request.encodedPath)")]

        // A part of the condition is a fact of the request only if the request meets it.
        var matched = request
        matched.parameters = parameters ?? [:]
        for part in condition.parts {
            let fact = Fact("condition", "where \(part)".replacing("\n", with: "\\n"))
            expected.append(fact)
            if part.isMet(by: matched) { actual.append(fact) }
        }

        let items = request.queryItems.map { (name: $0.name, value: $0.value ?? "") }
        let wanted = (query ?? items).inOrder { $0.name }
        expected += wanted.map { Self.fact(of: $0, isOther: false) }
        actual += items.inOrder { $0.name }.map { item in
            Self.fact(of: item, isOther: !wanted.contains { $0 == item })
        }

        var names: Set<String> = []
        for name in headers.map(\.name) where names.insert(name.lowercased()).inserted {
            let (wanted, found) = (headers[values: name], request.headers[values: name])
            expected += Self.facts(of: name, wanted, isOther: false)
            actual += Self.facts(of: name, found, isOther: wanted != found)
        }

        if let body {
            let facts = body.facts(comparedWith: request.body)
            expected += facts.expected
            actual += facts.actual
        }
        return (expected, actual)
    }

    /// Returns the fact for a query item. For a credential, it shows only that it is present, and whether it differs.
    private static func fact(of item: (name: String, value: String), isOther: Bool) -> Fact {
        let shown = names.contains(item: item.name) ? (isOther ? "*** (another)" : "***") : item.value
        return Fact(
            "query", value: [.string(item.name), .string(item.value)],
            shownAs: "?\(item.name)=\(shown)".replacing("\n", with: "\\n"))
    }

    /// Returns the facts for the header fields of one name. For a credential, they show only that it is present, and
    /// whether it differs.
    private static func facts(of name: String, _ values: [String], isOther: Bool) -> [Fact] {
        values.map { value in
            let shown = names.contains(item: name) ? (isOther ? "*** (another)" : "***") : value
            return Fact("header", value: [.string(name), .string(value)], shownAs: "\(name): \(shown)")
        }
    }

    private static let names = SecretNames()
}
