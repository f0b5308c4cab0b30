#if canImport(CCurl)
import ErrandMockServer
import ErrandTesting
import ErrandWebSocketTesting
import TestSupport
import Testing

@testable import Errand
import ErrandWebSocket

/// The client over libcurl, against the server of `ErrandTesting`.
@Suite(.hangGuard) struct `WebSocket over sockets` {
    private let server: MockServer
    private let transport: CurlTransport

    init() throws {
        server = try MockServer()
        var configuration = CurlConfiguration()
        configuration.proxy = .none
        transport = CurlTransport(configuration)
        server.onWebSocket("/echo", subprotocols: ["v2"], compression: .init()) { peer in
            while let message = try await peer.receive() { try await peer.send(message) }
        }
    }

    private func socket(
        _ path: String = "/echo", _ change: (inout WebSocketOptions) -> Void = { _ in }
    ) -> WebSocket<String, String> {
        let request = TextRequest(server.url, WebSocketOptions(clock: ContinuousClock(), change))
        request.path = RequestPath(path)
        request.session = transport
        return request.startWebSocket()
    }

    @Test(arguments: [true, false])
    func `a WebSocket sends and receives texts and closes in order`(_ isCompressed: Bool) async throws {
        let socket = socket { options in
            options.subprotocols = ["v1", "v2"]
            if !isCompressed { options.compression = nil }
        }
        let opening = try await socket.open()
        #expect(opening.subprotocol == "v2")
        #expect(opening.isCompressed == isCompressed)
        for text in ["", "grüß Gott", String(repeating: "x", count: 300_000)] {
            try await socket.send(text)
            #expect(try await socket.nextValue() == text)
        }
        try await socket.ping()
        #expect(try await socket.close(reason: "done") == WebSocketClosure(code: .normal, reason: "done"))
        try await server.waitUntil(openConnections: 0)
        let handshake = try await server.takeRequest()
        #expect(handshake.headers["Accept-Language"] == "en")
        #expect(handshake.headers["Sec-WebSocket-Version"] == "13")
    }

    @Test func `pool metrics count an open WebSocket as a connection in use`() async throws {
        let socket = socket()
        try await socket.open()
        let metrics = await transport.poolMetrics()
        #expect(metrics.connections == 1)
        #expect(metrics.idleConnections == 0)
        #expect(metrics.origins.keys.elementsEqual(["http://127.0.0.1:\(try #require(server.url.port))"]))
        try await socket.close()
        try await waitUntil { await transport.poolMetrics().connections == 0 }
    }

