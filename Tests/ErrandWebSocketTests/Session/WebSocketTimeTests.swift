import Errand
import ErrandTesting
import TestSupport
import Testing

@testable import ErrandWebSocket
@testable import ErrandWebSocketTesting

@Suite(.hangGuard) struct `WebSocket: timeouts, heartbeats and reconnection` {
    private let clock = ManualClock()

    private func options(_ change: (inout WebSocketOptions) -> Void) -> WebSocketOptions {
        WebSocketOptions(clock: clock, change)
    }

    private func socket(
        greeting: String? = nil, _ options: WebSocketOptions,
        _ stubs: (TextRequest) -> [WebSocketStub]
    ) -> WebSocket<String, String> {
        let request = TextRequest(nil, options, greeting: greeting)
        request.timeoutInterval = 600_000
        request.webSocketStub = request.stubWebSocket(inTurn: stubs(request))
        return request.startWebSocket()
    }

    @Test func `a handshake without a response fails after the timeout`() async throws {
        let gate = Gate()
        let request = TextRequest(nil, WebSocketOptions(clock: clock))
        request.timeoutInterval = 20
        request.webSocketStub = request.stubWebSocket(inTurn: [.stalling(gate)])
        let socket = request.startWebSocket()
        let opening = Task { try await socket.open() }
        try await clock.waitForSleepers()
        try await gate.waitForArrivals(1)
        clock.advance(by: .seconds(20))
        await expectFailure(.timedOut) { try await opening.value }
    }

    @Test func `an idle connection is pinged at each interval and stays open`() async throws {
        let (waits, report) = AsyncStream<Duration>.makeStream()
        let options = WebSocketOptions(clock: ReportingClock(clock: clock, report: report)) {
            $0.heartbeat = .init(interval: .seconds(30), timeout: .seconds(600_000))
        }
        let socket = socket(options) { _ in [.pinged(times: 3)] }
        try await socket.open()
        var wait = waits.makeAsyncIterator()
        for _ in 0..<3 {
            // The next interval begins when the pong for the previous ping has arrived.
            while let next = await wait.next(), next != .seconds(30) {}
            clock.advance(by: .seconds(30))
        }
        #expect(try await socket.nextValue() == "pinged")
    }

