public import Errand

/// Stubs for a whole API: responses by route, in place of the network, for all requests of a test.
///
/// ```swift
/// let stubs = RouteStubs()
/// stubs.on(.get, "/books", .json(books))
/// stubs.on(.get, "/books/:id") { request in .json(book(request.parameters["id"])) }
/// stubs.on(.post, "/books", inTurn: [.failure(.networkConnectionLost), .status(503), .json(book)])
///
/// let books = try await stubs.run { try await BooksRequest(author: "Le Guin").start().value }
/// #expect(books.count == 2)
/// ```
///
/// The stubs respond to all requests that are started within ``run(_:)``, in its task and its child tasks; nothing is
/// sent. The requests pass through their own interceptors as usual, so retries, tokens and caches treat the stubs like
/// a server. Other tests that run concurrently are not affected. A request with its own stub does not use these stubs.
///
/// A request that no stub matches fails with `ErrandError.Code.unexpectedRequest`, and with `stubsExhausted` if all
/// matching stubs are used up. The end of ``run(_:)`` then fails too, even if the code under test catches the error. It
/// also fails if a stub was used less often than its `times` require.
///
/// Instead of ``run(_:)``, the stubs can be the `session` of a request, a class or a service, or the last of its
/// `interceptors`. In this case, call ``verify()`` at the end of the test.
public final class RouteStubs: Sendable {
    /// The clock for the delays of responses.
    public let clock: any Clock<Duration>
    /// The path before every pattern.
    let basePath: String
    /// Whether the stubs know the URL of their API.
    let hasBaseURL: Bool
    /// The condition of every stub.
    private let baseCondition: RequestCondition
    /// Guards the stubs, their use counts and the unexpected requests.
    private let table = Locked(StubTable())
    let journal = Journal()

    /// Creates an empty set of stubs.
    ///
    /// - Parameters:
    ///   - baseURL: The URL of the API. Only its host is stubbed, and only its port if it names one. Its path is put
    ///     before every pattern. Without it, patterns are complete paths, and all hosts are stubbed.
    ///   - clock: The clock for ``MockResponse/after(_:clock:)`` and for stalls. With a ``ManualClock``, they take no
    ///     real time.
    public init(baseURL: URL? = nil, clock: any Clock<Duration> = ContinuousClock()) {
        self.clock = clock
        let components = baseURL.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        let path = components?.percentEncodedPath ?? ""
        basePath = path.hasSuffix("/") ? String(path.dropLast()) : path
        hasBaseURL = baseURL != nil
        let port = components?.port.map { ":\($0)" } ?? ""
        baseCondition = components?.host.map { .host($0 + port) } ?? .always
    }

    /// The stubs that respond to the requests of the current task: `try #require(RouteStubs.current)`. It is `nil`
    /// outside of ``run(_:)``, or if something else takes the place of the network.
    public static var current: RouteStubs? { TestedTransport.current as? RouteStubs }

