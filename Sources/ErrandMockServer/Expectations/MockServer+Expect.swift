public import Errand
public import ErrandTesting

extension MockServer {
    /// Takes the next request and compares it with the expected one. Waits if there is none.
    ///
    /// ```swift
    /// try await server.expect(.get, "/books", query: ["author": "Le Guin"], headers: ["Accept": "application/json"])
    /// try await server.expect(.post, "/books/:id/tags", body: .text("novel"))
    /// try await server.expect(.get, "/books", where: .any(of: .query("page"), .query("cursor")))
    /// ```
    ///
    /// A difference is thrown as an error, so this works with Swift Testing and XCTest.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path. It may contain `:name` and `*`, as the pattern of a route.
    ///   - condition: A further condition; the parameters of `path` are in ``/ErrandTesting/MockRequest/parameters``.
    ///   - query: All items of the query, those with the same name in order; `nil`, the default, for any query. An item
    ///     without a value has an empty one.
    ///   - headers: Required header fields, each with all of its values. Others are ignored.
    ///   - body: The body; `nil`, the default, for any body.
    ///   - limit: The longest wait; ten seconds by default.
    ///   - clock: The clock for the wait.
    /// - Returns: The request.
    /// - Throws: ``/ErrandTesting/MockMismatch`` if the request differs (it is taken nevertheless) or none comes in
    ///   time; `CancellationError` and ``MockServerError/stopped`` as ``takeRequest(within:clock:)``.
    @discardableResult
    public func expect(
        _ method: RequestMethod, _ path: String, where condition: RequestCondition = .always,
        query: KeyValuePairs<String, String>? = nil, headers: HeaderFields = [:],
        body: MockBody? = nil, within limit: Duration = .seconds(10), clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> MockRequest {
        let expectation = RequestExpectation(
            method, path, where: condition, query: query, headers: headers, body: body)
        let request = try await journal.takeRequest(
            within: limit, clock: clock, orFail: "expected \(expectation.name), but no request arrived")
        guard expectation.matches(request) else {
            throw MockMismatch(
                "the next request is not the one expected, \(expectation.name)\n\(expectation.difference(from: request))",
                request: request)
        }
        return request
    }

    /// Takes the next request and compares it with the expected one, whose body is a value as JSON.
    ///
    /// ```swift
    /// try await server.expect(.post, "/books", json: Book(id: 1, title: "Malafrena"))
    /// ```
    ///
    /// - Throws: As ``expect(_:_:where:query:headers:body:within:clock:)``, and the errors of the encoder.
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