    @Test func `a connection without a pong in time is lost`() async throws {
        let gate = Gate()
        let socket = socket(options { $0.heartbeat = .init(interval: .seconds(30), timeout: .seconds(10)) }) { _ in
            [.unresponsive(gate)]
        }
        try await socket.open()
        let reading = Task { try await socket.nextValue() }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(30))
        try await gate.waitForArrivals(1)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        let error = await expectFailure(.timedOut) { try await reading.value }
        #expect(error?.reason == "the server did not respond to a ping within 10 s")
    }

    @Test func `a connection without a close response in time is closed`() async throws {
        let gate = Gate()
        let socket = socket(options { $0.closeTimeout = .seconds(7) }) { _ in [.unresponsive(gate)] }
        try await socket.open()
        let closing = Task { try await socket.close() }
        try await gate.waitForArrivals(1)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(7))
        #expect(try await closing.value.code == .abnormal)
    }

    @Test func `a connection that the server keeps open after a close is closed in time`() async throws {
        let gate = Gate()
        let socket = socket(options { $0.closeTimeout = .seconds(7) }) { _ in
            [.unresponsive(gate, sending: [0x88, 0x02, 0x03, 0xE8])]
        }
        try await socket.open()
        #expect(try await socket.close().code == .normal)
        try await gate.waitForArrivals(1)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(7))
        try await waitUntil { clock.sleeperCount == 0 }
    }

    @Test func `a lost connection is reopened, and its greeting is sent before waiting messages`() async throws {
        let seen = Recorder<String>()
        let socket = socket(greeting: "subscribe", options { $0.reconnection = .init(backoff: .immediate) }) {
            request in
            [
                request.stubWebSocket(error: URLError(.cannotConnectToHost)), request.stubWebSocket(refusing: 503),
                request.stubWebSocket { peer in
                    for _ in 0..<2 { seen.record(try await peer.receive()?.text ?? "") }
                    peer.cut()
                },
                request.stubWebSocket { peer in
                    seen.record(try await peer.receive()?.text ?? "")
                    try await peer.send("done")
                    try await peer.close()
                },
            ]
        }
        async let sending: Void = socket.send("hello")
        #expect(try await socket.elements().map { try $0.get() } == ["done"])
        try await sending
        #expect(seen.elements == ["subscribe 1", "hello", "subscribe 2"])
    }

    @Test func `a connection that is lost during its greeting is reopened`() async throws {
        let socket = socket(greeting: "subscribe", options { $0.reconnection = .init(backoff: .immediate) }) {
            request in
            [
                request.stubWebSocket { peer in peer.cut() },
                request.stubWebSocket { peer in try await peer.close(.serviceRestart) },
                request.stubWebSocket { peer in
                    try await peer.send(try await peer.receive()?.text ?? "")
                    try await peer.close()
                },
            ]
        }
        #expect(try await socket.elements().map { try $0.get() } == ["subscribe 3"])
    }

    @Test func `the wait before a reconnection grows with each attempt`() async throws {
        let attempts = Recorder<Duration>()
        let request = TextRequest(
            nil,
            WebSocketOptions(clock: clock) {
                $0.reconnection = .init(backoff: .exponential(base: .seconds(2)))
                $0.reconnection?.random = { 1 }
            })
        request.interceptors = [Watching(attempts: attempts, clock: clock)]
        request.timeoutInterval = 600_000
        request.webSocketStub = request.stubWebSocket(
            inTurn: (0..<4).map { _ in request.stubWebSocket(error: URLError(.cannotFindHost)) } + [
                request.stubWebSocket { peer in try await peer.close() }
            ])
        let socket = request.startWebSocket()
        let moments = [2, 6, 14, 30].map { ManualClock.Instant(offset: .seconds($0)) }
        let driver = Task { [clock] in
            for moment in moments {
                try await clock.waitForSleeper(until: moment)
                clock.advance(to: moment)
            }
        }
        defer { driver.cancel() }
        _ = try await socket.elements()
        #expect(attempts.elements == [.zero] + moments.map(\.offset))
    }

    @Test func `connections that end at once count as attempts, even without a wait between them`() async throws {
        let attempts = Recorder<Duration>()
        let request = TextRequest(
            nil,
            WebSocketOptions(clock: clock) {
                $0.reconnection = .init(backoff: .immediate, maximumWait: .zero, maximumAttempts: 2)
            })
        request.interceptors = [Watching(attempts: attempts, clock: clock)]
        request.webSocketStub = request.stubWebSocket(
            inTurn: (0..<4).map { _ in request.stubWebSocket { peer in try await peer.close(.goingAway) } })
        _ = try? await request.startWebSocket().elements()
        #expect(attempts.elements.count == 3)
    }

    @Test func `a permanent rejection is not retried`() async throws {
        let socket = socket(options { $0.reconnection = .init(backoff: .immediate) }) { request in
            [request.stubWebSocket(refusing: 401)]
        }
        let error = await expectFailure(.unacceptableStatusCode) { try await socket.open() }
        #expect(error?.statusCode == 401)
    }

    @Test func `a normal close ends a reconnecting WebSocket, and a service restart does not`() async throws {
        let socket = socket(options { $0.reconnection = .init(backoff: .immediate) }) { request in
            [
                request.stubWebSocket { peer in try await peer.close(.serviceRestart) },
                request.stubWebSocket { peer in
                    try await peer.send("back")
                    try await peer.close(.normal)
                },
            ]
        }
        #expect(try await socket.elements().map { try $0.get() } == ["back"])
    }

    @Test func `the last failure is thrown after the maximum of consecutive attempts`() async throws {
        let socket = socket(options { $0.reconnection = .init(backoff: .immediate, maximumAttempts: 2) }) { request in
            (0..<3).map { _ in request.stubWebSocket(error: URLError(.cannotFindHost)) }
                + [request.stubWebSocket { _ in }]
        }
        await expectTransportFailure(.cannotFindHost) { try await socket.open() }
    }

    @Test func `a connection that lasted allows the same number of reconnections as any other`() async throws {
        let gate = Gate()
        let reconnection = WebSocketReconnection(backoff: .immediate, maximumWait: .seconds(30), maximumAttempts: 2)
        let socket = socket(greeting: "hello", options { $0.reconnection = reconnection }) { request in
            let lasting = request.stubWebSocket { peer in
                _ = try await peer.receive()
                try await gate.pass()
                try await peer.close(.serviceRestart)
            }
            return [lasting] + (0..<2).map { _ in request.stubWebSocket(error: URLError(.cannotFindHost)) }
                + [request.stubWebSocket { peer in try await peer.close() }]
        }
        let reading = Task { try await socket.elements().map { try $0.get() } }
        try await gate.waitForArrivals(1)
        clock.advance(by: .seconds(30))
        gate.open()
        await expectTransportFailure(.cannotFindHost) { try await reading.value }
    }

    @Test func `a connection that lasted resets the attempts, even if it was closed`() async throws {
        let gates = [Gate(), Gate()]
        let reconnection = WebSocketReconnection(
            backoff: .immediate, maximumWait: .seconds(30), maximumAttempts: 1)
        // A greeting shows that the client has read the clock.
        let socket = socket(greeting: "hello", options { $0.reconnection = reconnection }) { request in
            gates.map { gate in
                request.stubWebSocket { peer in
                    _ = try await peer.receive()
                    try await gate.pass()
                    try await peer.close(.serviceRestart)
                }
            } + [
                request.stubWebSocket { peer in
                    try await peer.send("third")
                    try await peer.close()
                }
            ]
        }
        async let elements = socket.elements()
        for gate in gates {
            try await gate.waitForArrivals(1)
            clock.advance(by: .seconds(30))
            gate.open()
        }
        #expect(try await elements.map { try $0.get() } == ["third"])
    }

    @Test func `closing a WebSocket without a connection ends the wait for a reconnection`() async throws {
        let socket = socket(options { $0.reconnection = .init(backoff: .constant(.seconds(60))) }) { request in
            [request.stubWebSocket(error: URLError(.cannotFindHost))]
        }
        let sending = Task { try await socket.send("hello") }
        // It waits for a minute, or is about to wait.
        try await clock.waitForSleepers()
        #expect(try await socket.close().code == .abnormal)
        await expectFailure(.webSocketClosed) { try await sending.value }
        #expect(try await socket.nextValue() == nil)
    }

    @Test func `an error thrown by a greeting ends the WebSocket`() async throws {
        let request = ChatAPI()
        request.webSocketStub = request.stubWebSocket { peer in _ = try await peer.receive() }
        var options = WebSocketOptions(clock: clock)
        options.reconnection = .init(backoff: .immediate)
        let socket = request.webSocket(.text, options: options) { _, _ in throw Fault.second }
        await #expect(throws: Fault.second) { try await socket.nextValue() }
    }

    @Test func `a greeting whose task is cancelled ends the WebSocket`() async throws {
        let request = ChatAPI()
        request.webSocketStub = request.stubWebSocket { peer in _ = try await peer.receive() }
        let socket = request.webSocket(.text, options: WebSocketOptions(clock: clock)) { _, send in
            withUnsafeCurrentTask { $0?.cancel() }
            try await send("subscribe")
        }
        await expectFailure(.cancelled) { try await socket.nextValue() }
    }

    @Test func `a full incoming buffer makes the server wait and pauses the heartbeat`() async throws {
        let sent = Locked(0)
        let socket = socket(
            options {
                $0.incomingBufferSize = 10_000
                $0.compression = nil
                $0.heartbeat = .init(interval: .seconds(1), timeout: .seconds(1))
            }
        ) { request in
            [
                request.stubWebSocket { peer in
                    for _ in 0..<200 {
                        try await peer.send(String(repeating: "x", count: 5000))
                        sent.withLock { $0 += 1 }
                    }
                    try await peer.close()
                }
            ]
        }
        try await socket.open()
        // Two messages fill the client's buffer, and thirteen that of the connection.
        try await waitUntil { socket.session.inbox.isFull && sent.withLock { $0 } == 15 }
        // The clock moves often enough for a ping to be sent, and to fail without a pong.
        for _ in 0..<20 {
            try await waitUntil { clock.sleeperCount > 0 || socket.closure != nil }
            clock.advance(by: .seconds(1))
        }
        #expect(sent.withLock { $0 } == 15)
        #expect(try await socket.elements().count == 200)
    }

    @Test func `a server that closes first and keeps the connection does not delay the reader`() async throws {
        let gate = Gate()
        let socket = socket(options { $0.closeTimeout = .seconds(7) }) { _ in [.closing(gate)] }
        // The clock does not move, so no time limit ends the loop.
        #expect(try await socket.elements().map { try $0.get() } == ["last"])
        #expect(socket.closure?.code == .normal)
        try await gate.waitForArrivals(1)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(7))
        try await waitUntil { clock.sleeperCount == 0 }
    }
}

