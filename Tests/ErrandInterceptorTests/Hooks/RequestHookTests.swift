import ErrandTesting
import TestSupport
import Testing

@testable import Errand

@Suite(.hangGuard) struct `A hook` {
    /// Records the calls of the hook.
    private struct Noting: RequestHook {
        let journal = Recorder<String>()
        let durations = Recorder<Duration>()

        func willSend(_ request: TransportRequest) async throws -> DataResponse? {
            journal.record("will \(request)")
            return nil
        }

        func didReceive(_ head: ResponseHead, for request: TransportRequest, duration: Duration) async throws {
            journal.record("did \(request) \(head.statusCode) \(head.attempts)")
            durations.record(duration)
        }

        func didFail(_ error: any Error, for request: TransportRequest, duration: Duration) async throws {
            journal.record("failed \(error)")
            durations.record(duration)
        }
    }

    private struct Responding: RequestHook {
        let journal = Recorder<String>()

        func willSend(_ request: TransportRequest) async throws -> DataResponse? {
            DataResponse(statusCode: 203, data: Data("demo".utf8))
        }

        func didReceive(_ head: ResponseHead, for request: TransportRequest, duration: Duration) async throws {
            journal.record("received")
        }
    }

    /// Throws at one of the three places.
    private struct Throwing: RequestHook {
        enum Place: CaseIterable {
            case before
            case after
            case failure
        }

        let place: Place
        let journal = Recorder<Place>()

        func willSend(_ request: TransportRequest) async throws -> DataResponse? {
            journal.record(.before)
            if place == .before { throw Fault.first }
            return nil
        }

        func didReceive(_ head: ResponseHead, for request: TransportRequest, duration: Duration) async throws {
            journal.record(.after)
            if place == .after { throw Fault.first }
        }

        func didFail(_ error: any Error, for request: TransportRequest, duration: Duration) async throws {
            journal.record(.failure)
            if place == .failure { throw Fault.first }
        }
    }

    /// Waits at a gate, in one of the three places.
    private struct Slow: RequestHook {
        let place: Throwing.Place
        let gate = Gate()

        func willSend(_ request: TransportRequest) async throws -> DataResponse? {
            if place == .before { try await gate.pass() }
            return nil
        }

        func didReceive(_ head: ResponseHead, for request: TransportRequest, duration: Duration) async throws {
            if place == .after { try await gate.pass() }
        }

        func didFail(_ error: any Error, for request: TransportRequest, duration: Duration) async throws {
            if place == .failure { try await gate.pass() }
        }
    }

