#if canImport(CCurl)
import Dispatch
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@testable import Errand

/// Code of the user that blocks holds up its own request alone.
@Suite(.hangGuard) struct `Contract: code of the user` {
    /// A transport, and code of the user that does not return before the transport's thread has gone on.
    private struct Peer {
        let transport = CurlTransport()
        /// One entry for each call: whether the thread went on meanwhile.
        let calls = Recorder<Bool>()

        /// Waits for the transport's thread several times, so that it also processes what arrives.
        func block() {
            let engine = transport.engines.ofCurrentThread
            let hasGoneOn =
                CurlEngine.current == nil
                && (0..<20).allSatisfy { _ in
                    let turn = DispatchSemaphore(value: 0)
                    engine.submit(.count { _ in turn.signal() })
                    return turn.wait(timeout: .now() + .hangGuard) == .success
                }
            calls.record(hasGoneOn)
        }
    }

    /// An observer that blocks.
    private struct Blocking: ExchangeObserver, ExchangeObservation {
        let peer: Peer

        func began(_ exchange: ObservedExchange) -> any ExchangeObservation {
            peer.block()
            return self
        }

        var fields: HeaderFields {
            peer.block()
            return ["X-Seen": "yes"]
        }

        func ended(_ outcome: ExchangeOutcome) { peer.block() }
    }

    private static let redirects: [MockResponse] = [
        .status(302), .text("moved", statusCode: 302),
        MockResponse(statusCode: 302, body: .chunked([Data("mo".utf8), Data("ved".utf8)])),
        MockResponse(statusCode: 302, body: .untilClose(Data("moved".utf8))),
        .text("moved", statusCode: 302).with(header: "Connection", "close"),
    ].map { $0.with(header: "Location", "/to") }

    @Test(arguments: redirects.indices, [true, false])
    func `a decision about a redirect that blocks holds up no other request`(
        _ index: Int, _ isFollowed: Bool
    ) async throws {
        let server = try MockServer()
        server.on(.get, "/from", Self.redirects[index])
        server.on(.get, "/to", .text("here"))
        for isStreamed in [false, true] {
            let peer = Peer()
            var request = TransportRequest(
                URLRequest(url: server.url.appending(path: "from"), timeoutInterval: .hangGuard))
            request.streamsResponse = isStreamed
            request.redirectPolicy = .decide { _, _ in
                peer.block()
                return isFollowed
            }
            let response = try await peer.transport.send(request)
            var body = response.data
            if isStreamed { for try await piece in response.body { body += piece } }
            #expect(response.statusCode == (isFollowed ? 200 : 302))
            #expect(String(decoding: body, as: UTF8.self) == (isFollowed ? "here" : index == 0 ? "" : "moved"))
            #expect(peer.calls.elements == [true])
        }
    }

    @Test func `an observer that blocks at a redirect holds up no other request`() async throws {
        let server = try MockServer()
        server.on(.get, "/from", Self.redirects[1])
        server.on(.get, "/to", .text("here"))
        let peer = Peer()
        let request = Probe(server.url, peer.transport, path: "/from")
        request.observers = [Blocking(peer: peer)]
        #expect(try await request.start().value.data == Data("here".utf8))
        #expect(server.requests.map { $0.headers["X-Seen"] } == ["yes", "yes"])
        #expect(peer.calls.elements == Array(repeating: true, count: 6))
    }

    @Test func `trailers of a request that block hold up no other request`() async throws {
        let server = try MockServer()
        server.onAny { _ in .status(200) }
        let peer = Peer()
        let request = Probe(server.url, peer.transport, method: .post)
        let pieces = AsyncStream { continuation in
            continuation.yield(Data("one".utf8))
            continuation.finish()
        }
        request.body = .stream(
            BodyStream(
                pieces,
                trailers: {
                    peer.block()
                    return ["X-Digest": "abc"]
                }))
        _ = try await request.start().value
        #expect(try await server.takeRequest().trailers["X-Digest"] == "abc")
        #expect(peer.calls.elements == [true])
    }

    @Test func `a request that is cancelled during a decision ends, and nothing follows`() async throws {
        let server = try MockServer()
        server.on(.get, "/from", Self.redirects[1])
        let transport = CurlTransport()
        let request = Probe(server.url, transport, path: "/from")
        let task = Locked<Task<DataResponse, any Error>?>(nil)
        request.redirectPolicy = .decide { _, _ in
            task.withLock { $0 }?.cancel()
            return true
        }
        let start = Gate()
        let run = Task {
            try await start.pass()
            return try await request.start().value
        }
        task.withLock { $0 = run }
        start.open()
        await #expect { try await run.value } throws: { ($0 as? ErrandError)?.code == .cancelled }
        await transport.shutdown()
        #expect(server.requests.map(\.path) == ["/from"])
    }
}
#endif
