import ErrandTesting
import TestSupport
import Testing

@testable import Errand

@Suite("WebSocket connection", .hangGuard) struct WebSocketConnectionTests {
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

        var message: [UInt8] = []
        WebSocketFrameEncoder(role: .server).append(WebSocketFrameHead(.text), Array("full".utf8), to: &message)
        try await far.write(message)
        try await waitUntil { inbox.isFull }
        far.reset()

        let entry = WebSocketOutbox.Entry(.message(.text("hello")))
        try outbox.add(entry)
        connection.flush()
        await expectTransportFailure(.networkConnectionLost) { try await entry.written.value }
        // One sleeper cuts the connection, and the other acts for the reader.
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(7))
        await expectTransportFailure(.networkConnectionLost) { try await running.value }
    }

    @Test func `a send that is interrupted by a reset fails with the lost connection, not as cancelled`() async throws {
        let raw = StuckConnection()
        let options = WebSocketOptions(clock: clock)
        let connect: WebSocketSession.Connect = {
            WebSocketLink(
                channel: WebSocketConnection(raw, role: .client, agreement: .init(), options: options),
                opening: WebSocketOpening(headers: [:], subprotocol: nil, isCompressed: nil))
        }
        let session = WebSocketSession(options, connect: connect)
        let sending = Task { try await session.send(.text("under way")) }
        try await raw.writing.waitForArrivals(1)
        raw.reset.open()
        await expectTransportFailure(.networkConnectionLost) { try await sending.value }
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

/// A connection that accepts no bytes and is reset when the test requests it: only a cancellation ends its writes.
private final class StuckConnection: ByteConnection {
    let writing = Gate()
    let reset = Gate()

    func read() async throws -> [UInt8]? {
        try await reset.pass()
        throw URLError(.networkConnectionLost)
    }

    func write(_ bytes: [UInt8]) async throws {
        try await writing.pass()
    }

    func close() {}
}
