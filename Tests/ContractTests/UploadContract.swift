import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Contract: streamed request bodies` {
    let server: MockServer

    init() throws {
        server = try MockServer()
        server.onAny { request in
            request.path == "/from"
                ? .status(307).with(header: "Location", "/to")
                : .data(request.body, contentType: "application/octet-stream")
        }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a file is sent complete, and is read again after a redirect`(_ transport: TransportUnderTest)
        async throws
    {
        let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let file = try TemporaryFile(content)
        let request = transport.probe(server, "/from", method: .put)
        request.body = .file(file.url)
        #expect(try await request.start().value.data == content)
        #expect(server.requests.map(\.path) == ["/from", "/to"])
        for request in server.requests {
            #expect(request.body == content)
            #expect(request.headers[values: "Content-Length"] == ["300000"])
        }
        #expect(request.uploadProgress.latest == .init(completed: 300_000, total: 300_000))
        #expect(try await request.start().value.data == content)
    }

    @Test(arguments: TransportUnderTest.allCases, [9, nil])
    func `a sequence is sent complete, with or without a known length`(
        _ transport: TransportUnderTest, _ count: Int?
    ) async throws {
        let request = transport.probe(server, method: .post)
        request.body = .stream(BodyStream(pieces("one", "", "two", "six"), count: count))
        #expect(try await request.start().value.data == Data("onetwosix".utf8))
        #expect(request.uploadProgress.latest == .init(completed: 9, total: 9))
    }

    @Test(arguments: TransportUnderTest.without(.bodyBeforeItsResponse))
    func `a body of unknown length is sent chunked`(_ transport: TransportUnderTest) async throws {
        let request = transport.probe(server, method: .post)
        request.body = .stream(BodyStream(pieces("one", "two")))
        _ = try await request.start().value
        let headers = try #require(server.requests.first).headers
        #expect(headers["Transfer-Encoding"] == "chunked")
        #expect(headers["Content-Length"] == nil)
    }

    @Test(arguments: TransportUnderTest.without(.bodyBeforeItsResponse))
    func `a redirect fails the request if its sequence cannot be read again`(
        _ transport: TransportUnderTest
    ) async throws {
        let request = transport.probe(server, "/from", method: .post)
        request.body = .stream(BodyStream(pieces("one"), count: 3))
        await expectFailure(.bodyStreamAlreadyOpened) { try await request.start().value }
        #expect(server.requests.map(\.path) == ["/from"])
    }

    @Test(arguments: TransportUnderTest.without(.bodyBeforeItsResponse))
    func `upload progress reports the sent bytes while the rest is pending`(
        _ transport: TransportUnderTest
    ) async throws {
        let (stream, writer) = AsyncStream.makeStream(of: Data.self)
        let request = transport.probe(server, method: .post)
        request.body = .stream(BodyStream(stream, count: 6))
        let progress = request.uploadProgress
        let pipeline = request.start()
        async let response = pipeline.value
        writer.yield(Data("one".utf8))
        for await snapshot in progress where snapshot.completed == 3 {
            #expect(snapshot.total == 6)
            break
        }
        writer.yield(Data("two".utf8))
        writer.finish()
        #expect(try await response.data == Data("onetwo".utf8))
        #expect(progress.latest == .init(completed: 6, total: 6))
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `download progress reports the received bytes while the rest is pending`(
        _ transport: TransportUnderTest
    ) async throws {
        let gates = Gates(3)
        server.on(.get, "/gated") { _ in
            .chunked([Data("01234".utf8), Data("56789".utf8)]).with(fault: .pauseBeforeEachChunk(gates.passNext))
        }
        let request = transport.probe(server, "/gated")
        let progress = request.downloadProgress
        let pipeline = request.start()
        async let response = pipeline.value
        gates.open(0)
        for await snapshot in progress where snapshot.completed == 5 { break }
        gates.open(1)
        gates.open(2)
        #expect(try await response.data == Data("0123456789".utf8))
        #expect(progress.latest == .init(completed: 10, total: 10))
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `the error of a body sequence fails the request`(_ transport: TransportUnderTest) async throws {
        let request = transport.probe(server, method: .post)
        let sent = Recorder<Int>()
        request.body = .stream(
            BodyStream(
                AsyncThrowingStream {
                    sent.record(1)
                    if sent.elements.count > 2 { throw Fault.first }
                    return Data("piece".utf8)
                }))
        let error = await expectFailure(.transportFailed) { try await request.start().value }
        #expect(error?.underlyingError as? Fault == .first)
        #expect(sent.elements.count == 3)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: TransportUnderTest.allCases, [3, 4, 8])
    func `a sequence whose length differs from its count sends nothing`(_ transport: TransportUnderTest, _ count: Int)
        async throws
    {
        let request = transport.probe(server, method: .post)
        request.body = .stream(BodyStream(pieces("four", "5", "six"), count: count == 8 ? 9 : count))
        await expectFailure(.bodyCountMismatch) { try await request.start().value }
        #expect(server.requests.isEmpty)
    }

    private func pieces(_ texts: String...) -> AsyncStream<Data> {
        AsyncStream { writer in
            for text in texts { writer.yield(Data(text.utf8)) }
            writer.finish()
        }
    }
}
