import Errand
import ErrandMockServer
import ErrandTesting
import ErrandWebSocket
import ErrandWebSocketTesting
import TestSupport
import Testing

@Suite(.interop(.websockets)) struct `WebSocket and Python's websockets` {
    /// The server that the tests use.
    struct Case: Sendable, CustomTestStringConvertible {
        var isSecure: Bool
        var isCompressing: Bool

        var testDescription: String { "\(isSecure ? "wss" : "ws")\(isCompressing ? ", compressed" : "")" }

        static let all = [false, true].flatMap { isSecure in
            [false, true].map { Case(isSecure: isSecure, isCompressing: $0) }
        }
    }

    /// Runs `body` with a function that makes a request for a path of a server.
    private func withServer(
        _ variant: Case, _ body: (_ request: @Sendable (String) -> APIBase) async throws -> Void
    ) async throws {
        let authority = try await CertificateAuthority()
        let (process, port) = try await PythonWebSockets.server(
            variant.isSecure ? try await authority.issue() : nil, isCompressing: variant.isCompressing)
        defer { withExtendedLifetime(process) {} }
        let transport = try CurlTransport.trusting(authority)
        try await body { path in
            let request = APIBase()
            request.baseURL = URL(string: "\(variant.isSecure ? "wss" : "ws")://localhost:\(port)")
            request.path = RequestPath(path)
            request.headers["Accept-Language"] = "gsw"
            request.session = transport
            return request
        }
    }

    @Test(arguments: Case.all)
    func `messages of every kind and size are echoed`(_ variant: Case) async throws {
        try await withServer(variant) { request in
            var options = WebSocketOptions()
            options.subprotocols = ["v1"]
            let socket = request("/echo").webSocket(.messages, options: options)
            #expect(try await socket.open().isCompressed == variant.isCompressing)
            let bytes = Data((0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            let messages: [WebSocketMessage] = [
                .text(""), .text("grüß Gott"), .text(String(repeating: "x", count: 300_000)), .data(Data()),
                .data(bytes),
            ]
            for message in messages + messages {
                try await socket.send(message)
                var iterator = socket.makeAsyncIterator()
                #expect(try await iterator.next()?.get() == message)
            }
            try await socket.ping()
            #expect(try await socket.close(.normal, reason: "done").code == .normal)
        }
    }

    @Test(arguments: Case.all)
    func `fragments, pings and large messages from the server are received`(_ variant: Case) async throws {
        try await withServer(variant) { request in
            let text = String(repeating: "in fragments ", count: 50)
            let fragments = request("/fragments").webSocket(.text)
            try await fragments.send(text)
            var iterator = fragments.makeAsyncIterator()
            #expect(try await iterator.next()?.get() == text)
            var pinged = request("/ping").webSocket(.text).makeAsyncIterator()
            #expect(try await pinged.next()?.get() == "ponged")
            var big = request("/big").webSocket(.data).makeAsyncIterator()
            #expect(try await big.next()?.get() == Data(count: 3_000_000))
        }
    }

    @Test(arguments: Case.all)
    func `the handshake negotiates the subprotocol and compression`(_ variant: Case) async throws {
        try await withServer(variant) { request in
            var options = WebSocketOptions()
            options.subprotocols = ["v1", "v2"]
            var about = request("/about").webSocket(.text, options: options).makeAsyncIterator()
            #expect(try await about.next()?.get() == "v2")
            let extensions = try await about.next()?.get()
            #expect(extensions == (variant.isCompressing ? "permessage-deflate" : "plain"))
            #expect(try await about.next()?.get() == "gsw")
        }
    }

    @Test(arguments: [9, 10, 15], [true, false])
    func `every negotiable window size and context setting works`(_ bits: Int, _ keepsContext: Bool) async throws {
        try await withServer(Case(isSecure: false, isCompressing: true)) { request in
            var options = WebSocketOptions()
            options.compression?.serverMaximumWindowBits = bits
            options.compression?.clientMaximumWindowBits = bits
            options.compression?.serverKeepsContext = keepsContext
            options.compression?.clientKeepsContext = keepsContext
            let socket = request("/echo").webSocket(.text, options: options)
            var iterator = socket.makeAsyncIterator()
            for number in 0..<20 {
                let text = String(repeating: "all work and no play \(number) ", count: 500)
                try await socket.send(text)
                #expect(try await iterator.next()?.get() == text)
            }
        }
    }

    @Test(arguments: Case.all)
    func `close codes and reasons are received by both sides`(_ variant: Case) async throws {
        try await withServer(variant) { request in
            let closed = request("/close").webSocket(.text)
            var iterator = closed.makeAsyncIterator()
            await #expect(throws: ErrandError.self) { try await iterator.next() }
            #expect(closed.closure == WebSocketClosure(code: .init(rawValue: 4001), reason: "enough"))
            let closing = request("/closed").webSocket(.text)
            try await closing.open()
            let closure = try await closing.close(.init(rawValue: 4007), reason: "grüß Gott")
            #expect(closure == WebSocketClosure(code: .init(rawValue: 4007), reason: "grüß Gott"))
        }
    }

    @Test func `an untrusted certificate is rejected`() async throws {
        let (process, port) = try await PythonWebSockets.server(CertificateAuthority().issue())
        defer { withExtendedLifetime(process) {} }
        let request = APIBase()
        request.baseURL = URL(string: "wss://localhost:\(port)")
        request.session = CurlTransport.direct()
        do {
            try await request.webSocket(.text).open()
            Issue.record("it was trusted")
        } catch let error as ErrandError {
            #expect((error.underlyingError as? URLError)?.code == .serverCertificateUntrusted)
        }
    }

    @Test func `a WebSocket connects through a proxy tunnel`() async throws {
        let (process, port) = try await PythonWebSockets.server()
        defer { withExtendedLifetime(process) {} }
        let proxy = try TunnelProxy()
        let request = APIBase()
        request.baseURL = URL(string: "ws://localhost:\(port)")
        request.session = CurlTransport.direct { $0.proxy = .server(proxy.url) }
        let socket = request.webSocket(.text)
        try await socket.send("hello")
        var iterator = socket.makeAsyncIterator()
        #expect(try await iterator.next()?.get() == "hello")
        #expect(proxy.heads.first?.hasPrefix("CONNECT localhost:\(port)") == true)
    }

    @Test(arguments: [true, false])
    func `Python's client exchanges messages with the mock server`(_ isCompressing: Bool) async throws {
        let server = try MockServer()
        let closed = Locked<WebSocketClosure?>(nil)
        server.onWebSocket("/", subprotocols: ["v2"], compression: .init()) { peer in
            while let message = try await peer.receive() { try await peer.send(message) }
        }
        server.onWebSocket("//close") { peer in
            let closure = try await peer.close(.init(rawValue: 4003), reason: "go away")
            closed.withLock { $0 = closure }
        }
        let url = try URL.of(server.url.absoluteString.replacingOccurrences(of: "http", with: "ws") + "/")
        let client = try await PythonWebSockets.client(url, isCompressing: isCompressing)
        withExtendedLifetime(client) {}
        try await server.waitUntil(openConnections: 0)
    }
}