    @Test func `a hook is called once per request, whatever the number of attempts`() async throws {
        let hook = Noting()
        let request = Retried()
        request.hook = hook
        request.respond(503, 503, 200)
        _ = try await request.start().value
        #expect(
            hook.journal.elements == [
                "will GET https://api.example.com/users", "did GET https://api.example.com/users 200 3",
            ])
    }

    @Test func `a hook receives responses with any status`() async throws {
        let hook = Noting()
        let request = Retried(.never)
        request.hook = hook
        request.respond(404)
        let pipeline = request.start().validateStatusCode(in: [200])
        await expectFailure(.unacceptableStatusCode) { try await pipeline.value }
        #expect(hook.journal.elements.last == "did GET https://api.example.com/users 404 1")
    }

    @Test func `a hook receives the error that the caller receives`() async throws {
        let hook = Noting()
        let request = Retried()
        request.hook = hook
        request.dataTaskPipeline = request.stub(error: URLError(.cannotFindHost))
        let error = await expectFailure(.transportFailed) { try await request.start().value }
        #expect(hook.journal.elements.count == 2)
        #expect(hook.journal.elements.last == error.map { "failed \($0)" })
        #expect(error?.attempts == 3)
    }

    @Test(arguments: [200, 0])
    func `the duration passed to a hook includes attempts and waits`(_ status: Int) async throws {
        let hook = Noting()
        let request = Retried(.constant(.seconds(2)))
        request.interceptors = [
            HookInterceptor(hook, clock: request.clock), RetryInterceptor(try #require(request.retryPolicy)),
        ]
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
        #expect(hook.durations.elements == [.seconds(2)])
    }

    @Test func `a hook can measure durations with its own clock`() async throws {
        struct Timing: RequestHook {
            let clock: any Clock<Duration>
            let durations = Recorder<Duration>()
            func didReceive(_ head: ResponseHead, for request: TransportRequest, duration: Duration) async throws {
                durations.record(duration)
            }
        }
        let request = Retried(.constant(.seconds(2)))
        let hook = Timing(clock: request.clock)
        request.hook = hook
        request.respond(503, 200)
        let pipeline = request.start()
        let task = Task { await pipeline.result }
        try await request.clock.waitForSleepers()
        request.clock.advance(by: .seconds(2))
        _ = await task.value
        #expect(hook.durations.elements == [.seconds(2)])
    }

    @Test func `a hook receives the metrics and the URL of the response`() async throws {
        struct Measuring: RequestHook {
            let heads = Recorder<ResponseHead>()
            func didReceive(_ head: ResponseHead, for request: TransportRequest, duration: Duration) async throws {
                heads.record(head)
            }
        }
        let hook = Measuring()
        let request = Retried()
        var response = DataResponse(statusCode: 200, headers: ["ETag": "\"1\""])
        var metrics = TransferMetrics()
        metrics.bytesReceived = 7
        response.metrics = metrics
        request.hook = hook
        request.session = RecordingTransport(response: response)
        _ = try await request.start().value
        let head = try #require(hook.heads.elements.first)
        #expect(head.metrics?.bytesReceived == 7)
        #expect(head.headers["etag"] == "\"1\"")
        #expect(head.url?.path == "/users")
    }

    @Test func `a hook can respond in place of the server, and does not receive its own response`() async throws {
        let hook = Responding()
        let transport = RecordingTransport()
        let request = Retried()
        request.hook = hook
        request.session = transport
        let response = try await request.start().value
        #expect(response.statusCode == 203)
        #expect(response.source == .interceptor)
        #expect(response.attempts == 0)
        #expect(response.url?.host == "api.example.com")
        #expect(response.method == .get)
        #expect(transport.sent.elements.isEmpty)
        #expect(hook.journal.elements.isEmpty)
    }

    @Test func `the response of a hook is validated like any other`() async throws {
        let request = Retried()
        request.hook = Responding()
        let pipeline = request.start().validateStatusCode(in: [200])
        let error = await expectFailure(.unacceptableStatusCode) { try await pipeline.value }
        #expect(error?.attempts == 0)
    }

    @Test(arguments: Throwing.Place.allCases)
    private func `an error thrown by a hook fails the request`(_ place: Throwing.Place) async throws {
        let hook = Throwing(place: place)
        let transport = RecordingTransport()
        let request = Retried(.never)
        request.hook = hook
        request.session = transport
        if place == .failure { request.dataTaskPipeline = request.stub(error: URLError(.badURL)) }
        await #expect(throws: Fault.first) { try await request.start().value }
        #expect(transport.sent.elements.count == (place == .after ? 1 : 0))
        #expect(hook.journal.elements == (place == .before ? [.before] : [.before, place]))
    }

    @Test(arguments: Throwing.Place.allCases)
    private func `a slow hook delays its request but not the cancellation`(_ place: Throwing.Place) async throws {
        for isCancelled in [true, false] {
            let hook = Slow(place: place)
            let request = Retried(.never)
            request.hook = hook
            request.dataTaskPipeline =
                place == .failure
                ? request.stub(error: URLError(.badURL)) : request.stubResponse(statusCode: 200)
            let pipeline = request.start()
            let task = Task { try await pipeline.value }
            try await hook.gate.waitForArrivals(1)
            if isCancelled {
                task.cancel()
                let error = await expectFailure(.cancelled) { try await task.value }
                #expect(error?.url?.host == "api.example.com")
            } else {
                hook.gate.open()
                #expect((try? await task.value) != nil || place == .failure)
            }
        }
    }

    @Test func `a hook receives a cancellation, and the caller does not wait for the hook`() async throws {
        struct Late: RequestHook {
            let errors: AsyncStream<any Error>.Continuation
            let gate = Gate()
            func didFail(_ error: any Error, for request: TransportRequest, duration: Duration) async throws {
                errors.yield(error)
                try await gate.pass()
                errors.finish()
            }
        }
        let (failures, errors) = AsyncStream.makeStream(of: (any Error).self)
        let hook = Late(errors: errors)
        let gate = Gate()
        let request = Retried()
        request.hook = hook
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
        hook.gate.open()
        #expect(await iterator.next() == nil)
    }

    @Test func `a hook receives streamed responses and can respond to them`() async throws {
        let next = Next { _ in
            DataResponse(statusCode: 200, headers: [:], body: ResponseBody(Data("sent".utf8)))
        }
        let request = TransportRequest(URLRequest(url: URL(filePath: "/")))
        let noting = Noting()
        let sent = try await HookInterceptor(noting).intercept(request, next: next)
        #expect(noting.journal.elements.last?.contains("200") == true)
        let hookResponse = try await HookInterceptor(Responding()).intercept(request, next: next)
        #expect(hookResponse.source == .interceptor)
        for (response, text) in [(sent, "sent"), (hookResponse, "demo")] {
            var body = Data()
            for try await piece in response.body { body += piece }
            #expect(body == Data(text.utf8))
        }
    }

    @Test func `a hook runs before the asynchronous header fields are added`() async throws {
        struct Looking: RequestHook {
            let fields = Recorder<String?>()
            func willSend(_ request: TransportRequest) async throws -> DataResponse? {
                fields.record(request.urlRequest.value(forHTTPHeaderField: "X-Token"))
                return nil
            }
        }
        let hook = Looking()
        let calls = Recorder<Int>()
        let transport = ScriptedTransport(503, 200)
        let request = Retried()
        request.hook = hook
        request.session = transport
        request.asynchronousHeaders = {
            calls.record(1)
            return ["X-Token": "\(calls.elements.count)"]
        }
        _ = try await request.start().value
        #expect(hook.fields.elements == [nil])
        #expect(transport.values(of: "X-Token") == ["1", "2"])
    }

    @Test func `the hook of a service replaces that of the class`() async throws {
        let own = Noting()
        let others = Noting()
        let request = Retried()
        request.hook = own
        request.dataTaskPipeline = request.stubResponse(statusCode: 200)
        _ = try await request.schedule(with: APIService(hook: others)).value
        #expect(own.journal.elements.isEmpty)
        #expect(others.journal.elements.count == 2)
        _ = try await request.schedule(with: APIService()).value
        #expect(own.journal.elements.count == 2)
    }
}
