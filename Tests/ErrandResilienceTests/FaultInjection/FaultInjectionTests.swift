import Errand
import ErrandResilience
import ErrandTesting
import TestSupport
import Testing

/// Requests through a fault injection, whose server responds with ten bytes.
struct `Injected faults` {
    private let clock = ManualClock()
    private let entries = Recorder<LogEntry>()
    private let sent = Recorder<TransportRequest>()

    private func faults(
        _ faults: KeyValuePairs<FaultInjection.Fault, Double>, seed: UInt64 = 1,
        isAffected: @escaping @Sendable (TransportRequest) -> Bool = { _ in true }
    ) -> FaultInjection {
        let injection = FaultInjection(
            faults, seed: seed, clock: clock, isAffected: isAffected, sink: { [entries] in entries.record($0) })
        injection.isEnabled = true
        return injection
    }

    private func send(
        through injection: FaultInjection, _ request: TransportRequest = limitedRequest()
    ) async throws -> DataResponse {
        try await injection.intercept(
            request,
            next: Next { [sent] request in
                sent.record(request)
                guard request.streamsResponse else {
                    return DataResponse(statusCode: 200, data: Data("0123456789".utf8))
                }
                let pieces = Data("0123456789".utf8).map { Data([$0]) }
                var response = DataResponse(statusCode: 200)
                response.body = Self.stream(of: pieces)
                return response
            })
    }

    private static func stream(of pieces: [Data]) -> ResponseBody {
        let left = Locked(pieces[...])
        return ResponseBody { left.withLock { $0.popFirst() } }
    }

    private static func streaming() -> TransportRequest {
        var request = limitedRequest()
        request.streamsResponse = true
        return request
    }

    /// Returns the bytes that arrive before a body ends or fails, and the failure.
    private static func read(_ response: DataResponse) async -> (text: String, error: (any Error)?) {
        var data = Data()
        do {
            for try await piece in response.body { data += piece }
            return (String(decoding: data, as: UTF8.self), nil)
        } catch {
            return (String(decoding: data, as: UTF8.self), error)
        }
    }

    @Test func `faults are off until they are enabled, and can be disabled again`() async throws {
        let injection = FaultInjection([.status(503): 1], sink: { [entries] in entries.record($0) })
        #expect(!injection.isEnabled)
        #expect(try await send(through: injection).statusCode == 200)
        injection.isEnabled = true
        #expect(try await send(through: injection).statusCode == 503)
        injection.isEnabled = false
        #expect(try await send(through: injection).statusCode == 200)
        #expect(entries.elements.count == 1)
    }

    @Test func `an injected failure has the code of a network failure, and says that it is injected`() async throws {
        let injection = faults([.failure(.cannotConnectToHost): 1])
        let error = await #expect(throws: ErrandError.self) { try await send(through: injection) }
        #expect(error?.code == .transportFailed)
        #expect((error?.underlyingError as? URLError)?.code == .cannotConnectToHost)
        #expect(error?.reason == "injected fault: failure(URLError -1004)")
        #expect(error?.url?.host == "api.example.com")
        #expect(sent.elements.isEmpty)
    }

