import Errand
import ErrandTesting
import ErrandWebSocketTesting
import TestSupport
import Testing

@testable import ErrandWebSocket

/// Each way in which a connection ends, with each call that may wait for it.
@Suite(.hangGuard) struct `WebSocket: the reason for the end` {
    /// A way in which a connection ends while a long message is being sent.
    struct End: CustomTestStringConvertible, Sendable {
        /// The actor that ends the connection.
        enum Actor: Sendable {
            /// The server, with these bytes.
            case bytes([UInt8])
            /// The server, without a close frame.
            case closing, resetting
            case ownClose, cancellation, readerCancellation, heartbeat, failedGreeting
        }

        /// The code that all waiting calls throw, and, for `webSocketClosed`, the one of the closure.
        var code: ErrandError.Code
        var closeCode: WebSocketCloseCode?
        var actor: Actor
        var testDescription: String

        init(_ name: String, _ actor: Actor, _ code: ErrandError.Code, _ closeCode: UInt16? = nil) {
            testDescription = name
            self.actor = actor
            self.code = code
            self.closeCode = closeCode.map(WebSocketCloseCode.init)
        }

        /// A close frame of the server with this code.
        static func closeFrame(_ code: UInt16) -> End {
            let bytes = [0x88, 0x02, UInt8(code >> 8), UInt8(code & 0xFF)]
            return End("the server closes with \(code)", .bytes(bytes), .webSocketClosed, code)
        }

        static func violation(_ name: String, _ bytes: [UInt8]) -> End {
            End(name, .bytes(bytes), .webSocketProtocolViolated)
        }

        /// Whether the sequence of messages ends without an error.
        var isNormal: Bool {
            if case .ownClose = actor { return true }
            return closeCode?.isNormalEnd == true
        }
    }

    static let ends: [End] = [
        .violation("a reserved opcode", [0x83, 0x00]), .violation("a masked frame", [0x81, 0x82, 1, 2, 3, 4, 5, 6]),
        .violation("a reserved bit", [0xA1, 0x00]), .violation("invalid UTF-8", [0x81, 0x01, 0xFF]),
        .violation("a continuation without a message", [0x80, 0x00]),
        .violation("a message inside a message", [0x01, 0x01, 0x61, 0x81, 0x00]),
        .violation("a long ping", [0x89, 0x7E, 0x00, 0x7E]), .violation("a fragmented ping", [0x09, 0x00]),
        .violation("a close frame of one byte", [0x88, 0x01, 0x03]),
        .violation("a close frame with an invalid code", [0x88, 0x02, 0x03, 0xED]),
        .violation("compression that was not agreed on", [0xC1, 0x01, 0x00]),
        End("a long frame", .bytes([0x82, 0x7F, 0, 0, 0, 1, 0, 0, 0, 0]), .webSocketMessageTooBig),
        End("a close frame without a code", .bytes([0x88, 0x00]), .webSocketClosed, 1005),
        .closeFrame(1000), .closeFrame(1001), .closeFrame(1002), .closeFrame(1008), .closeFrame(1011),
        .closeFrame(4000),
        End("an end of the bytes", .closing, .transportFailed), End("a reset", .resetting, .transportFailed),
        End("a close by this side", .ownClose, .webSocketClosed, 1006),
        End("a heartbeat without a response", .heartbeat, .timedOut),
        End("a failed greeting", .failedGreeting, .bodyEncodingFailed),
        End("a cancellation", .cancellation, .cancelled),
        End("a cancellation of the reader", .readerCancellation, .cancelled),
    ]

