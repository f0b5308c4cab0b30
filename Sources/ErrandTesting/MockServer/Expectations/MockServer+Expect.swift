public import Errand

extension MockServer {
    /// Takes the next request, which has to be this one; waits for it when it has not come yet.
    ///
    /// ```swift
    /// try await server.expect(.get, "/books", query: ["author": "Le Guin"], headers: ["Accept": "application/json"])
    /// try await server.expect(.post, "/books/:id/tags", body: .text("novel"))
    /// try await server.expect(.get, "/books", where: .any(of: .query("page"), .query("cursor")))
    /// ```
    ///
    /// It throws and asserts nothing, so it serves Swift Testing and XCTest alike.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path, which may have `:name` and `*` in it as a route may.
    ///   - condition: What else it has to be like; the parameters of `path` are in ``MockRequest/parameters``.
    ///   - query: All the items of the query, those of one name in their order; nil for any. An item without a value has
    ///     an empty one.
    ///   - headers: Fields that it has, each with all of its values; others do not count.
    ///   - body: The body; nil for any.
    ///   - limit: How long it is waited for; ten seconds by default.
    ///   - clock: The clock that measures this.
    /// - Returns: The request.
    /// - Throws: ``Mismatch`` with what is different, the request being taken all the same, or when none came in time;
    ///   `CancellationError` and ``MockServerError/stopped`` as ``takeRequest(within:clock:)`` does.
    @discardableResult
    public func expect(
        _ method: RequestMethod, _ path: String, where condition: RequestCondition = .always,
        query: KeyValuePairs<String, String>? = nil, headers: HeaderFields = [:],
        body: MockBody? = nil, within limit: Duration = .seconds(10), clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> MockRequest {
        let expectation = RequestExpectation(
            method, path, where: condition, query: query, headers: headers, body: body)
        guard let request = try await journal.takeRequest(within: limit, clock: clock) else {
            throw Mismatch("expected \(expectation.name), and no request came within \(limit)\n\(journey)")
        }
        guard expectation.matches(request) else {
            throw Mismatch(
                "the next request is not the one expected, \(expectation.name)\n\(expectation.difference(from: request))",
                request: request)
        }
        return request
    }

    /// Takes the next request, which has to be this one, with a value as its JSON.
    ///
    /// ```swift
    /// try await server.expect(.post, "/books", json: Book(id: 1, title: "Malafrena"))
    /// ```
    ///
    /// - Throws: As ``expect(_:_:where:query:headers:body:within:clock:)`` does, and what the encoder throws.
    @discardableResult
    public func expect(
        _ method: RequestMethod, _ path: String, where condition: RequestCondition = .always,
        query: KeyValuePairs<String, String>? = nil, headers: HeaderFields = [:],
        json value: some Encodable, encoder: some DataEncoder = FastJSONEncoder(),
        within limit: Duration = .seconds(10),
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> MockRequest {
        let body = try MockBody.json(encodable: value, encoder: encoder)
        return try await expect(
            method, path, where: condition, query: query, headers: headers, body: body, within: limit, clock: clock)
    }
}
