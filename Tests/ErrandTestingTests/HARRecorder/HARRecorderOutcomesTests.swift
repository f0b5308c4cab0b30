import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `The entry of a HAR recorder` {
    private let server: MockServer
    private let recorder = HARRecorder(hosts: ["127.0.0.1"], bodies: true, redacting: .keepingAll)

    init() throws {
        server = try MockServer()
    }

    private func request(_ path: RequestPath, change: (AnyRequest) -> Void = { _ in }) -> AnyRequest {
        AnyRequest(server.url, path) { request in
            request.interceptors = [recorder]
            change(request)
        }
    }

    @Test func `redirects are one entry with the final response and its URL`() async throws {
        server.on(.get, "/old") { _ in .status(302).with(header: "Location", "/new") }
        server.on(.get, "/new") { _ in .text("here") }
        _ = try await request("/old").start().value
        let entry = try #require(recorder.archive.log.entries.first)
        #expect(recorder.archive.log.entries.count == 1)
        #expect(entry.request.url == "\(server.url)/old")
        #expect(entry.response.url == "\(server.url)/new")
        #expect(entry.response.content.text == "here")
    }

    @Test(arguments: [true, false])
    func `of a redirect to a host that is not named, only the status is recorded`(_ isStreamed: Bool) async throws {
        let other = try MockServer()
        other.on(.get, "/elsewhere") { _ in .json(#"{"token": "theirs"}"#).with(header: "X-Theirs", "theirs") }
        let target = "http://localhost:\(try #require(other.url.port))/elsewhere"
        server.on(.get, "/old") { _ in .status(302).with(header: "Location", target) }
        if isStreamed {
            for try await _ in request("/old").startStream() {}
        } else {
            #expect(try await request("/old").start().value.headers["X-Theirs"] == "theirs")
        }
        let entry = try #require(recorder.archive.log.entries.first)
        #expect(entry.response.status == 200 && entry.response.content.size == 0)
        #expect(entry.response.comment == "from a host that is not recorded")
        let text = try String(decoding: recorder.archive.encoded(), as: UTF8.self).lowercased()
        #expect(!text.contains("theirs") && !text.contains("elsewhere") && !text.contains("token"))
    }

    @Test(arguments: ["http://127.0.0.1/here", "::", nil])
    func `a hook that changes the URL of a response does not make its host a named one`(_ url: String?) async throws {
        let other = try MockServer()
        other.on(.get, "/elsewhere") { _ in .json(#"{"name": "theirs"}"#).with(header: "X-Theirs", "theirs") }
        let target = "http://localhost:\(try #require(other.url.port))/elsewhere"
        server.on(.get, "/old") { _ in .status(302).with(header: "Location", target) }
        var redaction = Cassette.Redaction()
        redaction.response = { $0.url = url }
        let recorder = HARRecorder(hosts: ["127.0.0.1"], bodies: true, redacting: redaction)
        _ = try await request("/old") { $0.interceptors = [recorder] }.start().value
        let text = try String(decoding: recorder.archive.encoded(), as: UTF8.self).lowercased()
        #expect(recorder.archive.log.entries.map(\.response.status) == [200])
        #expect(!text.contains("theirs"))
    }

    @Test func `the address of a host that is not named is not recorded, also if it fails`() async throws {
        let other = try MockServer()
        other.on(.get, "/elsewhere") { _ in .status(200).with(fault: .closeBeforeHead) }
        let target = "http://localhost:\(try #require(other.url.port))/elsewhere"
        server.on(.get, "/old") { _ in .status(302).with(header: "Location", target) }
        server.on(.get, "/") { _ in .status(200).with(fault: .closeBeforeHead) }
        for path in ["/old", "/"] as [RequestPath] {
            await expectFailure(.transportFailed) { try await request(path).start().value }
        }
        let addresses = recorder.archive.log.entries.map(\.serverIPAddress)
        #expect(addresses == [nil, "127.0.0.1"])
    }

    @Test func `a failure has the status 0 and its code`() async throws {
        server.on(.get, "/") { _ in .status(200).with(fault: .closeBeforeHead) }
        let error = await expectFailure(.transportFailed) { try await request("/").start().value }
        let entry = try #require(recorder.archive.log.entries.first)
        #expect(entry.response.status == 0)
        #expect(entry.error?.code == (error?.underlyingError as? URLError)?.code.rawValue)
        #expect(entry.error?.meaning.isEmpty == false)
    }

    @Test func `an error that is not a network failure is recorded by the name of its code`() async throws {
        struct Refusing: Interceptor {
            var placement: InterceptorPlacement { .asListed }

            func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
                throw ErrandError(.timedOut, reason: "planted")
            }
        }
        await expectFailure(.timedOut) {
            try await request("/") { $0.interceptors += [Refusing()] }.start().value
        }
        let entry = try #require(recorder.archive.log.entries.first)
        #expect(entry.error?.code == URLError.Code.unknown.rawValue)
        #expect(entry.error?.meaning == "timedOut")
        #expect(try !String(decoding: recorder.archive.encoded(), as: UTF8.self).contains("planted"))
    }

    @Test func `a cancelled request is an entry with the failure of a cancellation`() async throws {
        let gate = Gate()
        server.on(.get, "/") { _ in
            try? await gate.pass()
            return .status(200)
        }
        let pipeline = request("/").start()
        let task = Task { try await pipeline.value }
        try await gate.waitForArrivals(1)
        #expect(recorder.archive.log.entries.isEmpty)
        #expect(
            recorder.archive.log.comment
                == "requests: 1, kept: 0, oldest removed because of the maximum size: 0, without a response yet: 1")
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        gate.open()
        let entry = try #require(recorder.archive.log.entries.first)
        #expect(entry.error?.code == URLError.Code.cancelled.rawValue)
        #expect(entry.response.status == 0)
        #expect(recorder.archive.log.comment == nil)
    }

    @Test func `a stream that is being read has the part read so far, and later all of it`() async throws {
        let gates = Gates(1)
        let sent = Locked(0)
        server.on(.get, "/") { _ in
            .stream {
                let count = sent.withLock { sent in
                    sent += 1
                    return sent
                }
                if count == 2 { try await gates.passNext() }
                return count < 3 ? Data("\(count)".utf8) : nil
            }
        }
        var pieces = 0
        for try await _ in request("/").startStream() {
            pieces += 1
            guard pieces == 1 else { continue }
            let content = try #require(recorder.archive.log.entries.first?.response.content)
            #expect(content.text == "1")
            #expect(content.cut == .released)
            gates.open(0)
        }
        let entry = try #require(recorder.archive.log.entries.first)
        #expect(recorder.archive.log.entries.count == 1)
        #expect(entry.response.content.text == "12")
        #expect(entry.response.content.cut == nil)
    }

    @Test func `a stream that breaks off has the bytes before the failure, and the failure`() async throws {
        server.on(.get, "/") { _ in .text("0123456789").with(fault: .closeInBody(after: 4)) }
        await expectFailure(.transportFailed) { for try await _ in request("/").startStream() {} }
        let entry = try #require(recorder.archive.log.entries.first)
        #expect(entry.response.content.text == "0123")
        #expect(entry.response.content.cut == .failed)
        #expect(entry.error?.code == URLError.Code.networkConnectionLost.rawValue)
    }

    @Test func `a stream that the caller stops reading has the bytes that were read`() async throws {
        server.on(.get, "/") { _ in .stream { Data("a".utf8) } }
        for try await _ in request("/").startStream() { break }
        let content = try #require(recorder.archive.log.entries.first?.response.content)
        #expect(content.cut == .released)
        #expect(content.text?.hasPrefix("a") == true)
    }

    @Test func `the handshake of a WebSocket is recorded without the bytes that follow`() async throws {
        let handshake = TransportRequest(URLRequest(url: try #require(URL(string: "ws://127.0.0.1/chat"))))
        let response = try await recorder.intercept(
            handshake,
            next: Next { _ in
                DataResponse(
                    statusCode: 101, headers: ["Upgrade": "websocket"], body: ResponseBody { Data("frame".utf8) })
            })
        var iterator = response.body.makeAsyncIterator()
        #expect(try await iterator.next() == Data("frame".utf8))
        let entry = try #require(recorder.archive.log.entries.first)
        #expect(entry.response.status == 101)
        #expect(entry.response.headers == [HAR.Pair("Upgrade", "websocket")])
        #expect(entry.response.content.size == 0)
    }
}