    @Test func `a WebSocket sends and receives large messages at the same time`() async throws {
        let request = TextRequest(server.url)
        request.path = "/echo"
        request.session = transport
        let socket = request.webSocket(.data)
        var generator = SeededChance(seed: 3)
        let noise = Data((0..<2_000_000).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
        async let sending: Void = { for _ in 0..<4 { try await socket.send(noise) } }()
        for _ in 0..<4 { #expect(try await socket.nextValue() == noise) }
        try await sending
        try await socket.close()
    }

    @Test(arguments: [nil, MockTLS.selfSigned])
    func `a WebSocket writes the rest of a message when the socket is writable`(_ tls: MockTLS?) async throws {
        let server = try MockServer(tls: tls)
        server.onWebSocket("/sink") { peer in
            while let message = try await peer.receive() {
                try await peer.send("\(message.data.count) \(message.text?.last ?? "?")")
            }
        }
        var configuration = CurlConfiguration()
        configuration.proxy = .none
        configuration.tls.additionalAuthorities = server.certificateAuthority
        let request = TextRequest(server.url, WebSocketOptions(clock: ContinuousClock()) { $0.compression = nil })
        request.path = "/sink"
        request.session = CurlTransport(configuration)
        let socket = request.startWebSocket()
        // No bytes arrive meanwhile that could make the engine read the socket.
        try await socket.send(String(repeating: "x", count: 12 << 20) + "y")
        try await socket.send("a short one")
        #expect(try await socket.nextValue() == "\((12 << 20) + 1) y")
        #expect(try await socket.nextValue() == "11 e")
        try await socket.close()
    }

    @Test func `a task on the transport's executor sends and receives messages on the engine's thread`() async throws {
        let socket = socket { $0.compression = nil }
        try await withTaskExecutorPreference(transport.executor) {
            for number in 0..<100 {
                try await socket.send("\(number)")
                #expect(try await socket.nextValue() == "\(number)")
                #expect(CurlEngine.current != nil)
            }
            try await socket.close()
        }
        try await server.waitUntil(openConnections: 0)
    }

    @Test(arguments: [true, false])
    func `the engine's thread reads a WebSocket without compression, whichever executor its user has`(
        _ isCompressed: Bool
    ) async throws {
        server.onWebSocket("/leaving", compression: .init()) { peer in try await peer.close() }
        let clock = NotingClock()
        let request = TextRequest(
            server.url, WebSocketOptions(clock: clock) { if !isCompressed { $0.compression = nil } })
        request.path = "/leaving"
        request.session = transport
        let socket = request.startWebSocket()
        #expect(try await socket.nextValue() == nil)
        // The reader takes the time when the server's close frame has arrived.
        #expect(clock.readings.elements.contains(true) == !isCompressed)
    }

    @Test func `a WebSocket that is not read makes the server wait`() async throws {
        let sent = Recorder<Int>()
        let raw = try RawServer { connection in
            var head = connection.readHead()
            while head.hasPrefix("GET /small") {
                try connection.write("HTTP/1.1 204 No Content\r\n\r\n")
                head = connection.readHead()
            }
            try connection.write(`WebSocket: server faults`.response(to: head))
            let frame = Data([0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0]) + Data(count: 65_536)
            for _ in 0..<4096 {
                try connection.write(frame)
                sent.record(1)
            }
        }
        let request = TextRequest(raw.url)
        request.path = "/large"
        request.session = transport
        let socket = request.webSocket(.data)
        #expect(try await socket.nextValue()?.count == 65_536)
        // The engine could continue to read while it transfers other requests.
        for _ in 0..<500 {
            let url = raw.url.appendingPathComponent("small")
            #expect(
                try await transport.send(TransportRequest(URLRequest(url: url, timeoutInterval: .hangGuard))).statusCode
                    == 204)
        }
        // The limit is the size of the buffers of the socket, the WebSocket and the server.
        #expect(sent.elements.count * 65_536 < Footprint.mostSocketBytes + (28 << 20))
        for _ in 0..<100 { #expect(try await socket.nextValue()?.count == 65_536) }
        socket.cancel()
    }

    @Test func `cancelling the reader closes the socket`() async throws {
        let socket = socket()
        try await socket.open()
        #expect(server.openConnections == 1)
        let reading = Task { try await socket.nextValue() }
        reading.cancel()
        await expectFailure(.cancelled) { try await reading.value }
        try await server.waitUntil(openConnections: 0)
    }

    @Test func `releasing a WebSocket closes its socket, even if nothing reads from it`() async throws {
        server.onWebSocket("/flood") { peer in while true { try await peer.send(Data(count: 1 << 16)) } }
        var socket: WebSocket<String, String>? = socket("/flood")
        try await socket?.open()
        socket = nil
        try await server.waitUntil(openConnections: 0)
    }

    @Test func `many WebSockets share one engine`() async throws {
        try await withThrowingTaskGroup { group in
            for number in 0..<50 {
                group.addTask {
                    let socket = socket()
                    try await socket.send("\(number)")
                    #expect(try await socket.nextValue() == "\(number)")
                    try await socket.close()
                }
            }
            try await group.waitForAll()
        }
        #expect(server.acceptedConnections == 50)
        try await server.waitUntil(openConnections: 0)
    }

    @Test func `a rejected handshake has its body, and the connection is closed`() async throws {
        server.on(.get, "/no") { _ in .text("not here\n", statusCode: 403) }
        let error = await expectFailure(.unacceptableStatusCode) { try await socket("/no").open() }
        #expect(error?.statusCode == 403)
        #expect(error.map { String(decoding: $0.bodyPrefix, as: UTF8.self) } == "not here\n")
        server.on(.get, "/chunks") { _ in
            MockResponse(statusCode: 500, body: .chunked([Data("ab".utf8), Data("cd".utf8)]))
        }
        let chunks = await expectFailure(.unacceptableStatusCode) { try await socket("/chunks").open() }
        #expect(chunks.map { String(decoding: $0.bodyPrefix, as: UTF8.self) } == "abcd")
        try await server.waitUntil(openConnections: 0)
    }

    @Test func `a refused connection fails with a transport error`() async throws {
        let refusing = try MockServer.refusing()
        let request = TextRequest(refusing.url)
        request.session = transport
        await expectTransportFailure(.cannotConnectToHost) { try await request.startWebSocket().open() }
    }

    @Test(.deep(.names)) func `an unknown host fails with a transport error`() async throws {
        let request = TextRequest(server.url)
        request.baseURL = URL(string: "ws://nowhere.invalid")
        request.session = transport
        await expectTransportFailure(.cannotFindHost) { try await request.startWebSocket().open() }
    }

    @Test func `shutting down the transport ends open WebSockets and rejects new ones`() async throws {
        let socket = socket()
        try await socket.open()
        let reading = Task { try await socket.nextValue() }
        await transport.shutdown(cancelsRequests: true)
        await #expect(throws: ErrandError.self) { try await reading.value }
        await #expect(throws: ErrandError.self) { try await self.socket().open() }
        try await server.waitUntil(openConnections: 0)
    }

    @Test func `a connection that the server has closed rejects a write after a shutdown`() async throws {
        let server = try RawServer { _ in }
        let connection = try await transport.connect(to: server.url)
        #expect(try await connection.read() == nil)
        await transport.shutdown(cancelsRequests: true)
        #expect(throws: URLError(.cancelled)) { try connection.startWriting([1]) }
    }

    @Test func `stopping the server ends its WebSockets`() async throws {
        let left = Gate()
        server.onWebSocket("/wait") { _ in
            do { try await Gate().pass() } catch { left.open() }
        }
        let socket = socket("/wait")
        try await socket.open()
        server.stop()
        await expectTransportFailure(.networkConnectionLost) { try await socket.nextValue() }
        try await left.pass()
    }

    @Test func `requests and WebSockets share one engine`() async throws {
        server.on(.get, "/plain") { _ in .text("plain") }
        let socket = socket()
        try await socket.open()
        for number in 0..<20 {
            let response = try await transport.send(
                TransportRequest(
                    URLRequest(url: server.url.appendingPathComponent("plain"), timeoutInterval: .hangGuard)))
            #expect(response.data == Data("plain".utf8))
            try await socket.send("\(number)")
            #expect(try await socket.nextValue() == "\(number)")
        }
        try await socket.close()
    }
}

/// The system's clock, which notes whether it is read on an engine's thread.
private struct NotingClock: Clock {
    let readings = Recorder<Bool>()

    var now: ContinuousClock.Instant {
        readings.record(CurlEngine.current != nil)
        return ContinuousClock.now
    }
    var minimumResolution: Duration { ContinuousClock().minimumResolution }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await ContinuousClock().sleep(until: deadline, tolerance: tolerance)
    }
}
#endif
