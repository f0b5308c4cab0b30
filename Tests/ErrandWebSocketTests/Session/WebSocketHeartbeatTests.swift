import ErrandMockServer
import ErrandTesting
import ErrandWebSocketTesting
import TestSupport
import Testing

@testable import Errand
@testable import ErrandWebSocket

@Suite(.hangGuard) struct `WebSocket: the heartbeat during a long message` {
    private let clock = ManualClock()

    /// A WebSocket that sends a long message, with a heartbeat whose ping waits for its end.
    ///
    /// - Returns: The session, the task that sends, and the server's end. The clock is at the beginning of the first
    ///   timeout.
    private func start() async throws -> (WebSocketSession, Task<Void, any Error>, MemoryConnection) {
        let (near, far) = MemoryConnection.pair()
        let options = WebSocketOptions(clock: clock) {
            $0.heartbeat = .init(interval: .seconds(30), timeout: .seconds(10))
        }
        let session = WebSocketSession(options) {
            WebSocketConnection(near, role: .client, agreement: .init(), options: options)
        }
        let sending = Task { try await session.send(.data(Data(count: 4 << 20))) }
        _ = try await far.read()
        try await clock.waitForSleeper(until: .init(offset: .seconds(30)))
        clock.advance(by: .seconds(30))
        return (session, sending, far)
    }

    /// Lets one timeout of the heartbeat pass, which begins at this second.
    private func pass(timeoutFrom second: Int, _ meanwhile: () async throws -> Void = {}) async throws {
        try await clock.waitForSleeper(until: .init(offset: .seconds(second + 10)))
        try await meanwhile()
        clock.advance(by: .seconds(10))
    }

    @Test func `a heartbeat does not end a connection whose long message is read slowly`() async throws {
        let (session, sending, far) = try await start()
        for second in stride(from: 30, to: 130, by: 10) {
            try await pass(timeoutFrom: second) { _ = try await far.read() }
        }
        try await clock.waitForSleeper(until: .init(offset: .seconds(140)))
        #expect(session.closure == nil)
        let draining = Task { while let bytes = try await far.read(), !bytes.isEmpty {} }
        try await sending.value
        session.cancel()
        _ = await draining.result
    }

    @Test func `a heartbeat ends a connection on which no byte leaves within the timeout`() async throws {
        let (session, sending, far) = try await start()
        try await pass(timeoutFrom: 30)
        await expectFailure(.timedOut) { try await sending.value }
        // The connection may be closed after the message has failed.
        await expectFailure(.timedOut) { try await session.next(for: session.makeReader()) }
        #expect(session.closure?.code == .abnormal)
        far.close()
    }

    @Test func `the time for a pong begins after the ping has left`() async throws {
        let (session, sending, far) = try await start()
        try await pass(timeoutFrom: 30) {
            // The server reads the message and the ping, and does not respond.
            let draining = Task { while let bytes = try await far.read(), !bytes.isEmpty {} }
            try await sending.value
            draining.cancel()
        }
        try await clock.waitForSleeper(until: .init(offset: .seconds(50)))
        #expect(session.closure == nil)
        clock.advance(by: .seconds(10))
        let error = await expectFailure(.timedOut) { try await session.next(for: session.makeReader()) }
        #expect(error?.reason == "the server did not respond to a ping within 10 s")
    }

    #if canImport(CCurl)
    @Test func `the bytes that the server has not acknowledged do not count as sent`() async throws {
        let mayRead = DispatchSemaphore(value: 0)
        let server = try RawServer { connection in
            _ = connection.readHead()
            mayRead.wait()
            connection.readToEnd()
        }
        var configuration = CurlConfiguration()
        configuration.proxy = .none
        let connection = try #require(try await CurlTransport(configuration).connect(to: server.url) as? CurlConnection)
        try await connection.write(Array("GET / HTTP/1.1\r\n\r\n".utf8))
        let size = 64 << 20
        let writing = Task { try await connection.write([UInt8](repeating: 0, count: size)) }
        try await waitUntil { connection.writtenCount > connection.sentCount }
        mayRead.signal()
        try await writing.value
        try await waitUntil { connection.sentCount == size + 18 }
        connection.close()
    }
    #endif
}
