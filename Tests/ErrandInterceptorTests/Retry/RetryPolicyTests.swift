import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `A retry policy` {
    @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
    func `a temporary error status is retried`(_ status: Int) async throws {
        let request = Retried()
        request.respond(status, status, 200)
        let response = try await request.start().value
        #expect(response.statusCode == 200)
        #expect(response.attempts == 3)
    }

    @Test(arguments: [400, 401, 403, 404, 409, 501, 505])
    func `any other status is returned without a retry`(_ status: Int) async throws {
        let request = Retried()
        request.respond(status, 200)
        let response = try await request.start().value
        #expect(response.statusCode == status)
        #expect(response.attempts == 1)
    }

    @Test func `a retry policy can set its status codes, but success codes are never retried`() async throws {
        var policy = RetryPolicy.immediate
        policy.statusCodes = [202, 404]
        let request = Retried(policy)
        request.respond(404, 202, 200)
        #expect(try await request.start().value.statusCode == 202)
        request.respond(503, 200)
        #expect(try await request.start().value.statusCode == 503)
    }

    @Test(arguments: [
        URLError.Code.cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .networkConnectionLost,
        .notConnectedToInternet, .timedOut,
    ])
    func `a temporary transport failure is retried`(_ code: URLError.Code) async throws {
        let request = Retried()
        request.dataTaskPipeline = request.stub(inTurn: [
            request.stub(error: URLError(code)),
            request.stub(error: TransportFailure(URLError(code), metrics: TransferMetrics())),
            request.stubResponse(statusCode: 200),
        ])
        #expect(try await request.start().value.attempts == 3)
    }

    @Test(arguments: [URLError.Code.serverCertificateUntrusted, .badURL, .httpTooManyRedirects, .unknown])
    func `a permanent transport failure is not retried`(_ code: URLError.Code) async throws {
        let request = Retried()
        request.dataTaskPipeline = request.stub(error: URLError(code))
        let error = await expectFailure(.transportFailed) { try await request.start().value }
        #expect(error?.attempts == 1)
    }

    @Test func `an error of another interceptor is thrown unchanged without a retry`() async throws {
        struct Failing: Interceptor {
            let journal: Recorder<Int>
            func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
                journal.record(1)
                throw Fault.first
            }
        }
        let request = Retried()
        let failing = Failing(journal: Recorder())
        request.interceptors = [failing]
        await #expect(throws: Fault.first) { try await request.start().value }
        #expect(failing.journal.elements.count == 1)
    }

    @Test(arguments: [(3, 3), (1, 1), (0, 1), (-5, 1)])
    func `the last response is returned after the maximum number of attempts`(
        _ maximum: Int, _ expected: Int
    ) async throws {
        let request = Retried(RetryPolicy(backoff: .immediate, maximumAttempts: maximum))
        request.dataTaskPipeline = request.stubResponse(statusCode: 503)
        let response = try await request.start().value
        #expect(response.statusCode == 503)
        #expect(response.attempts == expected)
    }

    @Test func `each run of a pipeline has its own attempts`() async throws {
        let request = Retried()
        request.dataTaskPipeline = request.stubResponse(statusCode: 503)
        let pipeline = request.start()
        #expect(try await pipeline.value.attempts == 3)
        #expect(try await pipeline.value.attempts == 3)
    }

    @Test func `a retry waits for its backoff`() async throws {
        let request = Retried(.exponential(base: .seconds(1)))
        request.dataTaskPipeline = request.stubResponse(statusCode: 503)
        let pipeline = request.start()
        let task = Task { try await pipeline.value }
        for seconds in [1, 2] {
            try await request.clock.waitForSleepers()
            request.clock.advance(by: .seconds(seconds) - .nanoseconds(1))
            #expect(request.clock.sleeperCount == 1)
            request.clock.advance(by: .nanoseconds(1))
        }
        #expect(try await task.value.attempts == 3)
    }

    @Test(arguments: [
        ["Retry-After": "7"], ["Retry-After": "Sun, 06 Nov 1994 08:49:44 GMT"], ["RateLimit": "\"a\";r=0;t=7"],
        ["Retry-After": "7", "RateLimit": "\"a\";r=0;t=30"], ["X-RateLimit-Reset": "7"],
    ])
    func `a retry waits for the time that the server sends`(_ fields: [String: String]) async throws {
        let request = Retried(.constant(.seconds(1)))
        request.retryPolicy?.now = { Date(timeIntervalSince1970: 784_111_777) }
        request.respond(429, 200, headers: HeaderFields(fields.map { HeaderFields.Field($0.key, $0.value) }))
        let pipeline = request.start()
        let task = Task { try await pipeline.value }
        try await request.clock.waitForSleepers()
        request.clock.advance(by: .seconds(7) - .nanoseconds(1))
        #expect(request.clock.sleeperCount == 1)
        request.clock.advance(by: .nanoseconds(1))
        #expect(try await task.value.statusCode == 200)
    }

    @Test(arguments: ["soon", "-7"])
    func `an invalid Retry-After is ignored by a retry`(_ value: String) async throws {
        let request = Retried(.constant(.seconds(1)))
        request.respond(503, 200, headers: ["Retry-After": value])
        let pipeline = request.start()
        let task = Task { try await pipeline.value }
        try await request.clock.waitForSleepers()
        request.clock.advance(by: .seconds(1) - .nanoseconds(1))
        #expect(request.clock.sleeperCount == 1)
        request.clock.advance(by: .nanoseconds(1))
        #expect(try await task.value.statusCode == 200)
    }

    @Test(arguments: ["61", "999999999999", "99999999999999999999999"])
    func `a request is not retried if the server requires a wait above the maximum`(
        _ value: String
    ) async throws {
        let request = Retried()
        request.dataTaskPipeline = request.stubResponse(statusCode: 503, headers: ["Retry-After": value])
        let pipeline = request.start().validateStatusCode(in: [200])
        let error = await expectFailure(.unacceptableStatusCode) { try await pipeline.value }
        #expect(error?.attempts == 1)
        #expect(
            error?.reason
                == "the status is 503, not 200; "
                + "not sent again, since the server asks for a longer wait than `maximumServerWait`")
        #expect(request.clock.now.offset == .zero)
    }

    @Test func `a maximum server wait of zero ignores Retry-After`() async throws {
        let request = Retried()
        request.retryPolicy?.maximumServerWait = .zero
        request.respond(503, 200, headers: ["Retry-After": "7"])
        #expect(try await request.start().value.statusCode == 200)
        #expect(request.clock.now.offset == .zero)
    }

    @Test func `a request is not retried beyond the maximum total wait`() async throws {
        let request = Retried()
        request.retryPolicy?.maximumTotalWait = .seconds(6)
        request.dataTaskPipeline = request.stubResponse(statusCode: 503, headers: ["Retry-After": "7"])
        let pipeline = request.start().validateStatusCode(in: [200])
        let error = await expectFailure(.unacceptableStatusCode) { try await pipeline.value }
        #expect(
            error?.reason == "the status is 503, not 200; "
                + "not sent again, since the waits would exceed `maximumTotalWait`")
    }

    @Test(arguments: [RequestMethod.post, .patch, "PURGE"])
    func `a request that is not idempotent is not retried`(_ method: RequestMethod) async throws {
        let request = Retried(method: method)
        request.respond(503, 200)
        let response = try await request.start().value
        #expect(response.statusCode == 503)
        #expect(response.attempts == 1)
    }

    @Test func `the error of a request that is not sent again for its method names the method`() async {
        let request = Retried(method: .post)
        request.acceptedStatusCodes = .successful
        request.respond(503, 200)
        let error = await expectFailure(.unacceptableStatusCode) { try await request.start().value }
        #expect(
            error?.reason == "the status is 503, not 200 to 299; not sent again, since the policy's `methods` do not "
                + "contain POST: see `addsIdempotencyKey`")
    }

    @Test(arguments: [RequestMethod.get, .head, .options, .put, .delete, "TRACE"])
    func `an idempotent request is retried`(_ method: RequestMethod) async throws {
        let request = Retried(method: method)
        request.respond(503, 200)
        #expect(try await request.start().value.attempts == 2)
    }

    @Test func `a policy reports each failed attempt that is followed by another, with the wait`() async throws {
        let request = Retried(.constant(.seconds(2)))
        let reports = Recorder<(Int, Int?, Duration)>()
        request.retryPolicy?.onRetry = { attempt, wait in
            reports.record((attempt.number, attempt.response?.statusCode, wait))
        }
        request.respond(503, 500, 502)
        let pipeline = request.start()
        let task = Task { try await pipeline.value }
        for _ in 1...2 {
            try await request.clock.waitForSleepers()
            request.clock.advance(by: .seconds(2))
        }
        #expect(try await task.value.statusCode == 502)
        #expect(reports.elements.map(\.0) == [1, 2])
        #expect(reports.elements.map(\.1) == [503, 500])
        #expect(reports.elements.map(\.2) == [.seconds(2), .seconds(2)])
    }

    @Test func `a policy reports nothing if no other attempt follows`() async throws {
        let reports = Recorder<Int>()
        func attempts(_ change: (Retried) -> Void) async throws -> Int {
            let request = Retried(.constant(.seconds(2)))
            request.retryPolicy?.onRetry = { attempt, _ in reports.record(attempt.number) }
            request.respond(503, 200)
            change(request)
            return try await request.start().value.attempts
        }
        #expect(try await attempts { $0.retryPolicy?.budget = RetryBudget(capacity: 0) } == 1)
        #expect(try await attempts { $0.retryPolicy?.maximumTotalWait = .seconds(1) } == 1)
        #expect(try await attempts { $0.resourceTimeout = Duration.seconds(1) } == 1)
        #expect(try await attempts { $0.method = .post } == 1)
        #expect(reports.elements.isEmpty)
    }

    @Test func `a request with an idempotency key is retried`() async throws {
        let request = Retried(method: .post)
        request.headers["idempotency-key"] = "\"mine\""
        request.retryPolicy?.addsIdempotencyKey = true
        let transport = ScriptedTransport(503, 200)
        request.session = transport
        #expect(try await request.start().value.attempts == 2)
        #expect(transport.values(of: "Idempotency-Key") == ["\"mine\"", "\"mine\""])
    }

    @Test func `a generated idempotency key is the same for all attempts of a request`() async throws {
        let request = Retried(method: .post)
        request.retryPolicy?.addsIdempotencyKey = true
        let transport = ScriptedTransport(503, 503, 200)
        request.session = transport
        #expect(try await request.start().value.attempts == 3)
        _ = try await request.start().value
        let keys = transport.values(of: "Idempotency-Key").compactMap(\.self)
        #expect(keys.count == 4)
        #expect(Set(keys.prefix(3)).count == 1)
        #expect(Set(keys).count == 2)
        let key = try #require(keys.first)
        #expect(UUID(uuidString: String(key.dropFirst().dropLast())) != nil)
        #expect(key.hasPrefix("\"") && key.hasSuffix("\""))
    }

    @Test func `no idempotency key is added to an idempotent request`() async throws {
        let request = Retried()
        request.retryPolicy?.addsIdempotencyKey = true
        let transport = ScriptedTransport(503, 200)
        request.session = transport
        _ = try await request.start().value
        #expect(transport.values(of: "Idempotency-Key") == [nil, nil])
    }

    @Test(arguments: [true, false])
    func `a request with a one-time body is not retried, and the error explains why`(_ hasResponse: Bool) async throws {
        let request = Retried(method: .put)
        let budget = RetryBudget(capacity: 5)
        request.retryPolicy?.budget = budget
        request.body = .stream(BodyStream(InputStream(data: Data("once".utf8)), count: 4))
        request.dataTaskPipeline =
            hasResponse
            ? request.stubResponse(statusCode: 503) : request.stub(error: URLError(.networkConnectionLost))
        let pipeline = request.start().validateStatusCode(in: [200])
        let code: ErrandError.Code = hasResponse ? .unacceptableStatusCode : .transportFailed
        let error = await expectFailure(code) { try await pipeline.value }
        #expect(error?.attempts == 1)
        #expect(error?.reason?.contains("can be read only once") == true, "\(error as Any)")
        #expect(budget.tokens == 5)
    }

    @Test func `a request with a file body is retried`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("again".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let request = Retried(method: .put)
        request.body = .file(file)
        request.respond(503, 200)
        #expect(try await request.start().value.attempts == 2)
    }

    @Test func `the retry policy of a service replaces that of the class`() async throws {
        let request = Retried()
        request.dataTaskPipeline = request.stubResponse(statusCode: 503)
        #expect(try await request.schedule(with: APIService()).value.attempts == 3)
        #expect(try await request.schedule(with: APIService(retryPolicy: .never)).value.attempts == 1)
        let five = RetryPolicy(backoff: .immediate, maximumAttempts: 5)
        #expect(try await request.schedule(with: APIService(retryPolicy: five)).value.attempts == 5)
    }
}
