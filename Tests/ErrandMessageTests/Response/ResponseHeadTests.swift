import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `The head of a response that is arriving` {
    private final class Fetch: APIBase, Request {
        init(_ url: String = "https://api.example.com") {
            super.init()
            baseURL = URL(string: url)
        }
        func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
    }

    /// Sends another request, whose response is 204.
    private static func sendReport() async {
        let report = Fetch("https://reports.example.com")
        report.dataTaskPipeline = report.stubResponse(statusCode: 204)
        _ = try? await report.start().value
    }

    private let reporting = RequestHook(
        willSend: { _ in
            await sendReport()
            return nil
        },
        didEnd: { _ in await sendReport() })

    private struct Refusing: Interceptor {
        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            throw ErrandError(.notCached).with(request: request.urlRequest)
        }
    }

    @Test func `each response to an object has the head of its request`() async throws {
        let api = APIBase()
        api.baseURL = URL(string: "https://api.example.com")
        api.session = RecordingTransport()
        let (first, second) = (api.send(.get("/1", as: Data.self)), api.send(.get("/2", as: Data.self)))
        _ = try await (first.value, second.value)
        #expect(try await first.head?.url?.path == "/1")
        #expect(try await second.head?.url?.path == "/2")
    }

    @Test func `the head of a request sent by a hook is not reported as the head of the request`() async throws {
        let request = Fetch()
        request.hook = reporting
        request.dataTaskPipeline = request.stub(error: URLError(.cannotConnectToHost))
        await expectTransportFailure(.cannotConnectToHost) { try await request.schedule().head }
    }

    @Test func `the head of a request that a hook sends later is not reported`() async throws {
        let gate = Gate()
        let reports = Recorder<Task<Void, Never>>()
        let request = Fetch()
        request.hook = RequestHook(didEnd: { _ in
            reports.record(
                Task {
                    try? await gate.pass()
                    await Self.sendReport()
                })
        })
        request.dataTaskPipeline = request.stubResponse(statusCode: 200)
        let response = request.schedule()
        _ = try await response.value
        gate.open()
        for report in reports.elements { await report.value }
        #expect(reports.elements.count == 1)
        #expect(try await response.head?.statusCode == 200)
    }

    @Test func `the head of a request sent for asynchronous headers is not reported`() async throws {
        let request = Fetch()
        request.asynchronousHeaders = {
            await Self.sendReport()
            return ["X-Token": "1"]
        }
        request.interceptors = [Refusing()]
        await expectFailure(.notCached) { try await request.schedule().head }
    }

    @Test func `the head of the response is reported although a hook sends another request`() async throws {
        let request = Fetch()
        request.hook = reporting
        request.dataTaskPipeline = request.stubResponse(statusCode: 200)
        #expect(try await request.schedule().head?.url?.host == "api.example.com")
    }

    @Test func `the head of a 401 response is reported if no new token is available`() async throws {
        let request = Fetch()
        request.interceptors = [TokenAuthentication(token: AccessToken("old")) { _ in throw Fault.first }]
        request.dataTaskPipeline = request.stubResponse(statusCode: 401)
        let response = request.schedule()
        #expect(try await response.head?.statusCode == 401)
        await expectFailure(.tokenUnavailable) { try await response.value }
    }

    /// A request that waits between two attempts.
    private func retrying(_ clock: ManualClock) -> Fetch {
        let request = Fetch()
        var policy = RetryPolicy.constant(.seconds(10))
        policy.clock = clock
        request.retryPolicy = policy
        request.dataTaskPipeline = request.stub(inTurn: [
            request.stubResponse(statusCode: 503), request.stubResponse(statusCode: 200),
        ])
        return request
    }

    @Test func `a cancelled reader of the head fails, and other readers receive the head`() async throws {
        let clock = ManualClock()
        let response = retrying(clock).schedule()
        let (value, head) = (Task { try await response.value.statusCode }, Task { try await response.head?.statusCode })
        let leaving = Task { try await response.head }
        try await clock.waitForSleepers()
        leaving.cancel()
        await expectFailure(.cancelled) { try await leaving.value }
        clock.advance(by: .seconds(10))
        #expect(try await value.value == 200)
        #expect(try await head.value == 200)
    }

    @Test func `a reader of the head cancelled between two attempts fails with the service error`() async throws {
        struct Broken: Error {
            let cause: any Error
        }
        final class Trying: APIBase, Request {
            func start() -> Pipeline<DataResponse, any Error> {
                sendRequest().validateStatusCode(in: 200..<300).retry(1)
            }
        }
        let request = Trying()
        let gate = Gate()
        request.baseURL = URL(string: "https://api.example.com")
        request.dataTaskPipeline = request.stub(inTurn: [
            request.stubResponse(statusCode: 503),
            Pipeline { () async throws(any Error) in
                try await gate.pass()
                return DataResponse(statusCode: 200)
            },
        ])
        let response = request.schedule(with: APIService(mapError: { Broken(cause: $0) }))
        let value = Task { try await response.value.statusCode }
        try await gate.waitForArrivals(1)
        let leaving = Task { try await response.head }
        leaving.cancel()
        let failure = await #expect(throws: Broken.self) { try await leaving.value }
        #expect(failure?.cause.isCancellation == true)
        gate.open()
        #expect(try await value.value == 200)
        #expect(try await response.head?.statusCode == 200)
    }

    @Test func `reading the head in a cancelled task sends nothing`() async throws {
        let request = Fetch()
        let transport = RecordingTransport()
        request.session = transport
        let response = request.schedule()
        let gate = Gate()
        let task = Task {
            try? await gate.pass()
            return try await response.head
        }
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        #expect(transport.sent.elements.isEmpty)
    }

    @Test func `the head of a value without a response is nil`() async throws {
        let response = ScheduledRequest(Pipeline<Int, any Error>.just(1))
        let head = try await response.head
        #expect(head == nil)
        #expect(try await response.value == 1)
    }
}
