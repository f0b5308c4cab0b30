public import Errand

extension MockServer {
    /// Looks for a request among all that have come so far, in whatever order, taken or not; takes none.
    ///
    /// ```swift
    /// try server.verify(.get, "/books", times: 1)
    /// try server.verify(.delete, "/books/:id", times: 0)
    /// ```
    ///
    /// A request is among them before it is answered, so this is asked once the client has its answers.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path, which may have `:name` and `*` in it as a route may.
    ///   - condition: As for ``expect(_:_:where:query:headers:body:within:clock:)``.
    ///   - query: As there.
    ///   - headers: As there.
    ///   - body: As there.
    ///   - times: How many there have to be; nil for one or more.
    /// - Throws: ``Mismatch`` with what has come, and how those differ that are most like it.
    public func verify(
        _ method: RequestMethod, _ path: String, where condition: RequestCondition = .always,
        query: KeyValuePairs<String, String>? = nil, headers: HeaderFields = [:],
        body: MockBody? = nil, times: Int? = nil
    ) throws(Mismatch) {
        let expectation = RequestExpectation(
            method, path, where: condition, query: query, headers: headers, body: body)
        let requests = requests
        let count = requests.count { expectation.matches($0) }
        guard times.map({ $0 == count }) ?? (count > 0) else {
            let wanted = times.map { "\($0) times" } ?? "at least once"
            let closest = count == 0 ? Self.closest(to: expectation, among: requests) : ""
            throw Mismatch("expected \(expectation.name) \(wanted), and it came \(count) times\n\(journey)\(closest)")
        }
    }

    /// Looks for a request with a value as its JSON.
    ///
    /// - Throws: As ``verify(_:_:where:query:headers:body:times:)`` does, and what the encoder throws.
    public func verify(
        _ method: RequestMethod, _ path: String, where condition: RequestCondition = .always,
        query: KeyValuePairs<String, String>? = nil, headers: HeaderFields = [:],
        json value: some Encodable, encoder: some DataEncoder = FastJSONEncoder(), times: Int? = nil
    ) throws {
        let body = try MockBody.json(encodable: value, encoder: encoder)
        try verify(method, path, where: condition, query: query, headers: headers, body: body, times: times)
    }

    /// Makes sure that every request so far has been taken, by ``takeRequest(within:clock:)`` or by an expectation.
    ///
    /// - Throws: ``Mismatch`` with those that have not.
    public func verifyNoMoreRequests() throws(Mismatch) {
        let more = journal.untaken
        guard !more.isEmpty else { return }
        let count = more.count == 1 ? "1 request was" : "\(more.count) requests were"
        throw Mismatch("\(count) not expected\n\(Journal.list(more))", request: more.first)
    }

    /// What has come so far, for an error.
    var journey: String { journal.summary }

    /// How the request differs that differs in the fewest lines; nothing when there is none.
    private static func closest(to expectation: RequestExpectation, among requests: [MockRequest]) -> String {
        let differences = requests.suffix(100).map { expectation.difference(from: $0) }
        guard let closest = differences.min(by: { $0.changeCount < $1.changeCount }) else { return "" }
        return "\nthe one most like it:\n\(closest)"
    }
}
