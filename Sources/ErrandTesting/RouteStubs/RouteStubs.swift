public import Errand

/// Stubs for a whole API: what answers each route, in place of the network, for every request of a test.
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
/// All requests that are started within ``run(_:)``, in its task and the children of that, are answered here and never sent.
/// They pass their own interceptors as ever: retries, tokens and caches see the stubs as they would see a server. Other
/// tests, which run at the same time, see nothing of it. A request that has a stub of its own keeps it.
///
/// A request that no stub is for fails with `ErrandError.Code.unexpectedRequest`, and the end of ``run(_:)``
/// fails too, also where somebody has swallowed the error. So it does for stubs that were not asked as often as they say.
///
/// Instead of ``run(_:)``, it can be the `session` of a request, a class or a service, or the last of its `interceptors`:
/// then call ``verify()`` at the end of the test.
public final class RouteStubs: Sendable {
    /// Who tells the time that answers take.
    public let clock: any Clock<Duration>
    /// What stands in front of every pattern.
    private let basePath: String
    /// What every stub wants of a request.
    private let baseCondition: RequestCondition
    /// Guards the stubs, how often each was asked, and what came unexpected.
    private let table = Locked(StubTable())
    let journal = Journal()

    /// No stubs yet.
    ///
    /// - Parameters:
    ///   - baseURL: Where the API is: its host is the only one that is stubbed, and its path stands in front of every
    ///     pattern. Without one, patterns are whole paths, and any host will do.
    ///   - clock: Who tells the time of ``MockResponse/after(_:clock:)``, and how long a server may stall. With a
    ///     ``ManualClock``, it takes no time.
    public init(baseURL: URL? = nil, clock: any Clock<Duration> = ContinuousClock()) {
        self.clock = clock
        let components = baseURL.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        let path = components?.percentEncodedPath ?? ""
        basePath = path.hasSuffix("/") ? String(path.dropLast()) : path
        let port = components?.port.map { ":\($0)" } ?? ""
        baseCondition = components?.host.map { .host($0 + port) } ?? .always
    }

    /// The stubs that answer the requests of this task; nil outside of ``run(_:)``, and where something else is the network.
    public static var current: RouteStubs? { TaskContext.current.testNetwork as? RouteStubs }

    /// Answers a route; of several stubs for a request, the latest is taken that has not been asked often enough.
    ///
    /// - Parameters:
    ///   - method: The method; HEAD is not answered by a stub for GET.
    ///   - pattern: As of a ``MockServer``: segments between slashes. `:name` matches any one segment that is not empty; `*`,
    ///     as the last, matches one or more, and anywhere else is a programmer's error.
    ///   - condition: What else the request has to be like.
    ///   - response: What answers, each time. The body is as a transport gives it: with its content coding undone.
    ///   - times: How often it is to be asked; once or more by default.
    ///   - fileID: Where the stub is made, for the failure that names it; so are the three that follow.
    ///   - filePath: The path of that file.
    ///   - line: The line there.
    ///   - column: The column there.
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

