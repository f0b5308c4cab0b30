import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Contract: the declared lengths of bodies` {
    private let server: MockServer

    init() throws {
        server = try MockServer()
        server.onAny { request in .data(request.body, contentType: "text/plain") }
    }

    private func send(_ body: BodyStream, _ transport: TransportUnderTest) async throws -> DataResponse {
        let request = transport.probe(server, method: .post)
        request.body = .stream(body, type: .plainText)
        return try await request.start().value
    }

    private func stream(_ text: String, count: Int?) -> BodyStream {
        BodyStream(
            AsyncStream {
                $0.yield(Data(text.utf8))
                $0.finish()
            }, count: count)
    }

    @Test(arguments: TransportUnderTest.allCases, [-1, 0, 3, 5])
    func `a stream whose length differs from its count fails the request`(
        _ transport: TransportUnderTest, _ count: Int
    ) async throws {
        await expectFailure(.bodyCountMismatch) { try await send(stream("text", count: count), transport) }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `an empty stream is sent with Content-Length: 0`(_ transport: TransportUnderTest) async throws {
        let empty = BodyStream(AsyncStream<Data> { $0.finish() }, count: 0)
        #expect(try await send(empty, transport).statusCode == 200)
        #expect(server.requests.last?.headers["Content-Length"] == "0")
    }

    #if os(Linux)
    /// The system reports a size of 0 for this file.
    @Test(arguments: TransportUnderTest.allCases)
    func `a file that reports no size fails the request`(_ transport: TransportUnderTest) async throws {
        let file = try BodyStream(file: URL(fileURLWithPath: "/proc/self/status"))
        await expectFailure(.bodyCountMismatch) { try await send(file, transport) }
        #expect(server.requests.isEmpty)
    }
    #endif

    @Test(arguments: TransportUnderTest.allCases)
    func `a stream of many small pieces is sent complete`(_ transport: TransportUnderTest) async throws {
        let pieces = AsyncStream { continuation in
            for number in 0..<10_000 { continuation.yield(Data([UInt8(truncatingIfNeeded: number)])) }
            continuation.finish()
        }
        let response = try await send(BodyStream(pieces), transport)
        #expect(response.data == Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0) }))
    }
}
