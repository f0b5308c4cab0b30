import Errand
import ErrandTesting
import ErrandWebSocketTesting
import TestSupport
import Testing

@testable import ErrandWebSocket

@Suite(.hangGuard) struct `WebSocket connection` {
    private let clock = ManualClock()

    @Test func `a lost connection with a full inbox is reported after the close timeout`() async throws {
        let (near, far) = MemoryConnection.pair()
        var options = WebSocketOptions()
        options.clock = clock
        options.closeTimeout = .seconds(7)
        let connection = WebSocketConnection(near, role: .client, agreement: .init(), options: options)
        let inbox = WebSocketInbox(capacity: 1)
        let outbox = WebSocketOutbox()
        outbox.release()
        let running = Task { try await connection.run(inbox, outbox) }

        try await far.write(WebSocketEncoder.frame(WebSocketFrameHead(.text), Array("full".utf8)))
        try await waitUntil { inbox.isFull }
        far.reset()

        let entry = WebSocketOutbox.Entry(.message(.text("hello")))
        try outbox.add(entry)
        // The sleepers are the close timeouts of the connection and of the reader.
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(7))
        await expectTransportFailure(.networkConnectionLost) { try await running.value }
        await expectTransportFailure(.networkConnectionLost) { try await entry.written.value }
    }

    @Test func `a send that is interrupted by a reset fails with the lost connection, not as cancelled`() async throws {
        let raw = StuckConnection()
        let options = WebSocketOptions(clock: clock)
        let connect: WebSocketSession.Connect = {
            WebSocketConnection(raw, role: .client, agreement: .init(), options: options)
        }
        let session = WebSocketSession(options, connect: connect)
        let sending = Task { try await session.send(.text("under way")) }
        try await raw.writing.pass()
        raw.reset.open()
        await expectTransportFailure(.networkConnectionLost) { try await sending.value }
    }

    /// A running connection whose writes are recorded.
    private func run(
        _ raw: RecordingConnection, _ agreement: WebSocketAgreement = .init()
    ) async throws -> (WebSocketOutbox, Task<WebSocketClosure, any Error>) {
        let connection = WebSocketConnection(
            raw, role: .server, agreement: agreement, options: WebSocketOptions(clock: clock))
        let outbox = WebSocketOutbox()
        outbox.release()
        let inbox = WebSocketInbox(capacity: 1)
        let running = Task { try await connection.run(inbox, outbox) }
        try await raw.reading.waitForArrivals(1)
        return (outbox, running)
    }

    @Test func `a short message is written before the sender waits, and a long one by the connection's task`()
        async throws
    {
        let raw = RecordingConnection()
        let (outbox, running) = try await run(raw)
        let short = WebSocketOutbox.Entry(.message(.text("hi")))
        try outbox.add(short)
        #expect(raw.pieces.elements == [[0x81, 2, 0x68, 0x69]])
        try await short.written.value

        let long = WebSocketOutbox.Entry(.message(.data(Data(count: 70_000))))
        try outbox.add(long)
        let last = WebSocketOutbox.Entry(.message(.text("hi")))
        try outbox.add(last)
        try await long.written.value
        try await last.written.value
        #expect(raw.pieces.elements.dropFirst().joined().count > 70_000)
        #expect(raw.pieces.elements.last?.suffix(4) == [0x81, 2, 0x68, 0x69])
        running.cancel()
        await expectFailure(.cancelled) { try await running.value }
    }

    @Test func `a connection that is being closed leaves the messages to the next one`() async throws {
        let raw = RecordingConnection()
        let (outbox, running) = try await run(raw)
        raw.onClose { try? outbox.add(WebSocketOutbox.Entry(.message(.text("later")))) }
        raw.reading.open()
        await expectTransportFailure(.networkConnectionLost) { try await running.value }
        guard case .entry = outbox.take(for: outbox.attach {}) else { throw ErrandError(.cancelled) }
        #expect(raw.pieces.elements.isEmpty)
    }

    @Test func `a connection that is released without being used closes its bytes`() {
        let raw = RecordingConnection()
        let closed = Recorder<Void>()
        raw.onClose { closed.record(()) }
        _ = WebSocketConnection(raw, role: .client, agreement: .init(), options: WebSocketOptions(clock: clock))
        #expect(closed.elements.count == 1)
    }

    @Test func `an invalid upgrade closes the bytes`() async throws {
        let raw = RecordingConnection(incoming: [HTTPHead.response(101, [:])])
        let closed = Recorder<Void>()
        raw.onClose { closed.record(()) }
        let request = TransportRequest(URLRequest(url: try #require(URL(string: "http://example.org"))))
        await expectFailure(.webSocketHandshakeFailed) {
            try await WebSocketOpener(options: WebSocketOptions()).open(request) { _ in raw }
        }
        #expect(closed.elements.count == 1)
    }

    @Test func `an earlier connection takes nothing from the queue of the next one`() throws {
        let outbox = WebSocketOutbox()
        let first = outbox.attach {}
        outbox.hold(failing: ErrandError(.webSocketClosed))
        try outbox.add(WebSocketOutbox.Entry(.message(.text("greeting"))), isExpress: true)
        guard case .nothing = outbox.take(for: first) else { throw ErrandError(.cancelled) }
        guard case .entry = outbox.take(for: outbox.attach {}) else { throw ErrandError(.cancelled) }
    }

    @MainActor @Test func `a loop that sends short messages lets others run`() async throws {
        let raw = RecordingConnection()
        let session = WebSocketSession(WebSocketOptions(clock: clock)) { [clock] in
            WebSocketConnection(raw, role: .client, agreement: .init(), options: WebSocketOptions(clock: clock))
        }
        try await session.send(.text("first"))
        let others = Recorder<Void>()
        let other = Task { @MainActor in others.record(()) }
        for _ in 0..<100 { try await session.send(.data(Data(count: 1000))) }
        #expect(others.elements.count == 1)
        session.cancel()
        await other.value
    }

    @Test func `messages that are sent during a write follow in order, and one fails with the write`() async throws {
        let raw = RecordingConnection(acceptsAtOnce: false)
        let (outbox, running) = try await run(raw)
        let entries = ["a", "b", "c"].map { WebSocketOutbox.Entry(.message(.text($0))) }
        for entry in entries { try outbox.add(entry) }
        #expect(raw.pieces.elements == [[0x81, 1, 0x61]])
        raw.finishWriting(.success(()))
        try await entries[0].written.value
        try await waitUntil { raw.pieces.elements.count == 2 }
        #expect(raw.pieces.elements.last == [0x81, 1, 0x62, 0x81, 1, 0x63])
        raw.finishWriting(.failure(URLError(.networkConnectionLost)))
        raw.reading.open()
        for entry in entries[1...] {
            await expectTransportFailure(.networkConnectionLost) { try await entry.written.value }
        }
        running.cancel()
        _ = await running.result
    }

    @Test(arguments: [true, false])
    func `the reader runs on the connection's executor unless messages may be compressed`(
        _ isCompressed: Bool
    ) async throws {
        let executor = CountingExecutor()
        let raw = RecordingConnection(executor: executor)
        let (_, running) = try await run(raw, .init(compression: isCompressed ? PermessageDeflate() : nil))
        #expect(executor.jobs.elements.isEmpty == isCompressed)
        running.cancel()
        _ = await running.result
    }

    /// Reads a server's frames, and returns the number of jobs of the reader on the connection's executor.
    private func jobs(reading pieces: [[UInt8]], _ check: (RecordingConnection) async throws -> Void = { _ in })
        async throws -> Int
    {
        let executor = CountingExecutor()
        let raw = RecordingConnection(executor: executor, incoming: pieces)
        let connection = WebSocketConnection(
            raw, role: .client, agreement: .init(), options: WebSocketOptions(clock: clock))
        let outbox = WebSocketOutbox()
        outbox.release()
        let running = Task { try await connection.run(WebSocketInbox(capacity: 1 << 20), outbox) }
        try await raw.reading.waitForArrivals(1)
        let count = executor.jobs.elements.count
        try await check(raw)
        running.cancel()
        _ = await running.result
        return count
    }

    @Test func `a long message is decoded off the connection's executor`() async throws {
        func pieces(of size: Int) -> [[UInt8]] {
            let frame = WebSocketEncoder.frame(WebSocketFrameHead(.binary), [UInt8](repeating: 1, count: size))
            return stride(from: 0, to: frame.count, by: 50_000).map { Array(frame[$0...].prefix(50_000)) }
        }
        #expect(try await jobs(reading: pieces(of: 40_000)) == 1)
        #expect(try await jobs(reading: pieces(of: 200_000)) > 1)
    }

    @Test func `a reader of many frames lets others use the connection's executor`() async throws {
        let pings = [[UInt8]](repeating: [0x89, 0], count: 10_000)
        let count = try await jobs(reading: [Array(pings.joined())]) { raw in
            // A client's pong without a payload has six bytes.
            try await waitUntil { raw.pieces.elements.joined().count == 60_000 }
        }
        #expect(count > 30)
    }

    @Test func `a cancelled task reads nothing, even if bytes are available`() async throws {
        let (near, far) = MemoryConnection.pair()
        try await far.write([1, 2, 3])
        let gate = Gate()
        let reading = Task {
            try? await gate.pass()
            return try await near.read()
        }
        try await gate.waitForArrivals(1)
        reading.cancel()
        await expectFailure(.cancelled) { try await reading.value }
        #expect(try await near.read() == [1, 2, 3])
    }
}

/// A connection that records what is written. After the given pieces, nothing arrives.
private final class RecordingConnection: ByteConnection {
    let reading = Gate()
    let pieces = Recorder<[UInt8]>()
    let executor: (any TaskExecutor)?
    private let acceptsAtOnce: Bool
    private let incoming: Locked<[[UInt8]]>
    private let writing = Locked<PipelinePromise<Void, any Error>?>(nil)
    private let closing = Locked<(@Sendable () -> Void)?>(nil)

    init(acceptsAtOnce: Bool = true, executor: (any TaskExecutor)? = nil, incoming: [[UInt8]] = []) {
        self.acceptsAtOnce = acceptsAtOnce
        self.incoming = Locked(incoming.reversed())
        self.executor = executor
    }

    func read() async throws -> [UInt8]? {
        if let piece = incoming.withLock({ $0.popLast() }) { return piece }
        try await reading.pass()
        return nil
    }

    func startWriting(_ bytes: [UInt8]) -> PipelinePromise<Void, any Error>? {
        let promise = acceptsAtOnce ? nil : PipelinePromise<Void, any Error>()
        writing.withLock { $0 = promise }
        pieces.record(bytes)
        return promise
    }

    func finishWriting(_ result: Result<Void, any Error>) {
        writing.withLock { $0 }?.resolve(with: result)
    }

    /// Sets the closure that the first call of ``close()`` runs.
    func onClose(_ action: @escaping @Sendable () -> Void) {
        closing.withLock { $0 = action }
    }

    func close() {
        let action = closing.withLock { closing in
            defer { closing = nil }
            return closing
        }
        action?()
    }
}

/// An executor that counts its jobs and runs them on the default one.
private final class CountingExecutor: TaskExecutor {
    let jobs = Recorder<Void>()

    func enqueue(_ job: consuming ExecutorJob) {
        jobs.record(())
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        DispatchQueue.global().async { job.runSynchronously(on: executor) }
    }
}

/// A connection that accepts no bytes and is reset when the test requests it: only a cancellation ends its writes.
private final class StuckConnection: ByteConnection {
    let writing = Gate()
    let reset = Gate()

    func read() async throws -> [UInt8]? {
        try await reset.pass()
        throw URLError(.networkConnectionLost)
    }

    func startWriting(_ bytes: [UInt8]) -> PipelinePromise<Void, any Error>? {
        writing.open()
        return PipelinePromise()
    }

    func close() {}
}
