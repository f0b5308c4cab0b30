import Errand
import ErrandMockServer
import ErrandTesting
import ErrandWebSocket
import ErrandWebSocketTesting
import TestSupport
import Testing

/// WebSockets before the replacements of the network: stubs, servers and cassettes.
@Suite(.hangGuard) struct `A WebSocket in a test` {
    let stubs = RouteStubs()

    private func echo(_ url: String = "https://shelf.example.com/v1/chat") -> TextRequest {
        let request = TextRequest(URL(string: url))
        request.timeoutInterval = .hangGuard
        return request
    }

    @Test func `the guide: a WebSocket is stubbed by its path`() async throws {
        let stubs = RouteStubs()
        stubs.webSocket("/v1/loans") { peer in
            while let message = try await peer.receive() { try await peer.send(message) }
        }

        let echo = try await stubs.run {
            let loans = LoansRequest().startWebSocket()
            try await loans.send("hello")
            var messages = loans.makeAsyncIterator()
            return try await messages.next()?.get()
        }
        #expect(echo == "hello")
    }

    private final class LoansRequest: APIBase, WebSocketRequest {
        override init() {
            super.init()
            baseURL = URL(string: "https://library.example.com/v1")
            path = "/loans"
        }

        func startWebSocket() -> WebSocket<String, String> {
            webSocket(.text)
        }
    }

    @Test func `a WebSocket whose stub is set after the start fails`() async throws {
        let request = LoansRequest()
        let socket = request.startWebSocket()
        request.webSocketStub = request.stubWebSocket { _ in }
        await expectFailure(.invalidSetting) { try await socket.nextValue() }
    }

    @Test(.enabled(if: WallProcess.isCurrent)) func `the network wall stops a WebSocket without a stub`() async throws {
        _ = await NetworkWall.run { () async in
            await expectFailure(.notStubbed) { try await LoansRequest().startWebSocket().nextValue() }
        }
    }

    @Test func `the guide: a mock server serves a WebSocket`() async throws {
        let server = try MockServer()
        server.onWebSocket("/echo", subprotocols: ["chat"]) { peer in
            while let message = try await peer.receive() { try await peer.send(message) }
        }
        let socket = TextRequest(server.url.appendingPathComponent("echo")).startWebSocket()
        try await socket.send("hello")
        #expect(try await socket.nextValue() == "hello")
        #expect(try await socket.close().code == .normal)
    }

    private final class GrantRequest: APIBase, Request {
        override init() {
            super.init()
            baseURL = URL(string: "https://shelf.example.com/v1")
            method = .post
            path = "/grant"
        }

        func start() -> Pipeline<String, any Error> { sendRequest().decodeText() }
    }

    @Test func `stubs apply to WebSockets and the requests of their opening`() async throws {
        stubs.on(.post, "/v1/grant", .text("t1"), times: .once)
        stubs.webSocket("/v1/chat", where: .header("Authorization", "Bearer t1"), times: .once) { peer in
            while let message = try await peer.receive() { try await peer.send(message) }
        }
        let authentication = TokenAuthentication { _ in AccessToken(try await GrantRequest().start().value) }
        try await stubs.run { () async throws in
            let request = echo()
            request.interceptors = [authentication]
            let chat = request.startWebSocket()
            try await chat.send("hello")
            #expect(try await chat.nextValue() == "hello")
            try await chat.close()
        }
    }

    @Test func `an unexpected WebSocket is rejected`() async throws {
        stubs.webSocket("/v1/room", times: .any) { _ in }
        let failure = await #expect(throws: StubFailure.self) {
            try await stubs.run { () async throws in
                await expectFailure(.unexpectedRequest) { try await echo().startWebSocket().open() }
            }
        }
        #expect(
            failure?.problems.first?.message.hasPrefix(
                "the WebSocket /v1/chat is not stubbed; the nearest: the WebSocket /v1/room") == true)
    }

    @Test func `stubs can be used as the session of a WebSocket`() async throws {
        stubs.webSocket("/v1/chat") { peer in try await peer.send("welcome") }
        let request = echo()
        request.session = stubs
        #expect(try await request.startWebSocket().nextValue() == "welcome")
        try stubs.verify()
    }

    @Test func `a WebSocket is not recorded, and a replay rejects it`() async throws {
        let server = try MockServer()
        server.onWebSocket("/chat") { peer in
            try await peer.send("welcome")
            try await peer.close()
        }
        let file = try TemporaryFile(pathExtension: "har")
        try FileManager.default.removeItem(at: file.url)
        let url = server.url.appendingPathComponent("chat")
        server.on(.get, "/") { _ in .json("[]") }
        try await Cassette(at: file.url, mode: .record).run { () async throws in
            let plain = APIBase()
            plain.url = server.url
            _ = try await plain.sendRequest().value
            #expect(try await echo(url.absoluteString).startWebSocket().nextValue() == "welcome")
        }
        let error = await expectFailure(.notRecorded) {
            try await Cassette(at: file.url, mode: .replay).run {
                try await echo(url.absoluteString).startWebSocket().nextValue()
            }
        }
        #expect(error?.reason?.contains("cannot replay a WebSocket") == true)
    }

    #if canImport(CCurl)
    @Test func `a WebSocket works over TLS`() async throws {
        let server = try MockServer(tls: .selfSigned)
        server.onWebSocket("/echo") { peer in
            while let message = try await peer.receive() { try await peer.send(message) }
        }
        var configuration = CurlConfiguration()
        configuration.proxy = .none
        configuration.tls.additionalAuthorities = server.certificateAuthority
        let request = echo(server.url.absoluteString.replacing("https", with: "wss") + "/echo")
        request.session = CurlTransport(configuration)
        let socket = request.startWebSocket()
        let long = String(repeating: "long ", count: 20_000)
        for text in ["hello", long] {
            try await socket.send(text)
            #expect(try await socket.nextValue() == text)
        }
        #expect(try await socket.close().code == .normal)
        try await server.waitUntil(openConnections: 0)
        #expect(server.requests.first?.tls?.version == "TLSv1.3")
    }
    #endif
}
