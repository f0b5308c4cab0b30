import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Download retries` {
    let folder: DownloadFolder
    let content = BookServer.content

    init() throws {
        folder = try DownloadFolder()
    }

    @Test func `a download with a retry policy resumes as long as the file grows`() async throws {
        let faults: [MockFault?] = [10_000, 20_000, 1, 5_000, 30_000].map { .closeInBody(after: $0) }
        let server = try BookServer(faults: faults)
        let request = server.request(to: folder)
        request.retryPolicy = .immediate
        let file = try await request.start().value
        #expect(
            server.ranges == [nil, "bytes=10000-", "bytes=30000-", "bytes=30001-", "bytes=35001-", "bytes=65001-"])
        #expect(file.byteCount == 100_000)
        #expect(file.resumedByteCount == 0)
        #expect(folder.content == content)
    }

    @Test func `each request of a download is an exchange that observers see`() async throws {
        let recorder = ExchangeRecorder()
        let server = try BookServer(faults: [.closeInBody(after: 10_000), .closeInBody(after: 20_000)])
        let request = server.request(to: folder)
        request.retryPolicy = .immediate
        request.observers = [recorder]
        _ = try await request.start().value
        #expect(recorder.entries.map { $0.outcomes.map(\.statusCode) } == [[200], [206], [206]])
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a download resumes over each transport regardless of maximumBodySize`(
        _ transport: TransportUnderTest
    ) async throws {
        let server = try BookServer(faults: [.closeInBody(after: 60_000), .closeInBody(after: 20_000)])
        let request = server.request(to: folder)
        request.session = transport.make()
        request.retryPolicy = .immediate
        request.maximumBodySize = 10
        #expect(try await request.start().value.byteCount == 100_000)
        #expect(folder.content == content)
        #expect(server.ranges.count >= 3)
        #expect(server.ranges.contains { $0 != nil })
    }

    @Test(arguments: [nil, "key"])
    func `a download with POST is resumed only with an idempotency key`(_ key: String?) async throws {
        let server = try BookServer()
        let requests = Recorder<RequestMethod>()
        server.server.on(.post, "/book") { [content] request in
            requests.record(request.method)
            let response = MockResponse.data(content, contentType: "text/plain")
            return requests.elements.count > 1 ? response : response.with(fault: .closeInBody(after: 10))
        }
        let request = server.request(to: folder)
        request.method = .post
        request.headers["Idempotency-Key"] = key
        request.retryPolicy = .immediate
        if key == nil {
            await expectFailure(.transportFailed) { try await request.start().value }
            #expect(requests.elements.count == 1)
        } else {
            #expect(try await request.start().value.byteCount == 100_000)
            #expect(requests.elements.count == 2)
        }
    }

    @Test func `a download fails if the file stops growing`() async throws {
        let server = try BookServer(
            faults: [.closeInBody(after: 10)] + Array(repeating: .closeInBody(after: 0), count: 9))
        let request = server.request(to: folder)
        request.retryPolicy = .immediate
        await expectFailure(.transportFailed) { try await request.start().value }
        #expect(server.ranges == [nil, "bytes=10-", "bytes=10-"])
    }

    @Test func `a download fails if it has to start again each time`() async throws {
        let server = try BookServer(faults: Array(repeating: .closeInBody(after: 50_000), count: 9))
        server.book.withLock { $0.validators = [:] }
        let request = server.request(to: folder)
        request.retryPolicy = .immediate
        await expectFailure(.transportFailed) { try await request.start().value }
        #expect(server.ranges == [nil, nil, nil])
        #expect(try folder.names == [])
    }

    @Test func `a failure before the head is retried only by the retry policy of the request`() async throws {
        let server = try BookServer(faults: Array(repeating: .closeBeforeHead, count: 9))
        let request = server.request(to: folder)
        request.retryPolicy = .immediate
        let error = await expectFailure(.transportFailed) { try await request.start().value }
        #expect(server.ranges.count == 3)
        #expect(error?.attempts == 3)
    }

    @Test func `a download waits with the clock of its policy, and cancelling ends the wait`() async throws {
        let clock = ManualClock()
        let server = try BookServer(faults: [.closeInBody(after: 10), .closeInBody(after: 0)])
        let request = server.request(to: folder)
        var policy = RetryPolicy.constant(.seconds(60))
        policy.clock = clock
        request.retryPolicy = policy
        let pipeline = request.start()
        let task = Task { try await pipeline.value }
        try await clock.waitForSleepers()
        #expect(server.ranges.count == 1)
        clock.advance(by: .seconds(60))
        try await clock.waitForSleepers()
        #expect(server.ranges.count == 2)
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        #expect(clock.sleeperCount == 0)
        #expect(server.ranges.count == 2)
    }

    @Test func `each resumption of a download uses a token of the retry budget`() async throws {
        let server = try BookServer(faults: Array(repeating: .closeInBody(after: 10), count: 9))
        let request = server.request(to: folder)
        var policy = RetryPolicy.immediate
        policy.budget = RetryBudget(ratio: 0, capacity: 2)
        request.retryPolicy = policy
        await expectFailure(.transportFailed) { try await request.start().value }
        #expect(server.ranges == [nil, "bytes=10-", "bytes=20-"])
    }

    @Test func `the resource timeout of a download covers all of its parts`() async throws {
        let clock = ManualClock()
        let server = try BookServer(faults: Array(repeating: .closeInBody(after: 10), count: 9))
        let request = server.request(to: folder)
        var policy = RetryPolicy.constant(.seconds(60))
        policy.clock = clock
        policy.maximumWait = .seconds(60)
        request.retryPolicy = policy
        request.resourceTimeout = .seconds(100)
        let pipeline = request.start()
        let task = Task { try await pipeline.value }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(60))
        try await server.server.waitUntil { $0.requests == 2 }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(40))
        let error = await expectFailure(.timedOut) { try await task.value }
        #expect(error?.url?.path == "/book")
        #expect(server.ranges.count == 2)
    }

    static let faults: [(name: String, fault: MockFault)] = [
        ("closes before the head", .closeBeforeHead), ("closes in the head", .closeInHead(after: 20)),
        ("closes at the head's end", .closeInBody(after: 0)), ("closes in the body", .closeInBody(after: 50_000)),
        ("closes before the last byte", .closeInBody(after: 99_999)), ("resets before the head", .resetBeforeHead),
        ("resets in the body", .resetInBody(after: 50_000)), ("stalls before the head", .stallBeforeHead),
        ("stalls in the head", .stallInHead(after: 20)), ("stalls at the head's end", .stallInBody(after: 0)),
        ("stalls in the body", .stallInBody(after: 50_000)),
        ("stalls before the last byte", .stallInBody(after: 99_999)),
    ]

    @Test(arguments: faults.indices)
    func `a download with a retry policy recovers from a server fault at every stage`(_ index: Int) async throws {
        let server = try BookServer(faults: [Self.faults[index].fault])
        let request = server.request(to: folder)
        if Self.faults[index].name.hasPrefix("stalls") { request.timeoutInterval = 0.5 }
        // On a busy machine, a complete response may take longer than the limit too.
        request.retryPolicy = .constant(.zero, maximumAttempts: 1_000)
        #expect(try await request.start().value.byteCount == 100_000, "\(Self.faults[index].name)")
        #expect(folder.content == content)
        #expect(try folder.names == ["book.pdf"])
    }

    @Test(arguments: faults.indices)
    func `a server fault without a retry policy fails the download and leaves no target file`(
        _ index: Int
    ) async throws {
        let (name, fault) = Self.faults[index]
        let server = try BookServer(faults: [fault])
        let request = server.request(to: folder)
        let stalls = name.hasPrefix("stalls")
        if stalls { request.timeoutInterval = 0.5 }
        await expectFailure(stalls ? .timedOut : .transportFailed) { try await request.start().value }
        #expect(folder.content == nil)
        try await server.server.waitUntil(openConnections: 0)
        // If the request fails before the server reads it, its fault is not used.
        server.faults.withLock { $0 = [] }
        let there = try Int64(#require(folder.part?.count ?? 0))
        request.timeoutInterval = 60
        #expect(try await request.start().value.resumedByteCount == there)
        #expect(folder.content == content)
    }

    @Test func `a download from a slow server is complete`() async throws {
        let server = try BookServer(
            Data(content.prefix(2_000)), faults: [.drip(bytesAtATime: 7)])
        #expect(try await server.request(to: folder).start().value.byteCount == 2_000)
        #expect(folder.content == content.prefix(2_000))
    }
}
