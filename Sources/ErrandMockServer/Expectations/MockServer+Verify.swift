public import Errand
public import ErrandTesting

extension MockServer {
    /// Checks that a request is among the requests so far, in any order, taken or not. It takes none.
    ///
    /// ```swift
    /// try server.verify(.get, "/books", times: 1)
    /// try server.verify(.delete, "/books/:id", times: 0)
    /// ```
    ///
    /// A request is recorded before the server responds, so this can be called when the client has its responses.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path. It may contain `:name` and `*`, as the pattern of a route.
    ///   - condition: As for ``expect(_:_:where:query:headers:body:within:clock:)``.
    ///   - query: As for that function.
    ///   - headers: As for that function.
    ///   - body: As for that function.
    ///   - times: The required number of such requests; `nil`, the default, for one or more.
    /// - Throws: ``/ErrandTesting/MockMismatch``, which lists the requests so far and the differences of the most
    ///   similar one.
    public func verify(
        _ method: RequestMethod, _ path: String, where condition: RequestCondition = .always,
        query: KeyValuePairs<String, String>? = nil, headers: HeaderFields = [:],
        body: MockBody? = nil, times: Int? = nil
    ) throws(MockMismatch) {
        let expectation = RequestExpectation(
            method, path, where: condition, query: query, headers: headers, body: body)
        let requests = requests
        let count = requests.count { expectation.matches($0) }
        guard times.map({ $0 == count }) ?? (count > 0) else {
            let wanted = times.map { "\($0) times" } ?? "at least once"
            let closest = count == 0 ? Self.closest(to: expectation, among: requests) : ""
            throw MockMismatch(
                "expected \(expectation.name) \(wanted), but it was received \(count) times\n\(journal.summary)\(closest)"
            )
        }
    }

    /// Checks that a request whose body is a value as JSON is among the requests so far.
    ///
    /// - Throws: As ``verify(_:_:where:query:headers:body:times:)``, and the errors of the encoder.
    public func verify(
        _ method: RequestMethod, _ path: String, where condition: RequestCondition = .always,
        query: KeyValuePairs<String, String>? = nil, headers: HeaderFields = [:],
        json value: some Encodable, encoder: some DataEncoder = FastJSONEncoder(), times: Int? = nil
    ) throws {
        let body = try MockBody.json(encodable: value, encoder: encoder)
        try verify(method, path, where: condition, query: query, headers: headers, body: body, times: times)
    }

    /// Checks that all requests so far have been taken, by ``takeRequest(within:clock:)`` or by an expectation.
    ///
    /// - Throws: ``/ErrandTesting/MockMismatch``, which lists the others.
    public func verifyNoMoreRequests() throws(MockMismatch) {
        let more = journal.untaken
        guard !more.isEmpty else { return }
        let count = more.count == 1 ? "1 request was" : "\(more.count) requests were"
        throw MockMismatch("\(count) not expected\n\(Journal.list(more))", request: more.first)
    }

    /// The differences of the request that differs in the fewest lines; empty if there are no requests.
    private static func closest(to expectation: RequestExpectation, among requests: [MockRequest]) -> String {
        let differences = requests.suffix(100).map { expectation.difference(from: $0) }
        guard let closest = differences.min(by: { $0.changeCount < $1.changeCount }) else { return "" }
        return "\nthe most similar request:\n\(closest)"
    }
}
