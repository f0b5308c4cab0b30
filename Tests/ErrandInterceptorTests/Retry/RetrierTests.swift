import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `A retrier` {
    /// Records the failed attempts that it receives.
    private actor Counting: Retrier {
        private let attempts: Recorder<FailedAttempt>
        private var left = 2

        init(_ attempts: Recorder<FailedAttempt>) {
            self.attempts = attempts
        }

        func decide(after attempt: FailedAttempt) async -> RetryDecision {
            attempts.record(attempt)
            left -= 1
            return left >= 0 ? .retry : .stop(reason: "enough")
        }
    }

    @Test func `a retrier is created for each request and called after each failed attempt`() async throws {
        let attempts = Recorder<FailedAttempt>()
        let request = Retried(.never)
        request.interceptors = [RetryInterceptor { _ in Counting(attempts) }]
        request.respond(404, 500, 200, 409, 200)
        let pipeline = request.start()
        #expect(try await pipeline.value.statusCode == 200)
        #expect(attempts.elements.map(\.number) == [1, 2])
        #expect(attempts.elements.map { $0.response?.statusCode } == [404, 500])
        #expect(try await pipeline.value.statusCode == 200)
        #expect(attempts.elements.map(\.number) == [1, 2, 1])
    }

    @Test func `the reason of a retrier is added to the error`() async throws {
        let attempts = Recorder<FailedAttempt>()
        let request = Retried(.never)
        request.interceptors = [RetryInterceptor { _ in Counting(attempts) }]
        request.dataTaskPipeline = request.stub(error: URLError(.cannotFindHost))
        let error = await expectFailure(.transportFailed) { try await request.start().value }
        #expect(error?.reason == "no address was found for the host name; enough")
        #expect(error?.attempts == 3)
        #expect(attempts.elements.count == 3)
        #expect(attempts.elements.allSatisfy { ErrandError.Code.transportFailed ~= $0.error ?? Fault.first })
    }

    @Test func `a retrier is not called for responses that are not failures`() async throws {
        let attempts = Recorder<FailedAttempt>()
        let request = Retried(.never)
        request.interceptors = [RetryInterceptor { _ in Counting(attempts) }]
        request.respond(304)
        _ = try await request.start().value
        #expect(attempts.elements.isEmpty)
    }

    @Test func `a retrier receives a response whose media type is not accepted`() async throws {
        let attempts = Recorder<FailedAttempt>()
        let request = Retried(.never)
        request.acceptedContentTypes = [.json]
        request.interceptors = [RetryInterceptor { _ in Counting(attempts) }]
        request.dataTaskPipeline = request.stub(inTurn: [
            request.stubResponse(data: Data("<p>".utf8), headers: ["Content-Type": "text/html"]),
            request.stubJSONResponse(data: Data("{}".utf8)),
        ])
        #expect(try await request.start().value.attempts == 2)
        #expect(attempts.elements.map { $0.response?.headers["Content-Type"] } == ["text/html"])
    }

    @Test func `a policy does not repeat a request for its media type`() async throws {
        let request = Retried(.immediate)
        request.acceptedContentTypes = [.json]
        request.dataTaskPipeline = request.stubResponse(
            data: Data("<p>".utf8), headers: ["Content-Type": "text/html"])
        let error = await expectFailure(.unacceptableContentType) { try await request.start().value }
        #expect(error?.attempts == 1)
    }

    @Test func `a retrier is not called for a cancelled request`() async throws {
        let attempts = Recorder<FailedAttempt>()
        let request = Retried(.never)
        request.interceptors = [RetryInterceptor { _ in Counting(attempts) }]
        request.dataTaskPipeline = request.stub(error: URLError(.cancelled))
        let error = await expectFailure(.cancelled) { try await request.start().value }
        #expect(error?.attempts == 1)
        #expect(attempts.elements.isEmpty)
    }

    @Test func `a retrier waits on its own clock, and a negative wait is zero`() async throws {
        struct Waiting: Retrier {
            let wait: Duration
            func decide(after attempt: FailedAttempt) async -> RetryDecision { .retry(after: wait) }
        }
        let clock = ManualClock()
        let request = Retried(.never)
        request.interceptors = [RetryInterceptor(clock: clock) { _ in Waiting(wait: .seconds(3)) }]
        request.respond(500, 200)
        let pipeline = request.start()
        let task = Task { try await pipeline.value }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(3))
        #expect(try await task.value.statusCode == 200)

        request.interceptors = [RetryInterceptor(clock: clock) { _ in Waiting(wait: .seconds(-3)) }]
        request.respond(500, 200)
        #expect(try await request.start().value.statusCode == 200)
    }

    @Test func `a retrier cannot resend a one-time body or exceed the resource timeout`() async throws {
        struct Stubborn: Retrier {
            func decide(after attempt: FailedAttempt) async -> RetryDecision { .retry(after: .seconds(5)) }
        }
        let request = Retried(.never, method: .post)
        request.interceptors = [RetryInterceptor(clock: ManualClock()) { _ in Stubborn() }]
        request.body = .stream(BodyStream(InputStream(data: Data("once".utf8)), count: 4))
        request.dataTaskPipeline = request.stub(error: URLError(.networkConnectionLost))
        let once = await expectFailure(.transportFailed) { try await request.start().value }
        #expect(once?.reason?.contains("can be read only once") == true)

        request.body = .empty
        request.resourceTimeout = .seconds(5)
        let late = await expectFailure(.transportFailed) { try await request.start().value }
        #expect(late?.reason?.contains("leaves no time") == true)
    }

    @Test func `a retrier that ignores cancellation does not delay the caller`() async throws {
        struct IgnoringCancellation: Retrier {
            let called = Gate()
            let gate = Gate()
            func decide(after attempt: FailedAttempt) async -> RetryDecision {
                called.open()
                try? await called.pass()
                await Task { try? await gate.pass() }.value
                return .retry
            }
        }
        let retrier = IgnoringCancellation()
        let request = Retried(.never)
        request.interceptors = [RetryInterceptor { _ in retrier }]
        request.dataTaskPipeline = request.stubResponse(statusCode: 503)
        let pipeline = request.start()
        let task = Task { try await pipeline.value }
        try await retrier.called.waitForArrivals(1)
        task.cancel()
        // If code waits for the retrier nevertheless, the wait ends with the time limit of this test.
        let error = await withTaskCancellationHandler {
            await expectFailure(.cancelled) { try await task.value }
        } onCancel: {
            retrier.gate.open()
        }
        #expect(error?.attempts == 1)
        #expect(!Task.isCancelled)
        retrier.gate.open()
    }
}