    /// Answers successive requests for a route with one response each; each of them has to be asked for.
    ///
    /// One request more fails with `ErrandError.Code.stubsExhausted`, unless there is an earlier stub for it.
    /// The other parameters are those of the stub with one response.
    public func on(
        _ method: RequestMethod, _ pattern: String, where condition: RequestCondition = .always,
        inTurn responses: [MockResponse], fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) {
        add(
            method, pattern, condition, .exactly(responses.count), .inTurn(responses),
            StubPlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Answers a route with what a closure gives. The other parameters are those of the stub with one response.
    ///
    /// The closure is called for each request, in its task, for several at once. What it throws, the request fails with, as if
    /// the transport had thrown it: a `URLError` looks like the network. It is cancelled with the request.
    public func on(
        _ method: RequestMethod, _ pattern: String, where condition: RequestCondition = .always,
        times: StubTimes = .atLeastOnce, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column, handler: @escaping MockServer.Handler
    ) {
        add(
            method, pattern, condition, times, .handler(handler),
            StubPlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Opens WebSockets whose path matches a pattern, with a stub for the other side.
    ///
    /// - Parameters:
    ///   - pattern: As for HTTP.
    ///   - condition: What else the request for the upgrade has to be like.
    ///   - stub: The other side: `request.stubWebSocket { peer in … }` and its kind.
    ///   - times: How many connections there are to be.
    ///   - fileID: Where the stub is made, for the failure that names it; so are the three that follow.
    ///   - filePath: The path of that file.
    ///   - line: The line there.
    ///   - column: The column there.
    public func webSocket(
        _ pattern: String, where condition: RequestCondition = .always, _ stub: WebSocketStub,
        times: StubTimes = .atLeastOnce, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) {
        add(
            .get, pattern, condition, times, .webSocket(stub),
            StubPlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Opens WebSockets whose path matches a pattern, and serves them.
    ///
    /// The closure is called for each connection, with the server's end of it, outside of the test's task. When it returns or
    /// throws, the connection is cut. The other parameters are those of the one with a stub; a stub is needed for refusals,
    /// subprotocols and compression.
    public func webSocket(
        _ pattern: String, where condition: RequestCondition = .always, times: StubTimes = .atLeastOnce,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
        serve: @escaping @Sendable (WebSocketPeer) async throws -> Void
    ) {
        add(
            .get, pattern, condition, times, .webSocket(StubMaker().stubWebSocket(serve: serve)),
            StubPlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    private func add(
        _ method: RequestMethod, _ pattern: String, _ condition: RequestCondition, _ times: StubTimes,
        _ answer: RouteStub.Answer, _ place: StubPlace
    ) {
        let relative = pattern.hasPrefix("/") ? pattern : "/\(pattern)"
        let stub = RouteStub(
            method: method, pattern: RoutePattern(basePath + relative), condition: [baseCondition, condition],
            times: times, answer: answer, place: place)
        table.withLock { $0.add(stub) }
    }
}

// The test's side.
extension RouteStubs {
    /// Runs a test, whose requests are answered here, and looks at its end that everything was asked as it should be.
    ///
    /// It holds for the task that calls, for its child tasks and for tasks that it makes with `Task { }`; not for
    /// `Task.detached`. What counts is where a request is started, with `start()`, `schedule()` or the like: what was started
    /// here is answered here, wherever it is awaited. A scope in a scope takes its place.
    ///
    /// - Throws: What `body` throws; ``StubFailure`` where that is nothing, and where requests came that no stub is for.
    public func run<Value>(_ body: () async throws -> Value) async throws -> Value {
        let value: Value
        do {
            value = try await scope(body)
        } catch {
            throw failure(behind: error)
        }
        try verify()
        return value
    }

    /// Runs a test, and looks at nothing.
    package func scope<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await asTestNetwork { try await body() }
    }

    /// Looks whether everything was asked as it should be, by now.
    ///
    /// - Throws: ``StubFailure`` for requests that no stub is for, and for stubs that were asked too little.
    public func verify() throws(StubFailure) {
        let problems = problems
        if !problems.isEmpty { throw StubFailure(problems: problems, underlyingError: nil) }
    }

    /// What is wrong by now: requests that no stub is for, and stubs that were asked too little.
    public var problems: [StubFailure.Problem] { table.withLock { $0.problems } }

    /// What a test fails with that failed by itself: where something came unexpected, that may be why. Which stubs were not
    /// asked says nothing then.
    private func failure(behind error: any Error) -> any Error {
        let unexpected = problems.filter { $0.kind == .unexpectedRequest }
        if unexpected.isEmpty { return error }
        return StubFailure(problems: unexpected, underlyingError: error)
    }
}

// The network's side.
extension RouteStubs {
    /// Finds the stub for a request, and counts that it was asked.
    ///
    /// - Returns: The stub, how often it was asked before, and the request with its parameters.
    /// - Throws: ``ErrandError`` where there is none.
    func ask(
        _ request: MockRequest, forWebSocket: Bool
    ) throws(ErrandError) -> (stub: RouteStub, turn: Int, request: MockRequest) {
        journal.record(request)
        let stubs = table.withLock { $0.stubs }
        var matches: [(index: Int, request: MockRequest)] = []
        for (index, stub) in stubs.enumerated() {
            guard let match = stub.match(request, forWebSocket: forWebSocket) else { continue }
            matches.insert((index, match), at: 0)
        }
        let indices = matches.map(\.index)
        switch table.withLock({ $0.ask(indices) }) {
        case .answer(let index, let turn):
            return (stubs[index], turn, matches.first { $0.index == index }?.request ?? request)
        case .usedUp:
            let refusal = StubRefusal(
                of: request, forWebSocket: forWebSocket, stubs: stubs, usedUp: indices.map { stubs[$0] })
            throw refuse(refusal.code, refusal.reason)
        }
    }

    /// An error for a request, of which the end of the test is to know.
    func refuse(_ code: ErrandError.Code, _ reason: String) -> ErrandError {
        table.withLock { $0.refuse(reason) }
        return ErrandError(code, reason: reason)
    }
}

/// Whoever is stubbable can make the stub of a WebSocket.
private struct StubMaker: Stubbable {}
