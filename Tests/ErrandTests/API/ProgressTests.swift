import ErrandResilience
import ErrandTesting
import TestSupport
import Testing

@testable import Errand

/// Without an end, an observer would wait for a transfer that never begins.
@Suite(.hangGuard) struct `The progress of a request for which nothing is sent` {
    private typealias Snapshot = TransferProgress.Snapshot

    fileprivate final class Fetch: APIBase, Request {
        override init() {
            super.init()
            baseURL = URL(string: "https://api.example.com")
            session = RecordingTransport()
        }
        func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
    }

    private let demo = RequestHook(willSend: { _ in DataResponse(statusCode: 200, data: Data("demo".utf8)) })

    enum Obstacle: CaseIterable {
        case hook
        case rateLimit
        case concurrencyLimit
        case openCircuit
        case token
        case fields
        case noURL
        case bodyNotRepeatable

        /// Configures a request so that it is not sent.
        fileprivate func block(_ request: Fetch) async throws {
            switch self {
            case .hook: request.hook = RequestHook(willSend: { _ in throw Fault.first })
            case .rateLimit:
                let limit = RateLimit(requests: 1, per: .seconds(60), queueLimit: 0, clock: ManualClock())
                _ = try await limit.intercept(limitedRequest(), next: Next { _ in DataResponse(statusCode: 200) })
                request.interceptors = [limit]
            case .concurrencyLimit:
                let limit = ConcurrencyLimit(1, queueLimit: 0)
                let held = DataResponse(statusCode: 200, headers: [:], body: ResponseBody { Data("x".utf8) })
                let kept = try await limit.intercept(limitedRequest(), next: Next { _ in held })
                request.interceptors = [Keeping(response: kept), limit]
            case .openCircuit:
                let breaker = CircuitBreaker(tripping: .consecutiveFailures(1), clock: ManualClock())
                _ = try await breaker.intercept(
                    limitedRequest(), next: Next { _ in DataResponse(statusCode: 500) })
                request.interceptors = [breaker]
            case .token: request.interceptors = [TokenAuthentication(token: nil) { _ in throw Fault.first }]
            case .fields: request.asynchronousHeaders = { throw Fault.first }
            case .noURL: request.baseURL = nil
            case .bodyNotRepeatable:
                request.method = .put
                let stream = BodyStream(InputStream(data: Data("once".utf8)))
                request.body = .stream(stream)
                try stream.claimForSending()
            }
        }
    }

    /// Keeps a response whose body is not read.
    fileprivate struct Keeping: Interceptor {
        let response: DataResponse
        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            defer { withExtendedLifetime(response) {} }
            return try await next(request)
        }
    }

    private func ends(_ progress: sending TransferProgress.AsyncIterator) async -> [Snapshot] {
        var progress = progress
        var snapshots: [Snapshot] = []
        while let snapshot = await progress.next() { snapshots.append(snapshot) }
        return snapshots
    }

    @Test(arguments: Obstacle.allCases)
    func `progress sequences end when the request fails`(_ obstacle: Obstacle) async throws {
        let request = Fetch()
        try await obstacle.block(request)
        let up = request.uploadProgress.makeAsyncIterator()
        let down = request.downloadProgress.makeAsyncIterator()
        await #expect(throws: (any Error).self) { try await request.start().value }
        #expect(await ends(up).isEmpty)
        #expect(await ends(down).isEmpty)
    }

    @Test(arguments: Obstacle.allCases)
    func `progress sequences end when a stream fails`(_ obstacle: Obstacle) async throws {
        let request = Fetch()
        try await obstacle.block(request)
        let up = request.uploadProgress.makeAsyncIterator()
        let down = request.downloadProgress.makeAsyncIterator()
        await #expect(throws: (any Error).self) { try await request.sendStream().open() }
        #expect(await ends(up).isEmpty)
        #expect(await ends(down).isEmpty)
    }

    @Test func `progress sequences end for a request whose task was already cancelled`() async throws {
        let request = Fetch()
        let up = request.uploadProgress.makeAsyncIterator()
        let down = request.downloadProgress.makeAsyncIterator()
        let (pipeline, gate) = (request.start(), Gate())
        let task = Task {
            try? await gate.pass()
            return try await pipeline.value
        }
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        #expect(await ends(up).isEmpty)
        #expect(await ends(down).isEmpty)
        withExtendedLifetime(request) {}
    }

    @Test func `progress continues across the attempts of a retry policy`() async throws {
        let request = Fetch()
        request.retryPolicy = .exponential(base: .zero)
        let gate = Gate()
        let unavailable = DataResponse(statusCode: 503)
        request.dataTaskPipeline = request.stub(inTurn: [
            .just(unavailable),
            Pipeline { () async throws(any Error) in
                try await gate.pass()
                return DataResponse(statusCode: 200, data: Data("done".utf8))
            },
        ])
        var down = request.downloadProgress.makeAsyncIterator()
        let pipeline = request.start()
        let task = Task { try await pipeline.value }
        try await gate.waitForArrivals(1)
        #expect(await down.next() == Snapshot(completed: 0, total: nil))
        gate.open()
        _ = try await task.value
        #expect(await ends(down) == [Snapshot(completed: 4, total: 4)])
    }

    @Test func `progress ends with each attempt that creates its own request`() async throws {
        let tries = Recorder<[Snapshot]>()
        let pipeline = Pipeline<Void, any Error> { () async throws(any Error) in
            let request = Fetch()
            request.dataTaskPipeline = request.stubResponse(data: Data("done".utf8))
            let down = request.downloadProgress.makeAsyncIterator()
            _ = try await request.start().retry(1).value
            tries.record(await ends(down))
            if tries.elements.count == 1 { throw URLError(.networkConnectionLost) }
        }
        try await pipeline.retry(1).value
        #expect(tries.elements.map(\.last) == [Snapshot(completed: 4, total: 4), Snapshot(completed: 4, total: 4)])
    }

    @Test func `progress ends with each attempt of a pipeline`() async throws {
        let request = Fetch()
        request.dataTaskPipeline = request.stub(error: URLError(.networkConnectionLost))
        let down = request.downloadProgress.makeAsyncIterator()
        await expectTransportFailure(.networkConnectionLost) { try await request.start().retry(2).value }
        #expect(await ends(down).last == Snapshot(completed: 0, total: nil))
    }

    @Test func `progress ends with the byte counts of a response from a hook`() async throws {
        let request = Fetch()
        request.hook = demo
        let up = request.uploadProgress.makeAsyncIterator()
        let down = request.downloadProgress.makeAsyncIterator()
        _ = try await request.start().value
        #expect(await ends(up) == [Snapshot(completed: 0, total: 0)])
        #expect(await ends(down) == [Snapshot(completed: 4, total: 4)])
    }

    @Test func `progress counts the bytes read from a streamed response of a hook`() async throws {
        let request = Fetch()
        request.hook = demo
        let up = request.uploadProgress.makeAsyncIterator()
        let down = request.downloadProgress.makeAsyncIterator()
        let body = try await request.sendStream().reduce(into: Data()) { $0 += $1 }
        #expect(body == Data("demo".utf8))
        #expect(await ends(up) == [Snapshot(completed: 0, total: 0)])
        #expect(await ends(down).last == Snapshot(completed: 4, total: 4))
    }
}
