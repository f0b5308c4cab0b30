import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

struct `Contract: methods and bodies` {
    let server: MockServer

    init() throws {
        server = try MockServer()
        server.onAny { request in
            MockResponse(headers: ["X-Method": request.method.rawValue], body: .sized(request.body))
        }
    }

    @Test(arguments: TransportUnderTest.allCases, [RequestMethod.post, .put, .patch, .delete, .options, "PURGE"])
    func `every method is sent with a body and without one`(
        _ transport: TransportUnderTest, _ method: RequestMethod
    ) async throws {
        let request = transport.probe(server, method: method)
        #expect(try await request.start().value.data.isEmpty)
        request.body = .data(Data("content".utf8), type: .plainText).withAnyMethod()
        #expect(try await request.start().value.data == Data("content".utf8))
        let seen = server.requests
        #expect(seen.map(\.method) == [method, method])
        #expect(seen.last?.headers["Content-Type"] == "text/plain")
        #expect(seen.last?.headers[values: "Content-Length"] == ["7"])
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a body is sent with one Content-Length, even if the caller sets it too`(_ transport: TransportUnderTest)
        async throws
    {
        let request = transport.probe(server, method: .post)
        request.body = .data(Data("content".utf8), type: nil)
        request.headers["Content-Length"] = "7"
        _ = try await request.start().value
        #expect(server.requests.last?.headers[values: "Content-Length"] == ["7"])
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a body of one megabyte is sent and received complete`(_ transport: TransportUnderTest) async throws {
        let request = transport.probe(server, method: .post)
        let body = Data((0..<1_048_576).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        request.body = .data(body)
        #expect(try await request.start().value.data == body)
        #expect(request.uploadProgress.latest == .init(completed: 1_048_576, total: 1_048_576))
        #expect(request.downloadProgress.latest == .init(completed: 1_048_576, total: 1_048_576))
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a stream whose pieces arrive later is sent complete`(_ transport: TransportUnderTest) async throws {
        let request = transport.probe(server, method: .post)
        let (stream, writer) = try slowStream()
        request.body = .stream(BodyStream(stream, count: 9))
        async let response = request.start().value
        writer.write("one")
        writer.write("two")
        writer.write("six")
        writer.close()
        #expect(try await response.data == Data("onetwosix".utf8))
    }

    @Test(arguments: TransportUnderTest.allCases, [3, 5])
    func `a request whose stream has another length than its count sends nothing`(
        _ transport: TransportUnderTest, _ count: Int
    ) async throws {
        let request = transport.probe(server, method: .post)
        request.body = .stream(BodyStream(InputStream(data: Data("four".utf8)), count: count))
        await expectFailure(.bodyCountMismatch) { try await request.start().value }
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `HEAD, 204 and 304 responses end without a body`(_ transport: TransportUnderTest) async throws {
        server.on(.head, "/*") { _ in .text("never sent") }
        server.on(.get, "/204") { _ in .status(204) }
        server.on(.get, "/304") { _ in .status(304).with(header: "ETag", "\"1\"") }
        let head = try await transport.probe(server, "/head", method: .head).start().value
        #expect(head.data.isEmpty)
        #expect(head.headers["content-length"] == "10")
        #expect(try await transport.probe(server, "/204").start().value.statusCode == 204)
        #expect(try await transport.probe(server, "/304").start().value.headers["ETag"] == "\"1\"")
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a GET request with a body is sent, or rejected before anything is sent`(
        _ transport: TransportUnderTest
    ) async throws {
        let request = transport.probe(server)
        request.body = .data(Data("content".utf8), type: nil).withAnyMethod()
        switch transport {
        case .curl:
            #expect(try await request.start().value.data == Data("content".utf8))
        case .urlSession:
            // `URLSession` on Linux refuses it, with an error without a reason; the documentation lists this.
            await expectFailure(.unsupportedByTransport) { try await request.start().value }
            #expect(server.requests.isEmpty)
        }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `header fields are received as set, and repeated ones as one list`(_ transport: TransportUnderTest)
        async throws
    {
        let request = transport.probe(server)
        request.headers = ["X-One": "a b", "X-Tag": "1", "X-Tag": "2"]
        _ = try await request.start().value
        let headers = try #require(server.requests.first?.headers)
        #expect(headers["X-One"] == "a b")
        #expect(headers["X-Tag"]?.filter { $0 != " " } == "1,2")
    }

    @Test func `a field with a blank value is sent, and each request has its own bytes`() async throws {
        let transport = TransportUnderTest.curl.make()
        let names = ["caf\u{E9}", "cafe\u{301}"]
        for name in names {
            let request = Probe(server.url, transport)
            request.headers = ["X-Name": name, "X-Blank": " "]
            _ = try await request.start().value
        }
        let received = server.requests.map(\.headers)
        #expect(received.map { Array($0["X-Name"]?.utf8 ?? "".utf8) } == names.map { Array($0.utf8) })
        #expect(received.map { $0["X-Blank"] } == ["", ""])
    }

    /// A stream over a pipe, whose writer decides when there is something to read.
    private func slowStream() throws -> (InputStream, PipeWriter) {
        let pipe = Pipe()
        let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        return (try #require(InputStream(fileAtPath: path)), PipeWriter(pipe))
    }
}

private struct PipeWriter {
    private let pipe: Pipe

    init(_ pipe: Pipe) {
        self.pipe = pipe
    }

    func write(_ text: String) {
        pipe.fileHandleForWriting.write(Data(text.utf8))
    }

    func close() {
        pipe.fileHandleForWriting.closeFile()
    }
}
