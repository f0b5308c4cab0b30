import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Contract: responses before the body` {
    /// A body without an end, which opens a gate when it is released.
    private func endlessBody(of count: Int?, left: Gate) -> BodyStream {
        let (stream, writer) = AsyncStream.makeStream(of: Data.self)
        writer.onTermination = { _ in left.open() }
        writer.yield(Data("some".utf8))
        return BodyStream(stream, count: count)
    }

    @Test(arguments: TransportUnderTest.without(.expectation))
    func `a body with Expect: 100-continue is sent after the 100 response`(
        _ transport: TransportUnderTest
    ) async throws {
        let heads = Recorder<String>()
        let server = try RawServer { connection in
            heads.record(connection.readHead())
            try connection.write("HTTP/1.1 100 Continue\r\n\r\n")
            let body = connection.read(atMost: 7)
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
            try connection.write(body)
        }
        let request = Probe(server.url, transport.make(), method: .post)
        request.headers["Expect"] = "100-continue"
        request.body = .data(Data("content".utf8), type: nil)
        let response = try await request.start().value
        #expect(response.statusCode == 200)
        #expect(response.data == Data("content".utf8))
        #expect(heads.elements.count == 1)
        #expect(heads.elements.first?.contains("Expect: 100-continue\r\n") == true)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a request sends no Expect field by default`(_ transport: TransportUnderTest) async throws {
        let server = try MockServer()
        server.onAny { _ in .status(204) }
        let request = transport.probe(server, method: .post)
        request.body = .data(Data(count: 2 << 20), type: nil)
        _ = try await request.start().value
        #expect(server.requests.first?.headers["Expect"] == nil)
    }

    @Test(arguments: TransportUnderTest.without(.expectation), [RequestMethod.post, .put])
    func `a 417 response is returned, and the request is not sent again`(
        _ transport: TransportUnderTest, _ method: RequestMethod
    ) async throws {
        let heads = Recorder<String>()
        let server = try RawServer { connection in
            // libcurl may open a second connection before the transport tells it to send nothing.
            let head = connection.readHead()
            if head.isEmpty { return }
            heads.record(head)
            try connection.write("HTTP/1.1 417 Expectation Failed\r\nX-Why: no\r\nContent-Length: 0\r\n\r\n")
            connection.readToEnd()
        }
        let request = Probe(server.url, transport.make(), method: method)
        request.headers["Expect"] = "100-continue"
        request.body = .data(Data("content".utf8), type: nil)
        let response = try await request.start().value
        #expect(response.statusCode == 417)
        #expect(response.headers["X-Why"] == "no")
        #expect(heads.elements.count == 1)
    }

    @Test(arguments: TransportUnderTest.without(.bodyBeforeItsResponse), [1_000_000_000, nil])
    func `a response that arrives before the body is sent is returned`(
        _ transport: TransportUnderTest, _ count: Int?
    ) async throws {
        let left = Gate()
        let server = try RawServer { connection in
            _ = connection.readHead()
            try connection.write("HTTP/1.1 413 Content Too Large\r\nContent-Length: 4\r\n\r\nmuch")
            connection.readToEnd()
        }
        let request = Probe(server.url, transport.make(), method: .post)
        request.body = .stream(endlessBody(of: count, left: left))
        let response = try await request.start().value
        #expect(response.statusCode == 413)
        #expect(response.data == Data("much".utf8))
        // Releases the body.
        request.body = .empty
        try await left.pass()
    }

    #if canImport(CCurl)
    /// Otherwise only the limit without activity would end the request, here after an hour.
    @Test func `a success before the body is returned after a second without progress`() async throws {
        let left = Gate()
        let server = try RawServer { connection in
            _ = connection.readHead()
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone")
            connection.readToEnd()
        }
        let request = Probe(server.url, TransportUnderTest.curl.make(), method: .post)
        request.timeoutInterval = 3_600
        request.body = .stream(endlessBody(of: nil, left: left))
        #expect(try await request.start().value.data == Data("done".utf8))
        request.body = .empty
        try await left.pass()
    }
    #endif

    @Test(arguments: TransportUnderTest.without(.bodyBeforeItsResponse))
    func `a 413 response in the middle of a large body is returned`(_ transport: TransportUnderTest) async throws {
        let server = try MockServer(maximumBodySize: 1_000)
        let request = transport.probe(server, method: .post)
        request.body = .data(Data(count: 50 << 20), type: nil)
        #expect(try await request.start().value.statusCode == 413)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: TransportUnderTest.without(.bodyBeforeItsResponse))
    func `cancelling an upload releases its body`(_ transport: TransportUnderTest) async throws {
        let server = try MockServer()
        let left = Gate()
        let request = transport.probe(server, method: .post)
        request.body = .stream(endlessBody(of: nil, left: left))
        let progress = request.uploadProgress
        // Only the task holds the body: if it is cancelled between two pieces, no reader is left.
        let task = Task { [pipeline = request.start()] in try await pipeline.value }
        request.body = .empty
        for await snapshot in progress where snapshot.completed == 4 { break }
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        try await left.pass()
        try await server.waitUntil { $0.acceptedConnections == 1 && $0.openConnections == 0 }
        #expect(server.requests.isEmpty)
    }
}