    @Test(arguments: ends, [true, false])
    func `each waiting call fails with the reason for the end of the connection`(
        _ end: End, _ isRead: Bool
    ) async throws {
        let clock = ManualClock()
        let (near, far) = MemoryConnection.pair()
        let isHeartbeat = if case .heartbeat = end.actor { true } else { false }
        let options = WebSocketOptions(clock: clock) {
            if isHeartbeat { $0.heartbeat = .init(interval: .seconds(30), timeout: .seconds(10)) }
        }
        let connection = WebSocketConnection(near, role: .client, agreement: .init(), options: options)
        let greeting = Gate()
        let session = WebSocketSession(options) { _, _ in
            guard case .failedGreeting = end.actor else { return }
            try await greeting.pass()
            throw ErrandError(.bodyEncodingFailed)
        } connect: {
            connection
        }
        let reader = session.makeReader()
        let reading = Task { try await session.next(for: reader) }
        let sending = Task { try await session.send(.data(Data(count: 8 << 20))) }
        // The message is being sent, unless it waits for the greeting.
        if case .failedGreeting = end.actor { try await greeting.waitForArrivals(1) } else { _ = try await far.read() }
        let pinging = Task { try await session.ping() }
        try await waitUntil { connection.state.withLock { !$0.pings.isEmpty } }
        let queued = Task { try await session.send(.text("queued")) }

        // The heartbeat ends a connection only if nothing is read.
        let isDrained = isRead && !isHeartbeat
        let draining = Task {
            while isDrained, let bytes = try? await far.read(), !bytes.isEmpty {}
        }
        var closing: Task<WebSocketClosure, any Error>?
        switch end.actor {
        case .bytes(let bytes): try await far.write(bytes)
        case .closing: far.close()
        case .resetting: far.reset()
        case .ownClose: closing = Task { try await session.close(WebSocketClosure(code: .normal)) }
        case .cancellation: session.cancel()
        case .readerCancellation: reading.cancel()
        case .failedGreeting: greeting.open()
        case .heartbeat: break
        }
        let driver = Task {
            while (try? await clock.waitForSleepers()) != nil { clock.advanceToNextDeadline() }
        }
        defer {
            driver.cancel()
            draining.cancel()
        }
        // A message that is read before the close frame of this side was sent.
        let isSent: Bool = if case .ownClose = end.actor { isDrained } else { false }
        if !isSent {
            for call in [sending, queued, pinging] { await expect(end) { try await call.value } }
        }
        if end.isNormal {
            #expect(try await reading.value == nil)
        } else {
            await expect(end) { try await reading.value }
        }
        if let closing { #expect(try await closing.value.code == .abnormal) }
        // The reason stays the same for later calls.
        await expect(end) { try await session.send(.text("late")) }
        await expect(end) { try await session.ping() }
    }

    private func expect<Value>(_ end: End, _ call: () async throws -> Value) async {
        let error = await expectFailure(end.code, call)
        if let closeCode = end.closeCode {
            #expect((error?.underlyingError as? WebSocketClosure)?.code == closeCode)
        }
        if end.code != .cancelled { #expect(error?.isCancellation == false) }
    }

    @Test func `the greeting of a connection fails with the reason for its end`() async throws {
        let (near, far) = MemoryConnection.pair()
        let clock = ManualClock()
        let options = WebSocketOptions(clock: clock)
        let failures = Recorder<ErrandError.Code?>()
        // The long message must be the one that waits for the peer.
        let isSending = Gate()
        let session = WebSocketSession(options) { _, send in
            await withTaskGroup { group in
                for (size, mayBegin) in [(8 << 20, nil), (1, isSending)] {
                    group.addTask {
                        do {
                            try await mayBegin?.pass()
                            try await send(.data(Data(count: size)))
                        } catch {
                            failures.record((error as? ErrandError)?.code)
                        }
                    }
                }
            }
        } connect: {
            WebSocketConnection(near, role: .client, agreement: .init(), options: options)
        }
        let reading = Task { try await session.next(for: session.makeReader()) }
        _ = try await far.read()
        isSending.open()
        try await far.write([0x83, 0x00])
        let driver = Task {
            while (try? await clock.waitForSleepers()) != nil { clock.advanceToNextDeadline() }
        }
        defer { driver.cancel() }
        await expectFailure(.webSocketProtocolViolated) { try await reading.value }
        try await waitUntil { failures.elements.count == 2 }
        #expect(failures.elements == [.webSocketProtocolViolated, .webSocketProtocolViolated])
    }
}