    /// Adds a stub for a route. If several stubs match a request, the one added last is used, unless it has been used
    /// as often as it may be.
    ///
    /// - Parameters:
    ///   - method: The method. A stub for GET does not match HEAD.
    ///   - pattern: Segments separated by slashes, as for a `MockServer`. `:name` matches any single segment that is
    ///     not empty. `*` as the last segment matches one or more segments; anywhere else it is a programming error.
    ///   - condition: A further condition for the request.
    ///   - response: The response for each request. Its body is used after content decoding, as a transport returns it.
    ///   - times: The number of requests; one or more by default.
    ///   - fileID: The file that creates the stub, for error messages, like the three parameters that follow.
    ///   - filePath: The path of that file.
    ///   - line: The line in that file.
    ///   - column: The column in that line.
    public func on(
        _ method: RequestMethod, _ pattern: String, where condition: RequestCondition = .always,
        _ response: MockResponse,
        times: StubTimes = .atLeastOnce, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) {
        add(
            method, pattern, condition, times, .handler { _ in response },
            StubPlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Adds a stub with one response for each of successive requests for a route. All of them must be used.
    ///
    /// A further request fails with `ErrandError.Code.stubsExhausted`, unless an earlier stub matches it. For the other
    /// parameters, see the stub with one response.
    public func on(
        _ method: RequestMethod, _ pattern: String, where condition: RequestCondition = .always,
        inTurn responses: [MockResponse], fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) {
        add(
            method, pattern, condition, .exactly(responses.count), .inTurn(responses),
            StubPlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Adds a stub for a route whose responses a closure returns. For the other parameters, see the stub with one
    /// response.
    ///
    /// The closure is called for each request in the request's task, concurrently for several requests. If it throws,
    /// the request fails as if the transport had thrown this error: a `URLError` counts as a network failure. It is
    /// cancelled with the request.
    public func on(
        _ method: RequestMethod, _ pattern: String, where condition: RequestCondition = .always,
        times: StubTimes = .atLeastOnce, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column, handler: @escaping MockHandler
    ) {
        add(
            method, pattern, condition, times, .handler(handler),
            StubPlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Adds the peer of WebSockets whose path matches a pattern.
    package func add(
        webSocket peer: any Transport, _ pattern: String, _ condition: RequestCondition, _ times: StubTimes,
        _ place: StubPlace
    ) {
        add(.get, pattern, condition, times, .webSocket(peer), place)
    }

    func add(
        _ method: RequestMethod, _ pattern: String, _ condition: RequestCondition, _ times: StubTimes,
        _ response: RouteStub.Response, _ place: StubPlace, of operation: RouteStub.Operation? = nil
    ) {
        let relative = pattern.hasPrefix("/") ? pattern : "/\(pattern)"
        let stub = RouteStub(
            method: method, pattern: RoutePattern(basePath + relative), condition: [baseCondition, condition],
            times: times, response: response, place: place, operation: operation)
        table.withLock { $0.add(stub) }
    }
}

// The test's side.
extension RouteStubs {
    /// Runs a closure whose requests these stubs respond to, and then checks that all stubs were used as required.
    ///
    /// The stubs apply to the calling task, its child tasks and tasks that it creates with `Task { }`, but not to
    /// `Task.detached`. The task that starts a request with `start()`, `schedule()` or a similar call decides, no
    /// matter which task awaits it. A nested scope replaces the outer one.
    ///
    /// - Throws: ``StubFailure`` if stubs were not used as required. If `body` throws, its error, or a ``StubFailure``
    ///   with it if requests came that no stub can respond to.
    public func run<Value>(_ body: () async throws -> Value) async throws -> Value {
        let value: Value
        do {
            value = try await scope(body)
        } catch {
            throw failure(after: error)
        }
        try verify()
        return value
    }

    /// Runs a closure without a check at its end.
    package func scope<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await asTestNetwork { try await body() }
    }

    /// Checks that all stubs were used as required so far.
    ///
    /// - Throws: ``StubFailure`` for requests that no stub can respond to, and for stubs that were not used often
    ///   enough.
    public func verify() throws(StubFailure) {
        let problems = problems
        if !problems.isEmpty { throw StubFailure(problems: problems, underlyingError: nil) }
    }

    /// The problems so far: requests that no stub can respond to, and stubs that were not used often enough.
    public var problems: [StubFailure.Problem] { table.withLock { $0.problems } }

    /// Returns the error of a test that failed by itself. Unexpected requests may be the cause, so they are added;
    /// unused stubs are probably a consequence, so they are not.
    private func failure(after error: any Error) -> any Error {
        let unexpected = problems.filter { $0.kind == .unexpectedRequest }
        if unexpected.isEmpty { return error }
        return StubFailure(problems: unexpected, underlyingError: error)
    }
}

// The network's side.
extension RouteStubs {
    /// Finds the stub for a request, and counts its use.
    ///
    /// - Returns: The stub, the number of its earlier uses, and the request with its parameters.
    /// - Throws: ``/Errand/ErrandError`` if no stub can be used.
    func useStub(
        for request: MockRequest, forWebSocket: Bool
    ) throws(ErrandError) -> (stub: RouteStub, turn: Int, request: MockRequest) {
        let stubs = table.withLock { $0.stubs }
        var matches: [(index: Int, request: MockRequest)] = []
        for (index, stub) in stubs.enumerated() {
            guard let match = stub.match(request, forWebSocket: forWebSocket) else { continue }
            matches.insert((index, match), at: 0)
        }
        let indices = matches.map(\.index)
        switch table.withLock({ $0.use(indices) }) {
        case .use(let index, let turn):
            let match = matches.first { $0.index == index }?.request ?? request
            journal.record(match)
            return (stubs[index], turn, match)
        case .usedUp:
            journal.record(matches.first?.request ?? request)
            let refusal = StubRefusal(
                of: request, forWebSocket: forWebSocket, stubs: stubs, usedUp: indices.map { stubs[$0] })
            throw refuse(refusal.code, refusal.reason)
        }
    }

    /// Creates the error for a request, and records it for the end of the test.
    func refuse(_ code: ErrandError.Code, _ reason: String) -> ErrandError {
        table.withLock { $0.refuse(reason) }
        return ErrandError(code, reason: reason)
    }
}
