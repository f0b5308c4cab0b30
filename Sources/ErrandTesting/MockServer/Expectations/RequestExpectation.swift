import Errand

/// What a request is expected to be, and what is different about one that came.
struct RequestExpectation: Sendable {
    private let method: RequestMethod
    private let path: String
    private let route: Route
    private let query: [(name: String, value: String)]?
    private let headers: HeaderFields
    private let body: MockBody?

    init(
        _ method: RequestMethod, _ path: String, query: KeyValuePairs<String, String>?, headers: HeaderFields,
        body: MockBody?
    ) {
        self.method = method
        self.path = path
        self.route = Route(method, path) { _ in .status(500) }
        self.query = query.map { pairs in pairs.map { (name: $0.key, value: $0.value) } }
        self.headers = headers
        self.body = body
    }

    /// The method and the path: what it is called.
    var name: String { "\(method) \(path)" }

    /// Whether a request is what is expected.
    func matches(_ request: MockRequest) -> Bool {
        comparison(with: request).matches
    }

    /// What is different about a request, field by field and line by line.
    func difference(from request: MockRequest) -> TextDifference {
        let comparison = comparison(with: request)
        return TextDifference(expected: comparison.expected, actual: comparison.actual)
    }

    private func comparison(with request: MockRequest) -> (matches: Bool, expected: [String], actual: [String]) {
        var matches = route.parameters(of: request) != nil
        let line = "\(request.method) \(request.path)"
        // A line that says the same of a request that is not the same: a slash that was escaped, for example.
        var expected = [matches ? line : name]
        var actual = [matches || line != name ? line : "\(request.method) \(request.encodedPath)"]

        let items = request.queryItems.map { (name: $0.name, value: $0.value ?? "") }
        let wanted = (query ?? items).inOrderOfNames
        let found = items.inOrderOfNames
        matches = matches && wanted.elementsEqual(found) { $0 == $1 }
        expected += wanted.map { Self.line(of: $0, isOther: false) }
        actual += found.map { item in Self.line(of: item, isOther: !wanted.contains { $0 == item }) }

        var names: Set<String> = []
        for name in headers.map(\.name) where names.insert(name.lowercased()).inserted {
            let (wanted, found) = (headers[values: name], request.headers[values: name])
            matches = matches && wanted == found
            expected += Self.lines(of: name, wanted, isOther: false)
            actual += Self.lines(of: name, found, isOther: wanted != found)
        }

        if let body {
            let comparison = body.comparison(with: request.body)
            matches = matches && comparison.matches
            expected += [""] + comparison.expected
            actual += [""] + comparison.actual
        }
        return (matches, expected, actual)
    }

    /// A query item; of a credential only that it is there, and whether it is another.
    private static func line(of item: (name: String, value: String), isOther: Bool) -> String {
        guard isCredential(item.name) else { return "?\(item.name)=\(item.value)".replacing("\n", with: "\\n") }
        return "?\(item.name)=\(isOther ? "*** (another)" : "***")"
    }

    /// Header fields; of a credential only that it is there, and whether it is another.
    private static func lines(of name: String, _ values: [String], isOther: Bool) -> [String] {
        guard isCredential(name) else { return values.map { "\(name): \($0)" } }
        return values.map { _ in isOther ? "\(name): *** (another)" : "\(name): ***" }
    }

    private static func isCredential(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["authorization", "cookie", "token", "key", "secret", "password"].contains { name.hasSuffix($0) }
    }
}

extension [(name: String, value: String)] {
    /// The same with the names in order; items of one name keep theirs.
    fileprivate var inOrderOfNames: Self {
        enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }.map(\.element)
    }
}
