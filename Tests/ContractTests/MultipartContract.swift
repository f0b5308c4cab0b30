import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Contract: multipart responses` {
    private static let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

    /// Returns a multipart body of two parts, in chunks of this size.
    private func response(inChunksOf size: Int) -> MockResponse {
        let parts = [("one", Data("{}".utf8)), ("two", Self.content)]
        var body = Data("a preamble\r\n".utf8)
        for (name, content) in parts {
            body += Data("--b\r\nX-Name: \(name)\r\n\r\n".utf8) + content + Data("\r\n".utf8)
        }
        body += Data("--b--\r\nan epilogue".utf8)
        let chunks = stride(from: 0, to: body.count, by: size).map { body[$0..<min($0 + size, body.count)] }
        return .chunked(chunks.map { Data($0) }).with(header: "Content-Type", "multipart/mixed; boundary=b")
    }

    @Test(arguments: TransportUnderTest.allCases, [7_001, 1 << 20])
    func `the contents of parts are read as they arrive`(_ transport: TransportUnderTest, _ size: Int) async throws {
        let server = try MockServer()
        server.onAny { _ in response(inChunksOf: size) }
        var names: [String?] = []
        var contents: [Data] = []
        for try await part in transport.probe(server).sendStream().streamedParts() {
            names.append(part.headers["X-Name"])
            contents.append(try await part.collected().data)
        }
        #expect(names == ["one", "two"])
        #expect(contents == [Data("{}".utf8), Self.content])
        #expect(server.requests.count == 1)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a piece of a part is received before the server sends the rest`(
        _ transport: TransportUnderTest
    ) async throws {
        let server = try MockServer()
        let gates = Gates(3)
        let chunks = ["--b\r\n\r\none", "two\r\n--b\r\n", "\r\nthree\r\n--b--"].map { Data($0.utf8) }
        server.onAny { _ in
            .chunked(chunks).with(header: "Content-Type", "multipart/mixed; boundary=b")
                .with(fault: .pauseBeforeEachChunk(gates.passNext))
        }
        var parts = transport.probe(server).sendStream().streamedParts().makeAsyncIterator()
        gates.open(0)
        let first = try #require(try await parts.next())
        var content = first.body.makeAsyncIterator()
        #expect(try await content.next() == Data("one".utf8))
        gates.open(1)
        #expect(try await content.next() == Data("two".utf8))
        #expect(try await content.next() == nil)
        gates.open(2)
        #expect(try await parts.next()?.collected().data == Data("three".utf8))
        #expect(try await parts.next() == nil)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a connection that ends within a part fails its content`(_ transport: TransportUnderTest) async throws {
        let server = try MockServer()
        server.onAny { _ in response(inChunksOf: 1000).with(fault: .closeInBody(after: 100_000)) }
        var parts = transport.probe(server).sendStream().streamedParts().makeAsyncIterator()
        #expect(try await parts.next()?.collected().data == Data("{}".utf8))
        let second = try #require(try await parts.next())
        await expectFailure(.transportFailed) { try await second.collected() }
        // A loop that goes on does not take the body for a complete one.
        do {
            _ = try await parts.next()
            Issue.record("the interrupted body has another part, or an end")
        } catch {
            #expect((error as? ErrandError)?.code == .transportFailed)
        }
    }
}