/// Records the time of each handshake.
private struct Watching: Interceptor {
    let attempts: Recorder<Duration>
    let clock: ManualClock

    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        attempts.record(clock.now.offset)
        return try await next(request)
    }
}

/// A clock that reports each wait before it begins; a wait whose end has passed ends at once.
private struct ReportingClock: Clock {
    let clock: ManualClock
    let report: AsyncStream<Duration>.Continuation

    var now: ManualClock.Instant { clock.now }
    var minimumResolution: Duration { clock.minimumResolution }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        report.yield(now.duration(to: deadline))
        try await clock.sleep(until: deadline, tolerance: tolerance)
    }
}

extension WebSocketStub {
    /// A server that never responds to the handshake.
    static func stalling(_ gate: Gate) -> WebSocketStub {
        WebSocketStub { _, raw, _ in
            try await gate.pass()
            raw.close()
        }
    }

    /// A server that responds to pings, and sends a text after this number of pings.
    static func pinged(times: Int) -> WebSocketStub {
        WebSocketStub { head, raw, _ in
            try await raw.write(HTTPHead.response(101, try WebSocketServerHandshake(to: head.headers).headers))
            var decoder = WebSocketMessageDecoder(role: .server, maximumFrameSize: 1000, maximumMessageSize: 1000)
            let encoder = WebSocketEncoder(role: .server, maximumFragmentSize: 1000)
            var count = 0
            while let bytes = try await raw.read() {
                decoder.append(bytes)
                while case .ping(let payload)? = try decoder.next() {
                    count += 1
                    encoder.removeBytes()
                    encoder.append(.pong(payload))
                    if count == times { encoder.append(.text("pinged")) }
                    try await raw.write(encoder.bytes)
                }
            }
        }
    }