    @Test func `an injected timeout is a timeout`() async throws {
        let error = await #expect(throws: ErrandError.self) {
            try await send(through: faults([.failure(.timedOut): 1]))
        }
        #expect(error?.code == .timedOut)
    }

    @Test func `an injected response replaces the server's`() async throws {
        let response = try await send(
            through: faults([.status(503, headers: ["Retry-After": "2"], data: Data("busy".utf8)): 1]))
        #expect(response.statusCode == 503)
        #expect(response.headers["Retry-After"] == "2")
        #expect(response.data == Data("busy".utf8))
        let document = try await send(through: faults([.json(#"{"id":1}"#, statusCode: 409): 1]))
        #expect(document.statusCode == 409)
        #expect(try document.decode([String: Int].self) == ["id": 1])
        #expect(sent.elements.isEmpty)
    }

    @Test func `a delay takes its time from the request's`() async throws {
        let injection = faults([.after(.seconds(2)): 1])
        async let response = send(through: injection, limitedRequest(resourceTimeout: .seconds(5)))
        try await clock.waitForSleeper(until: .init(offset: .seconds(2)))
        #expect(sent.elements.isEmpty)
        clock.advance(by: .seconds(2))
        #expect(try await response.statusCode == 200)
        #expect(sent.elements.map(\.resourceTimeout) == [.seconds(3)])
    }

    @Test(arguments: [
        (latency: Duration.seconds(60), timeout: nil as Duration?, end: Duration.seconds(60)),
        (.seconds(3600), nil, .seconds(60)),
        (.seconds(3600), .seconds(4), .seconds(4)),
    ])
    func `a delay that is not shorter than a timeout of the request ends with that timeout`(
        _ example: (latency: Duration, timeout: Duration?, end: Duration)
    ) async throws {
        let injection = faults([.after(example.latency): 1])
        let response = Task { try await send(through: injection, limitedRequest(resourceTimeout: example.timeout)) }
        try await clock.waitForSleeper(until: .init(offset: example.end))
        clock.advance(by: example.end)
        let error = await #expect(throws: ErrandError.self) { try await response.value }
        #expect(error?.code == .timedOut)
        #expect(sent.elements.isEmpty)
    }

    @Test func `a cancelled delay fails as cancelled, and sends nothing`() async throws {
        let injection = faults([.after(.seconds(2)): 1])
        let task = Task { try await send(through: injection) }
        try await clock.waitForSleepers()
        task.cancel()
        let error = await #expect(throws: ErrandError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(error?.reason == nil)
        #expect(sent.elements.isEmpty)
    }

    @Test(arguments: [
        (count: 4, text: "0123", isCut: true), (0, "", true), (-1, "", true), (9, "012345678", true),
        (10, "0123456789", false), (.max, "0123456789", false),
    ])
    func `a cut body ends after its bytes, unless it is not longer`(
        _ example: (count: Int, text: String, isCut: Bool)
    ) async throws {
        let injection = faults([.closeInBody(after: example.count): 1])
        let (text, error) = await Self.read(try await send(through: injection, Self.streaming()))
        #expect(text == example.text)
        #expect(
            ((error as? ErrandError)?.underlyingError as? URLError)?.code
                == (example.isCut ? .networkConnectionLost : nil))

        let collected = Task { try await send(through: injection) }
        switch await collected.result {
        case .success(let response): #expect(!example.isCut && response.data.count == 10)
        case .failure(let error): #expect(example.isCut && (error as? ErrandError)?.code == .transportFailed)
        }
        // The server received both.
        #expect(sent.elements.count == 2)
    }

    @Test func `a cut falls inside a piece of the body`() async throws {
        var response = DataResponse(statusCode: 200)
        response.body = Self.stream(of: [Data("0123".utf8), Data("4567".utf8), Data("89".utf8)])
        let cut = try await faults([.closeInBody(after: 6): 1]).intercept(
            Self.streaming(), next: Next { [response] _ in response })
        let (text, error) = await Self.read(cut)
        #expect(text == "012345")
        #expect((error as? ErrandError)?.reason == "injected fault: closeInBody(after: 6)")
    }

    @Test func `the delays add up, and then one of the other faults takes effect`() async throws {
        let injection = faults([
            .status(503): 1, .failure(.timedOut): 1, .after(.seconds(1)): 1, .after(.seconds(2)): 1,
        ])
        async let response = send(through: injection)
        try await clock.waitForSleeper(until: .init(offset: .seconds(3)))
        clock.advance(by: .seconds(3))
        #expect(try await response.statusCode == 503)
        #expect(
            entries.elements.map(\.errorDescription) == [
                "injected fault: after(1.0 seconds)", "injected fault: after(2.0 seconds)",
                "injected fault: status(503)",
            ])
    }

    @Test func `delays that together are not shorter than the timeout end with it`() async throws {
        let injection = faults([.after(.seconds(50)): 1, .after(.seconds(10)): 1])
        let response = Task { try await send(through: injection) }
        try await clock.waitForSleeper(until: .init(offset: .seconds(60)))
        clock.advance(by: .seconds(60))
        let error = await #expect(throws: ErrandError.self) { try await response.value }
        #expect(error?.code == .timedOut)
        #expect(sent.elements.isEmpty)
    }

    @Test(arguments: [TimeInterval.infinity, .greatestFiniteMagnitude, 1e300])
    func `a delay accepts every timeout of a request`(_ timeout: TimeInterval) async throws {
        let injection = faults([.after(.seconds(1)): 1])
        var request = limitedRequest()
        request.urlRequest.timeoutInterval = timeout
        let response = Task { [request] in try await send(through: injection, request) }
        try await clock.waitForSleeper(until: .init(offset: .seconds(1)))
        clock.advance(by: .seconds(1))
        #expect(try await response.value.statusCode == 200)
    }

    @Test func `a cut releases the original body`() async throws {
        final class Token: Sendable {}
        var token: Token? = Token()
        weak let released = token
        var response = DataResponse(statusCode: 200)
        response.body = ResponseBody { [token] in
            _ = token
            return Data("0123456789".utf8)
        }
        let cut = try await faults([.closeInBody(after: 3): 1]).intercept(
            Self.streaming(), next: Next { [response] _ in response })
        token = nil
        response = DataResponse(statusCode: 200)
        #expect(released != nil)
        _ = await Self.read(cut)
        #expect(released == nil)
        #expect(cut.statusCode == 200)
    }

    @Test(arguments: [(0.0, 0), (-1, 0), (.nan, 0), (1, 1000), (7, 1000)])
    func `a share outside 0 to 1 counts as the nearest bound, and NaN as 0`(_ share: Double, _ count: Int) async throws
    {
        let injection = faults([.status(503): share])
        for _ in 0..<1000 { _ = try await send(through: injection) }
        #expect(entries.elements.count == count)
    }

    @Test func `each fault meets its own share of the requests`() async throws {
        let injection = faults([.status(503): 0.2, .status(500): 0.1])
        var counts: [Int: Int] = [:]
        for _ in 0..<10_000 { counts[try await send(through: injection).statusCode, default: 0] += 1 }
        #expect(1850...2150 ~= counts[503, default: 0])
        // Where both are drawn, the first takes effect: a tenth of four fifths remain.
        #expect(700...900 ~= counts[500, default: 0])
    }

    @Test func `the same seed draws the same faults`() async throws {
        func statuses(_ seed: UInt64) async throws -> [Int] {
            let injection = faults([.status(503): 0.5], seed: seed)
            var statuses: [Int] = []
            for _ in 0..<100 { statuses.append(try await send(through: injection).statusCode) }
            return statuses
        }
        #expect(try await statuses(7) == statuses(7))
        #expect(try await statuses(7) != statuses(8))
    }

    @Test func `a request that may not be affected meets no fault, and changes no draw`() async throws {
        let injection = faults([.status(503): 0.5]) { $0.urlRequest.url?.host == "api.example.com" }
        let alone = faults([.status(503): 0.5])
        for _ in 0..<100 {
            #expect(try await send(through: injection, limitedRequest("https://other.example.com/")).statusCode == 200)
            #expect(try await send(through: injection).statusCode == send(through: alone).statusCode)
        }
    }

    @Test func `each fault is an entry of the log, without secrets`() async throws {
        let logging = LoggingInterceptor(
            level: .error, sink: { [entries] in entries.record($0) }, requestID: { _ in "r1" })
        let fault = FaultInjection.Fault.status(503, headers: ["X-Secret": "hush"], data: Data("hush".utf8))
        let next = Next { _ in DataResponse(statusCode: 200) }.preceded(by: [logging, faults([fault: 1])])
        _ = try await next(limitedRequest("https://user:hush@api.example.com/users?token=hush"))
        let entry = try #require(entries.elements.first)
        #expect(entries.elements.count == 1)
        #expect(entry.event == .fault)
        #expect(entry.level == .notice)
        #expect(
            entry.description
                == "[r1] ~~ GET https://api.example.com/users?token=***: injected fault: status(503)")
        #expect(!"\(fault)".contains("hush"))
    }

    @Test func `a retry and a circuit breaker before the faults see them as failures of the server`() async throws {
        let breaker = CircuitBreaker(tripping: .consecutiveFailures(3))
        var policy = RetryPolicy.immediate
        policy.clock = clock
        let next = Next { _ in DataResponse(statusCode: 200) }
            .preceded(by: [RetryInterceptor(policy), breaker, faults([.failure(.networkConnectionLost): 1])])
        await #expect(throws: ErrandError.self) { try await next(limitedRequest()) }
        #expect(entries.elements.map(\.attempt) == [1, 2, 3])
        let refused = await #expect(throws: ErrandError.self) { try await next(limitedRequest()) }
        #expect(refused?.code == .circuitOpen)
    }
}
