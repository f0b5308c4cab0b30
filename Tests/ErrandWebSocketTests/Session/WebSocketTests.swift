import Errand
import ErrandTesting
import ErrandWebSocket
import ErrandWebSocketTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `A WebSocket` {
    private func stubbed(
        _ options: WebSocketOptions = WebSocketOptions(), greeting: String? = nil,
        _ serve: @escaping @Sendable (WebSocketPeer) async throws -> Void
    ) -> WebSocket<String, String> {
        let request = TextRequest(nil, options, greeting: greeting)
        request.webSocketStub = request.stubWebSocket(
            subprotocols: ["v2"], compression: options.compression, serve: serve)
        return request.startWebSocket()
    }

    /// Returns each message to the client until it closes.
    @Sendable private func echo(_ peer: WebSocketPeer) async throws {
        while let message = try await peer.receive() { try await peer.send(message) }
    }

    @Test func `a WebSocket sends and receives values with the request of its class`() async throws {
        let request = RoomRequest(id: 7)
        let seen = Recorder<String>()
        request.webSocketStub = request.stubWebSocket { peer in
            seen.record(peer.target)
            seen.record(peer.headers["Accept-Language"] ?? "")
            seen.record(peer.headers["Host"] ?? "")
            while let message = try await peer.receive() {
                seen.record(message.text ?? "")
                try await peer.send(#"{"text": "heard"}"#)
            }
        }
        let socket = request.startWebSocket()
        try await socket.send(ChatCommand(say: "hello"))
        #expect(try await socket.nextValue() == ChatEvent(text: "heard"))
        #expect(try await socket.close() == WebSocketClosure(code: .normal))
        #expect(seen.elements == ["/v1/rooms/7", "en", "chat.example.com", #"{"say":"hello"}"#])
        #expect(request.request?.url?.absoluteString == "https://chat.example.com/v1/rooms/7")
    }

    @Test func `a message that cannot be decoded is a failed element, and later messages are read`() async throws {
        let request = RoomRequest(id: 7)
        request.webSocketStub = request.stubWebSocket { peer in
            for text in [#"{"text": "one"}"#, #"{"text": 2}"#, "{", #"{"text": "three"}"#] { try await peer.send(text) }
            try await peer.close()
        }
        let elements = try await request.startWebSocket().elements()
        #expect(elements.map { try? $0.get().text } == ["one", nil, nil, "three"])
        guard case .failure(let error) = elements[1] else {
            Issue.record("no failure")
            return
        }
        #expect(error.code == .decodingFailed)
        #expect(error.reason == "text is a number, not String, at line 1, column 10")
    }

    @Test func `an error of a custom coding is not described as one of JSON`() async throws {
        let request = RoomRequest(id: 7)
        request.webSocketStub = request.stubWebSocket { peer in
            try await peer.send("seven")
            try await peer.close()
        }
        let coding = WebSocketCoding<Int, Int>(
            decode: { _ in throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no number")) },
            encode: { .text("\($0)") })
        let element = try #require(try await request.webSocket(coding).elements().first)
        let error = await expectFailure(.decodingFailed) { try element.get() }
        #expect(error?.reason == "the top level is not valid")
    }

    @Test func `a WebSocket can use texts, data or whole messages`() async throws {
        let request = ChatAPI()
        request.webSocketStub = request.stubWebSocket(serve: echo)
        let data = request.webSocket(.data)
        try await data.send(Data([1, 2]))
        #expect(try await data.nextValue() == Data([1, 2]))
        let messages = request.webSocket(.messages)
        try await messages.send(.text("a"))
        #expect(try await messages.nextValue() == .text("a"))
        request.webSocketStub = request.stubWebSocket { peer in
            try await peer.send(Data([1]))
            try await peer.close()
        }
        let text = try await request.webSocket(.text).elements()
        #expect(text.count == 1 && (try? text[0].get()) == nil)
    }

    @Test func `messages sent before the connection opens are sent in order`() async throws {
        let gate = Gate()
        let request = TextRequest()
        request.interceptors = [Holding(gate: gate)]
        request.webSocketStub = request.stubWebSocket(serve: echo)
        let socket = request.startWebSocket()
        let sending = (0..<20).map { number in
            Task { @MainActor in try await socket.send("\(number)") }
        }
        try await gate.waitForArrivals(1)
        gate.open()
        for number in 0..<20 { #expect(try await socket.nextValue() == "\(number)") }
        for task in sending { try await task.value }
    }

    @Test func `long messages sent by many tasks at once stay intact`() async throws {
        let socket = stubbed(WebSocketOptions(clock: ContinuousClock()) { $0.maximumFragmentSize = 100 }, echo)
        try await withThrowingTaskGroup { group in
            for number in 0..<50 {
                group.addTask { try await socket.send(String(repeating: "\(number),", count: 500)) }
            }
            group.addTask { for _ in 0..<10 { try await socket.ping() } }
            var seen: Set<String> = []
            for _ in 0..<50 {
                let text = try await socket.nextValue() ?? ""
                seen.insert(String(text.prefix { $0 != "," }))
                #expect(Set(text.split(separator: ",")).count == 1)
            }
            #expect(seen.count == 50)
            try await group.waitForAll()
        }
    }

    @Test func `opening a WebSocket returns the subprotocol and the compression`() async throws {
        let options = WebSocketOptions(clock: ContinuousClock()) { $0.subprotocols = ["v1", "v2"] }
        let opening = try await stubbed(options, echo).open()
        #expect(opening.subprotocol == "v2")
        #expect(opening.isCompressed == true)
        #expect(opening.number == 1)
        #expect(opening.headers["Upgrade"] == "websocket")
    }

    @Test func `a normal close ends the stream after the messages before it`() async throws {
        for code in [WebSocketCloseCode.normal, .goingAway, .noStatus] {
            let socket = stubbed { peer in
                try await peer.send("last")
                try await peer.close(code, reason: "done")
            }
            #expect(try await socket.elements().map { try $0.get() } == ["last"])
            #expect(socket.closure?.code == code)
            #expect(socket.closure?.reason == (code == .noStatus ? "" : "done"))
            let error = await expectFailure(.webSocketClosed) { try await socket.send("late") }
            #expect(error?.underlyingError as? WebSocketClosure == socket.closure)
            #expect(try await socket.nextValue() == nil)
        }
    }

    @Test func `an abnormal close is thrown with its code but without its reason in the description`() async throws {
        let socket = stubbed { peer in
            try await peer.send("last")
            try await peer.close(WebSocketCloseCode(rawValue: 4003), reason: "secret")
        }
        #expect(try await socket.nextValue() == "last")
        let error = await expectFailure(.webSocketClosed) { try await socket.nextValue() }
        #expect(error?.underlyingError as? WebSocketClosure == .init(code: .init(rawValue: 4003), reason: "secret"))
        #expect(error?.description.contains("4003") == true)
        #expect(error?.url?.absoluteString == "wss://chat.example.com/v1")
        #expect(!"\(error as Any)".contains("secret"))
        #expect(!"\(socket.closure as Any)".contains("secret"))
    }

    @Test func `a lost connection is thrown once, and later sends fail with it`() async throws {
        let socket = stubbed { peer in
            try await peer.send("one")
            peer.cut()
        }
        #expect(try await socket.nextValue() == "one")
        var iterator = socket.makeAsyncIterator()
        await expectTransportFailure(.networkConnectionLost) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
        await expectTransportFailure(.networkConnectionLost) { try await socket.send("late") }
        await expectTransportFailure(.networkConnectionLost) { try await socket.open() }
        #expect(socket.closure?.code == .abnormal)
    }

    @Test func `cancelling a reader closes the connection of a WebSocket`() async throws {
        let (entered, left) = (Gate(), Gate())
        let socket = stubbed { peer in
            entered.open()
            _ = try? await peer.receive()
            left.open()
        }
        let reading = Task { try await socket.nextValue() }
        try await entered.pass()
        reading.cancel()
        await expectFailure(.cancelled) { try await reading.value }
        try await left.pass()
        await expectFailure(.cancelled) { try await socket.send("late") }
    }

    @Test func `releasing a WebSocket closes its connection`() async throws {
        let left = Gate()
        var socket: WebSocket<String, String>? = stubbed { peer in
            try await peer.send("one")
            _ = try? await peer.receive()
            left.open()
        }
        #expect(try await socket?.nextValue() == "one")
        socket = nil
        try await left.pass()
    }

    @Test func `a message whose sender is cancelled before the connection opens is not sent`() async throws {
        let gate = Gate()
        let request = TextRequest()
        request.interceptors = [Holding(gate: gate)]
        request.webSocketStub = request.stubWebSocket(serve: echo)
        let socket = request.startWebSocket()
        let first = Task { try await socket.send("first") }
        try await gate.waitForArrivals(1)
        first.cancel()
        await expectFailure(.cancelled) { try await first.value }
        gate.open()
        try await socket.send("second")
        #expect(try await socket.nextValue() == "second")
    }

    @Test func `a rejected handshake fails with status, fields and body`() async throws {
        let request = TextRequest()
        request.webSocketStub = request.stubWebSocket(
            refusing: 403, headers: ["X-Reason": "banned"], data: Data("not you".utf8))
        let socket = request.startWebSocket()
        let error = await expectFailure(.unacceptableStatusCode) { try await socket.nextValue() }
        #expect(error?.statusCode == 403)
        #expect(error?.headers["X-Reason"] == "banned")
        #expect(error.map { String(decoding: $0.bodyPrefix, as: UTF8.self) } == "not you")
        #expect(error?.attempts == 1)
        await expectFailure(.unacceptableStatusCode) { try await socket.open() }
    }

    @Test func `a redirect of a handshake is not followed`() async throws {
        let request = TextRequest()
        request.webSocketStub = request.stubWebSocket(refusing: 302, headers: ["Location": "wss://other.example.com"])
        let error = await expectFailure(.unacceptableStatusCode) { try await request.startWebSocket().open() }
        #expect(error?.headers["Location"] == "wss://other.example.com")
    }

    @Test func `an interceptor can change and repeat the handshake`() async throws {
        let request = TextRequest()
        let seen = Recorder<String>()
        request.interceptors = [Token(seen: seen)]
        let refusing = request.stubWebSocket(refusing: 401)
        let serving = request.stubWebSocket { peer in
            try await peer.send(peer.headers["Authorization"] ?? "none")
            _ = try await peer.receive()
        }
        request.webSocketStub = request.stubWebSocket(inTurn: [refusing, serving])
        let socket = request.startWebSocket()
        #expect(try await socket.nextValue() == "Bearer new")
        #expect(seen.elements == ["401", "101"])
        _ = try await socket.close()
    }

    @Test func `an upgrade response that an interceptor creates is rejected`() async throws {
        let request = TextRequest()
        request.interceptors = [MadeUp()]
        request.webSocketStub = request.stubWebSocket(serve: echo)
        await expectFailure(.webSocketHandshakeFailed) { try await request.startWebSocket().open() }
    }

    @Test func `a handshake changed by an interceptor is validated`() async throws {
        struct Changing: Interceptor {
            let change: @Sendable (inout URLRequest) -> Void
            func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
                var request = request
                change(&request.urlRequest)
                return try await next(request)
            }
        }
        let changes: [(ErrandError.Code, @Sendable (inout URLRequest) -> Void)] = [
            (.invalidMethod, { $0.httpMethod = "POST" }), (.unsupportedByTransport, { $0.httpBody = Data("x".utf8) }),
            (.invalidHeaderField, { $0.setValue("x", forHTTPHeaderField: "Sec-WebSocket-Key") }),
        ]
        for (code, change) in changes {
            let request = TextRequest()
            request.interceptors = [Changing(change: change)]
            request.webSocketStub = request.stubWebSocket(serve: echo)
            let error = await expectFailure(code) { try await request.startWebSocket().open() }
            #expect(error?.attempts == 0)
        }
    }

    @Test func `an invalid WebSocket request is rejected before anything is sent`() async throws {
        func fault(_ change: (TextRequest) -> Void, _ options: WebSocketOptions = .init()) async throws -> ErrandError {
            let request = TextRequest(nil, options)
            request.webSocketStub = request.stubWebSocket(serve: echo)
            change(request)
            let socket = request.startWebSocket()
            do {
                try await socket.open()
            } catch let error as ErrandError {
                return error
            }
            throw Fault.first
        }
        #expect(try await fault { $0.method = .post }.code == .invalidMethod)
        #expect(try await fault { $0.body = .text("x").withAnyMethod() }.code == .unsupportedByTransport)
        #expect(try await fault { $0.headers["sec-websocket-key"] = "x" }.code == .invalidHeaderField)
        #expect(try await fault { $0.headers["Connection"] = "close" }.code == .invalidHeaderField)
        #expect(try await fault { $0.baseURL = URL(string: "ftp://example.com") }.code == .invalidURL)
        #expect(try await fault { $0.baseURL = nil }.code == .missingBaseURL)
        let bad = WebSocketOptions(clock: ContinuousClock()) { $0.subprotocols = ["a b"] }
        #expect(try await fault({ _ in }, bad).code == .invalidHeaderField)
        let twice = WebSocketOptions(clock: ContinuousClock()) { $0.subprotocols = ["a", "a"] }
        #expect(try await fault({ _ in }, twice).code == .invalidHeaderField)
        let unsupported = try await fault {
            $0.webSocketStub = nil
            $0.session = RecordingTransport()
        }
        #expect(unsupported.code == .unsupportedByTransport)
    }

    @Test func `a plain request of a WebSocket class still needs an HTTP URL`() async throws {
        let request = TextRequest()
        _ = request.startWebSocket()
        await expectFailure(.invalidURL) { try await request.sendRequest().value }
    }

    @Test func `a WebSocket can be started with another service and its fields`() async throws {
        let staging = APIService(baseURL: "ws://staging.example.com", headers: ["X-Tenant": "acme"])
        let request = TextRequest()
        request.webSocketStub = request.stubWebSocket { peer in
            try await peer.send("\(peer.headers["Host"] ?? "") \(peer.headers["X-Tenant"] ?? "")")
        }
        let socket = request.startWebSocket(with: staging)
        #expect(try await socket.nextValue() == "staging.example.com acme")
    }

    @Test func `invalid limits in the options are replaced with valid ones`() async throws {
        let options = WebSocketOptions(clock: ContinuousClock()) {
            $0.maximumFragmentSize = -5
            $0.incomingBufferSize = .min
            $0.closeTimeout = .seconds(Int64.max)
            $0.compression?.serverMaximumWindowBits = 400
            $0.compression?.clientMaximumWindowBits = -400
            $0.heartbeat = .init(interval: .seconds(Int64.max), timeout: .seconds(Int64.max))
        }
        let socket = stubbed(options, echo)
        try await socket.send("hello")
        #expect(try await socket.nextValue() == "hello")
        _ = try await socket.close(WebSocketCloseCode(rawValue: 7), reason: String(repeating: "x", count: 1000))
        #expect(socket.closure?.code == .noStatus)
    }
}

/// Delays the handshake.
private struct Holding: Interceptor {
    let gate: Gate

    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        try await gate.pass()
        return try await next(request)
    }
}

/// Responds to a 401 with a token.
private struct Token: Interceptor {
    let seen: Recorder<String>

    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        let response = try await next(request)
        seen.record("\(response.statusCode)")
        guard response.statusCode == 401 else { return response }
        var request = request
        request.urlRequest.setValue("Bearer new", forHTTPHeaderField: "Authorization")
        let second = try await next(request)
        seen.record("\(second.statusCode)")
        return second
    }
}

/// Responds in place of the server.
private struct MadeUp: Interceptor {
    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        DataResponse(statusCode: 101)
    }
}