    /// A server that accepts the handshake, and then only sends these bytes once it has received something. It arrives
    /// at the gate when the client has read them: the piece after them is larger than the connection's buffer, so
    /// writing it waits for the reader.
    static func unresponsive(_ gate: Gate, sending bytes: [UInt8] = []) -> WebSocketStub {
        WebSocketStub { head, raw, _ in
            let handshake = try WebSocketServerHandshake(to: head.headers)
            try await raw.write(HTTPHead.response(101, handshake.headers))
            _ = try await raw.read()
            if !bytes.isEmpty {
                try await raw.write(bytes)
                try await raw.write([UInt8](repeating: 0, count: 100_000))
            }
            try await gate.pass()
        }
    }

    /// A server that sends one message and a close frame, and then neither reads nor closes the connection.
    static func closing(_ gate: Gate) -> WebSocketStub {
        WebSocketStub { head, raw, _ in
            try await raw.write(HTTPHead.response(101, try WebSocketServerHandshake(to: head.headers).headers))
            let encoder = WebSocketEncoder(role: .server, maximumFragmentSize: 1000)
            encoder.append(.text("last"))
            encoder.append(.close(WebSocketClosure(code: .normal)))
            try await raw.write(encoder.bytes)
            try await gate.pass()
        }
    }
}
