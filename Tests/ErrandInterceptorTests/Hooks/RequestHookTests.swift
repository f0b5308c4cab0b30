import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `A hook` {
    /// Records the calls of the hook.
    private struct Noting {
        let journal = Recorder<String>()
        let durations = Recorder<Duration>()
        var clock: any Clock<Duration> = ContinuousClock()

        var hook: RequestHook {
            RequestHook(
                clock: clock,
                willSend: { request in
                    journal.record("will \(request)")
                    return nil
                },
                didEnd: { outcome in
                    durations.record(outcome.duration)
                    switch outcome.result {
                    case .success: journal.record("did \(outcome) \(outcome.head?.attempts ?? -1)")
                    case .failure(let error): journal.record("failed \(error)")
                    }
                })
        }
    }

    private func responding(_ journal: Recorder<String> = Recorder()) -> RequestHook {
        RequestHook(
            willSend: { _ in DataResponse(statusCode: 203, data: Data("demo".utf8)) },
            didEnd: { outcome in journal.record("\(outcome)") })
    }

    /// Throws, or waits at a gate, at one of its ends.
    private enum Place: CaseIterable {
        case before
        case after
        case failure
    }

    private func slow(_ place: Place, _ gate: Gate) -> RequestHook {
        RequestHook(
            willSend: { _ in
                if place == .before { try await gate.pass() }
                return nil
            },
            didEnd: { _ in
                if place != .before { try? await gate.pass() }
            })
    }

    @Test func `a hook is called once per request, whatever the number of attempts`() async throws {
        let noting = Noting()
        let request = Retried()
        request.hook = noting.hook
        request.respond(503, 503, 200)
        _ = try await request.start().value
        #expect(
            noting.journal.elements == [
                "will GET https://api.example.com/users", "did GET https://api.example.com/users: 200 3",
            ])
    }

    @Test func `a hook receives responses with any status`() async throws {
        let noting = Noting()
        let request = Retried(.never)
        request.hook = noting.hook
        request.respond(404)
        let pipeline = request.start().validateStatusCode(in: [200])
        await expectFailure(.unacceptableStatusCode) { try await pipeline.value }
        #expect(noting.journal.elements.last == "did GET https://api.example.com/users: 404 1")
    }

    @Test func `a hook receives the error that the caller receives`() async throws {
        let noting = Noting()
        let request = Retried()
        request.hook = noting.hook
        request.dataTaskPipeline = request.stub(error: URLError(.cannotFindHost))
        let error = await expectFailure(.transportFailed) { try await request.start().value }
        #expect(noting.journal.elements.count == 2)
        #expect(noting.journal.elements.last == error.map { "failed \($0)" })
        #expect(error?.attempts == 3)
    }

    @Test(arguments: [200, 0])
    func `the duration passed to a hook includes attempts and waits`(_ status: Int) async throws {
        let request = Retried(.constant(.seconds(2)))
        let noting = Noting(clock: request.clock)
        request.interceptors = [noting.hook.asInterceptor(), RetryInterceptor(try #require(request.retryPolicy))]
        request.retryPolicy = nil
        let failing = request.stub(error: URLError(.timedOut))
        request.dataTaskPipeline = request.stub(inTurn: [
            failing, status == 200 ? request.stubResponse(statusCode: status) : request.stub(error: URLError(.badURL)),
        ])
        let pipeline = request.start()
        let task = Task { await pipeline.result }
        try await request.clock.waitForSleepers()
        request.clock.advance(by: .seconds(2))
        _ = await task.value
        #expect(noting.durations.elements == [.seconds(2)])
    }

    @Test func `a hook can measure durations with its own clock`() async throws {
        let request = Retried(.constant(.seconds(2)))
        let durations = Recorder<Duration>()
        request.hook = RequestHook(clock: request.clock, didEnd: { durations.record($0.duration) })
        request.respond(503, 200)
        let pipeline = request.start()
        let task = Task { await pipeline.result }
        try await request.clock.waitForSleepers()
        request.clock.advance(by: .seconds(2))
        _ = await task.value
        #expect(durations.elements == [.seconds(2)])
    }

    @Test func `a hook receives the metrics and the URL of the response`() async throws {
        let heads = Recorder<ResponseHead?>()
        let request = Retried()
        var response = DataResponse(statusCode: 200, headers: ["ETag": "\"1\""])
        var metrics = TransferMetrics()
        metrics.bytesReceived = 7
        response.metrics = metrics
        request.hook = RequestHook(didEnd: { heads.record($0.head) })
        request.session = RecordingTransport(response: response)
        _ = try await request.start().value
        let head = try #require(heads.elements.first ?? nil)
        #expect(head.metrics?.bytesReceived == 7)
        #expect(head.headers["etag"] == "\"1\"")
        #expect(head.url?.path == "/users")
    }

    @Test func `a hook can respond in place of the server`() async throws {
        let journal = Recorder<String>()
        let transport = RecordingTransport()
        let request = Retried()
        request.hook = responding(journal)
        request.session = transport
        let response = try await request.start().value
        #expect(response.statusCode == 203)
        #expect(response.source == .interceptor)
        #expect(response.attempts == 0)
        #expect(response.url?.host == "api.example.com")
        #expect(response.method == .get)
        #expect(transport.sent.elements.isEmpty)
        #expect(journal.elements == ["GET https://api.example.com/users: 203"])
    }

    @Test func `the response of a hook is validated like any other`() async throws {
        let request = Retried()
        request.hook = responding()
        let pipeline = request.start().validateStatusCode(in: [200])
        let error = await expectFailure(.unacceptableStatusCode) { try await pipeline.value }
        #expect(error?.attempts == 0)
    }

    @Test func `an error thrown by a hook fails the request`() async throws {
        let transport = RecordingTransport()
        let request = Retried(.never)
        request.hook = RequestHook(willSend: { _ in throw Fault.first })
        request.session = transport
        await #expect(throws: Fault.first) { try await request.start().value }
        #expect(transport.sent.elements.isEmpty)
    }

    @Test(arguments: Place.allCases)
    private func `a slow hook delays its request but not the cancellation`(_ place: Place) async throws {
        for isCancelled in [true, false] {
            let gate = Gate()
            let request = Retried(.never)
            request.hook = slow(place, gate)
            request.dataTaskPipeline =
                place == .failure
                ? request.stub(error: URLError(.badURL)) : request.stubResponse(statusCode: 200)
            let pipeline = request.start()
            let task = Task { try await pipeline.value }
            try await gate.waitForArrivals(1)
            if isCancelled {
                task.cancel()
                let error = await expectFailure(.cancelled) { try await task.value }
                #expect(error?.url?.host == "api.example.com")
            } else {
                gate.open()
                #expect((try? await task.value) != nil || place == .failure)
            }
        }
    }

    @Test func `a hook receives a cancellation, and the caller does not wait for the hook`() async throws {
        let (failures, errors) = AsyncStream.makeStream(of: (any Error).self)
        let gate = Gate()
        let end = Gate()
        let request = Retried()
        request.hook = RequestHook(didEnd: { outcome in
            if case .failure(let error) = outcome.result { errors.yield(error) }
            try? await end.pass()
            errors.finish()
        })
        request.dataTaskPipeline = Pipeline {
            try await gate.pass()
            return DataResponse(statusCode: 200)
        }
        let pipeline = request.start()
        let task = Task { try await pipeline.value }
        try await gate.waitForArrivals(1)
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        var iterator = failures.makeAsyncIterator()
        #expect(await iterator.next()?.isCancellation == true)
        end.open()
        #expect(await iterator.next() == nil)
    }

    @Test func `a cancellation while a hook runs does not cancel the hook`() async throws {
        let (states, isCancelled) = AsyncStream.makeStream(of: Bool.self)
        let end = Gate()
        let request = Retried()
        request.hook = RequestHook(didEnd: { _ in
            try? await end.pass()
            isCancelled.yield(Task.isCancelled)
        })
        request.dataTaskPipeline = .just(DataResponse(statusCode: 200))
        let pipeline = request.start()
        let task = Task { try await pipeline.value }
        try await end.waitForArrivals(1)
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        end.open()
        var iterator = states.makeAsyncIterator()
        #expect(await iterator.next() == false)
    }

    @Test func `a hook receives streamed responses and can respond to them`() async throws {
        let next = Next { _ in
            DataResponse(statusCode: 200, headers: [:], body: ResponseBody(Data("sent".utf8)))
        }
        let request = TransportRequest(URLRequest(url: URL(filePath: "/")))
        let noting = Noting()
        let sent = try await noting.hook.asInterceptor().intercept(request, next: next)
        #expect(noting.journal.elements.last?.contains("200") == true)
        let hookResponse = try await responding().asInterceptor().intercept(request, next: next)
        #expect(hookResponse.source == .interceptor)
        for (response, text) in [(sent, "sent"), (hookResponse, "demo")] {
            var body = Data()
            for try await piece in response.body { body += piece }
            #expect(body == Data(text.utf8))
        }
    }

    @Test func `a hook runs before the asynchronous header fields are added`() async throws {
        let fields = Recorder<String?>()
        let calls = Recorder<Int>()
        let transport = ScriptedTransport(503, 200)
        let request = Retried()
        request.hook = RequestHook(willSend: { request in
            fields.record(request.urlRequest.value(forHTTPHeaderField: "X-Token"))
            return nil
        })
        request.session = transport
        request.asynchronousHeaders = {
            calls.record(1)
            return ["X-Token": "\(calls.elements.count)"]
        }
        _ = try await request.start().value
        #expect(fields.elements == [nil])
        #expect(transport.values(of: "X-Token") == ["1", "2"])
    }

    @Test func `the hook of a service replaces that of the class`() async throws {
        let own = Noting()
        let others = Noting()
        let request = Retried()
        request.hook = own.hook
        request.dataTaskPipeline = request.stubResponse(statusCode: 200)
        _ = try await request.schedule(with: APIService(hook: others.hook)).value
        #expect(own.journal.elements.isEmpty)
        #expect(others.journal.elements.count == 2)
        _ = try await request.schedule(with: APIService()).value
        #expect(own.journal.elements.count == 2)
    }

    /// Records each outcome in short.
    private struct Outcomes {
        let values = Recorder<String>()

        var hook: RequestHook { RequestHook(didEnd: record) }

        @Sendable private func record(_ outcome: RequestOutcome) {
            let place = outcome.request == nil ? "unbuilt " : ""
            let status = outcome.head.map { "\($0.statusCode) " } ?? ""
            switch outcome.result {
            case .success(let value as DataResponse): values.record("\(place)\(status)response \(value.data.count)")
            case .success(let value as ResponseHead): values.record("\(place)\(status)head \(value.statusCode)")
            case .success(let value as DownloadedFile): values.record("\(place)\(status)file \(value.byteCount)")
            case .success(let value): values.record("\(place)\(status)\(value)")
            case .failure(let error as ErrandError): values.record("\(place)\(status)\(error.code)")
            case .failure(let error): values.record("\(place)\(status)\(type(of: error))")
            }
        }
    }

    private final class Number: APIBase, Request, StreamingRequest {
        init(_ outcomes: Outcomes, _ statusCode: Int, _ body: String) {
            super.init()
            baseURL = URL(string: "https://api.example.com")
            self.hook = outcomes.hook
            acceptedStatusCodes = .successful
            dataTaskPipeline = stubResponse(statusCode: statusCode, data: Data(body.utf8))
        }

        func start() -> Pipeline<Int, any Error> { sendRequest().decode(Int.self) }
        func startStream() -> ResponseStream { sendStream() }
    }

    @Test(
        arguments: [
            (200, "7", "200 7", "200 response 1", "200 head 200"),
            (200, "x", "200 decodingFailed", "200 response 1", "200 head 200"),
            (404, "7", "404 unacceptableStatusCode", "404 unacceptableStatusCode", "404 unacceptableStatusCode"),
        ])
    func `a hook receives the outcome of what starts the request, once`(
        _ statusCode: Int, _ body: String, _ scheduled: String, _ started: String, _ streamed: String
    ) async throws {
        let outcomes = Outcomes()
        let request = Number(outcomes, statusCode, body)
        _ = await request.schedule().result
        #expect(outcomes.values.elements == [scheduled])
        _ = await request.schedule(with: APIService()).result
        #expect(outcomes.values.elements == [scheduled, scheduled])
        _ = await request.start().result
        #expect(outcomes.values.elements.last == started)
        try? await request.startStream().reduce(into: ()) { _, _ in }
        #expect(outcomes.values.elements.last == streamed)
        #expect(outcomes.values.elements.count == 4)
        let service = APIService(baseURL: "https://api.example.com", hook: outcomes.hook)
        let stub = request.stubResponse(statusCode: statusCode, data: Data(body.utf8))
        _ = await service.send(.get(as: Int.self), stub: stub).result
        #expect(outcomes.values.elements.last == scheduled)
        _ = await service.send(.get(), stub: stub).result
        #expect(outcomes.values.elements.last == (statusCode == 404 ? scheduled : "200 ()"))
        #expect(outcomes.values.elements.count == 6)
    }

    @Test func `a hook receives the failure of a request that could not be built, and of a transport`() async throws {
        let outcomes = Outcomes()
        let request = Number(outcomes, 200, "7")
        request.path = "/a?b"
        _ = await request.schedule().result
        _ = await request.start().result
        request.path = "/a"
        request.dataTaskPipeline = request.stub(error: URLError(.cannotFindHost))
        _ = await request.schedule().result
        #expect(outcomes.values.elements == ["unbuilt invalidURL", "unbuilt invalidURL", "transportFailed"])
    }

    @Test func `a hook receives the file of a download`() async throws {
        let target = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: target) }
        let outcomes = Outcomes()
        let stubs = RouteStubs()
        stubs.on(.get, "/file", .text("seven b"))
        try await stubs.run { () async throws in
            let service = APIService(baseURL: "https://api.example.com", hook: outcomes.hook)
            _ = try await Endpoint<Void>.get("/file").scheduleDownload(to: target, with: service).value
        }
        #expect(outcomes.values.elements == ["200 file 7"])
    }
}
