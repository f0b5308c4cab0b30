import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

/// Trailer fields after a body (RFC 9110, section 6.5).
@Suite(.hangGuard) struct `Contract: trailers` {
    private static let trailers: HeaderFields = ["X-Digest": "abc", "x-count": "2", "Content-Type": "text/html"]

    private func server() throws -> MockServer {
        let server = try MockServer()
        server.onAny { _ in .chunked([Data("one".utf8), Data("two".utf8)], trailers: Self.trailers) }
        return server
    }

    #if canImport(CCurl)
    @Test func `a collected response has trailers separate from its header fields`() async throws {
        let server = try server()
        let response = try await TransportUnderTest.curl.probe(server).start().value
        #expect(response.trailers.map(\.name) == ["X-Digest", "x-count", "Content-Type"])
        #expect(response.trailers["X-Count"] == "2")
        #expect(response.headers["X-Digest"] == nil)
        #expect(response.headers["Content-Type"] == nil)
    }

    @Test func `a streamed response has trailers after its body`() async throws {
        let server = try server()
        var request = TransportRequest(URLRequest(url: server.url, timeoutInterval: .hangGuard))
        request.streamsResponse = true
        let response = try await TransportUnderTest.curl.make().send(request)
        var body = Data()
        for try await piece in response.body { body += piece }
        #expect(body == Data("onetwo".utf8))
        #expect(response.trailers["x-digest"] == "abc")
    }

    /// libcurl keeps what arrives after a pause, and reports an invalid trailer in it only when the transfer goes on.
    @Test func `an invalid trailer fails a response that was paused before it`() async throws {
        let server = try MockServer()
        server.onAny { request in
            let chunks = [Data(count: CurlTransport.bodyBufferSize), Data(count: Int(request.path.dropFirst()) ?? 0)]
            return .chunked(chunks, trailers: Self.trailers).with(fault: .malformedTrailer)
        }
        let transport = TransportUnderTest.curl.make()
        var responses: [DataResponse] = []
        // Nothing is read until all responses have begun, so that the transfers pause at the end of the buffer.
        for count in stride(from: 1, through: 14 << 10, by: 1 << 10) {
            var request = TransportRequest(
                URLRequest(url: server.url.appending(path: "\(count)"), timeoutInterval: .hangGuard))
            request.streamsResponse = true
            responses.append(try await transport.send(request))
        }
        for response in responses {
            await #expect {
                for try await _ in response.body {}
            } throws: { error in
                ErrandError(transportFailure: error).code == .transportFailed && "\(error)".contains("-1017")
            }
        }
    }

    /// Sends several requests over one transport, because a handle of libcurl 7.88 that has sent trailers keeps that
    /// state.
    @Test func `trailers are sent after the request body`() async throws {
        let server = try MockServer()
        server.onAny { _ in .status(200) }
        let transport = TransportUnderTest.curl.make()
        for _ in 0..<5 {
            try await sendWithTrailers(server, transport)
            let request = Probe(server.url, transport, method: .post)
            request.body = .stream(
                BodyStream(
                    AsyncStream {
                        $0.yield(Data("three".utf8))
                        $0.finish()
                    }))
            _ = try await request.start().value
            #expect(try await server.takeRequest().body == Data("three".utf8))
        }
    }

    private func sendWithTrailers(_ server: MockServer, _ transport: any Transport) async throws {
        for isCompressed in [false, true] {
            try await sendWithTrailers(server, transport, isCompressed: isCompressed)
        }
    }

    private func sendWithTrailers(
        _ server: MockServer, _ transport: any Transport, isCompressed: Bool
    ) async throws {
        let sent = Locked(0)
        let pieces = AsyncStream { continuation in
            for text in ["one", "two"] { continuation.yield(Data(text.utf8)) }
            continuation.finish()
        }
        let counted = pieces.map { piece in
            sent.withLock { $0 += piece.count }
            return piece
        }
        let request = Probe(server.url, transport, method: .post)
        let body = RequestBody.stream(BodyStream(counted, trailers: { ["X-Count": "\(sent.withLock { $0 })"] }))
        request.body = isCompressed ? body.gzipped() : body
        #expect(try await request.start().value.statusCode == 200)
        let received = try await server.takeRequest()
        if !isCompressed { #expect(received.body == Data("onetwo".utf8)) }
        #expect(received.trailers == ["X-Count": "6"])
    }

    @Test(arguments: ["X Digest", "a\r\nInjected: b"])
    func `invalid trailers fail the request`(_ text: String) async throws {
        let server = try MockServer()
        server.onAny { _ in .status(200) }
        let request = TransportUnderTest.curl.probe(server, method: .post)
        let pieces = AsyncStream { $0.finish() } as AsyncStream<Data>
        request.body = .stream(
            BodyStream(pieces, trailers: { text.contains(":") ? ["X-A": text] : HeaderFields([.init(text, "b")]) }))
        let failure = await #expect(throws: ErrandError.self) { try await request.start().value }
        #expect(failure?.code == .invalidHeaderField)
    }
    #endif

    @Test func `URLSession rejects request trailers`() async throws {
        let server = try MockServer()
        let request = TransportUnderTest.urlSession.probe(server, method: .post)
        let pieces = AsyncStream { $0.finish() } as AsyncStream<Data>
        request.body = .stream(BodyStream(pieces, trailers: { ["X-A": "b"] }))
        let failure = await #expect(throws: ErrandError.self) { try await request.start().value }
        #expect(failure?.code == .unsupportedByTransport)
        #expect(server.requests.isEmpty)
    }

    @Test func `a stubbed response has trailers`() async throws {
        let request = Probe(try #require(URL(string: "https://stub.example")), TransportUnderTest.urlSession.make())
        request.dataTaskPipeline = Pipeline {
            DataResponse(statusCode: 200, body: ResponseBody(), trailers: ResponseTrailers(Self.trailers))
        }
        #expect(try await request.start().value.trailers["X-Digest"] == "abc")
    }
}
