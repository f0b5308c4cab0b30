import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Contract: streamed response bodies` {
    let server: MockServer

    init() throws {
        server = try MockServer()
    }

    private func request() -> TransportRequest { TransportRequest(URLRequest(url: server.url)) }

    private func stalling() {
        server.onAny { _ in .text("0123456789").with(fault: .stallInBody(after: 5)) }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a streamed response has its head and its complete body`(_ transport: TransportUnderTest) async throws {
        let content = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13) })
        server.onAny { _ in .data(content, contentType: "image/png") }
        let response = try await transport.make().stream(request())
        #expect(response.statusCode == 200)
        #expect(response.headers["content-type"] == "image/png")
        #expect(response.url == server.url)
        #expect(response.metrics == nil)
        var body = Data()
        for try await piece in response.body {
            #expect(!piece.isEmpty)
            body += piece
        }
        #expect(body == content)
    }

    @Test func `16 KiB reads are combined into larger pieces, up to half of the buffer`() async throws {
        server.onAny { _ in .data(Data(count: 8 << 20), contentType: "application/octet-stream") }
        var largest = 0
        var total = 0
        for try await piece in try await TransportUnderTest.curl.make().stream(request()).body {
            largest = max(largest, piece.count)
            total += piece.count
        }
        #expect(total == 8 << 20)
        // While eight megabytes arrive over the loopback, some of the reads return more than 16 KiB.
        #expect(largest > 16 << 10)
        #expect(largest < CurlTransport.bodyBufferSize / 2 + (16 << 10))
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `pieces of a streamed body are received as they are sent`(_ transport: TransportUnderTest) async throws {
        let gates = Gates(4)
        server.onAny { _ in
            .chunked(["one", "two", "three"].map { Data($0.utf8) }).with(fault: .pauseBeforeEachChunk(gates.passNext))
        }
        let response = try await transport.make().stream(request())
        #expect(response.headers["Transfer-Encoding"] == "chunked")
        var body = response.body.makeAsyncIterator()
        for (gate, text) in ["one", "two", "three"].enumerated() {
            gates.open(gate)
            #expect(try await body.next() == Data(text.utf8))
            // The server waits at the next gate, so it cannot have sent more than this.
            try await gates.waitForArrival(at: gate + 1)
        }
        gates.open(3)
        #expect(try await body.next() == nil)
        #expect(try await body.next() == nil)
    }

    @Test(arguments: TransportUnderTest.without(.severalMembers))
    func `a compressed streamed body is decoded as it arrives`(_ transport: TransportUnderTest) async throws {
        let gates = Gates(3)
        server.onAny { _ in
            .chunked([CodedText.gzip, CodedText.gzip]).with(header: "Content-Encoding", "gzip")
                .with(fault: .pauseBeforeEachChunk(gates.passNext))
        }
        var body = try await transport.make().stream(request()).body.makeAsyncIterator()
        for gate in 0..<2 {
            gates.open(gate)
            var text = Data()
            while text.count < CodedText.plain.count { text += try #require(try await body.next()) }
            #expect(text == CodedText.plain)
        }
        gates.open(2)
        #expect(try await body.next() == nil)
    }

    @Test(arguments: TransportUnderTest.without(.cutCoding))
    func `a truncated compressed stream fails after its decoded data`(_ transport: TransportUnderTest) async throws {
        server.onAny { _ in
            .data(CodedText.gzip + CodedText.gzip.dropLast(9), contentType: "text/plain")
                .with(header: "Content-Encoding", "gzip")
        }
        let response = try await transport.make().stream(request())
        var text = Data()
        await #expect(throws: URLError(.cannotDecodeContentData)) {
            for try await piece in response.body { text += piece }
        }
        #expect(text.starts(with: CodedText.plain))
    }

    @Test(arguments: TransportUnderTest.without(.cancellationAtTheSocket))
    func `a streamed body that does not match its coding ends the transfer`(
        _ transport: TransportUnderTest
    ) async throws {
        server.onAny { _ in
            .text("this is no gzip").with(header: "Content-Encoding", "gzip").with(fault: .stallInBody(after: 14))
        }
        let response = try await transport.make().stream(request())
        await #expect(throws: URLError(.cannotDecodeContentData)) { for try await _ in response.body {} }
        try await server.waitUntil(openConnections: 0)
    }

    static let cuts: [MockFault] = [.closeInBody(after: 5), .resetInBody(after: 5)]

    @Test(arguments: TransportUnderTest.allCases, cuts.indices)
    func `a truncated streamed body fails`(_ transport: TransportUnderTest, _ cut: Int) async throws {
        server.onAny { _ in .text("0123456789").with(fault: Self.cuts[cut]) }
        let response = try await transport.make().stream(request())
        var text = Data()
        let failure = await #expect(throws: (any Error).self) {
            for try await piece in response.body { text += piece }
        }
        #expect(failure?.urlErrorCode == .networkConnectionLost)
        if let metrics = (failure as? TransportFailure)?.metrics { #expect(metrics.bytesReceived > 5) }
        #expect(text == Data("01234".utf8))
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a failure before the head is thrown by the stream call`(_ transport: TransportUnderTest) async throws {
        server.onAny { _ in .text("x").with(fault: .closeBeforeHead) }
        let failure = await #expect(throws: (any Error).self) { try await transport.make().stream(request()) }
        #expect(failure?.urlErrorCode == .networkConnectionLost)
    }

    @Test(arguments: TransportUnderTest.without(.cancellationAtTheSocket))
    func `releasing a streamed body closes the connection`(_ transport: TransportUnderTest) async throws {
        stalling()
        let session = transport.make()
        var response: DataResponse? = try await session.stream(request())
        #expect(response?.statusCode == 200)
        response = nil
        try await server.waitUntil(openConnections: 0)
    }

    @Test(arguments: TransportUnderTest.without(.cancellationAtTheSocket))
    func `cancelling the reader of a streamed body closes the connection`(
        _ transport: TransportUnderTest
    ) async throws {
        stalling()
        let response = try await transport.make().stream(request())
        let hasBegun = Gate()
        let reading = Task {
            for try await _ in response.body { hasBegun.open() }
        }
        defer { reading.cancel() }
        try await hasBegun.pass()
        reading.cancel()
        let failure = await #expect(throws: TransportFailure.self) { try await reading.value }
        #expect(failure?.error.code == .cancelled)
        try await server.waitUntil(openConnections: 0)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a cancelled reader receives no more data from a fast server`(_ transport: TransportUnderTest)
        async throws
    {
        server.onAny { _ in .data(Data(count: 64 << 20), contentType: "text/plain") }
        #expect(try await countUntilCancelled(transport.make().stream(request())) < 64 << 20)
    }

    @Test(arguments: TransportUnderTest.without(.expansion))
    func `a cancelled reader receives no more data while received bytes are decompressed`(
        _ transport: TransportUnderTest
    ) async throws {
        let body = Data((0..<64).map { _ in CodedText.megabyteOfZeros }.joined())
        server.onAny { _ in .data(body, contentType: "text/plain").with(header: "Content-Encoding", "gzip") }
        #expect(try await countUntilCancelled(transport.make().stream(request())) < 64 << 20)
    }

    /// Returns the number of bytes that a reader receives if it is cancelled after the first piece and continues to
    /// read.
    private func countUntilCancelled(_ response: DataResponse) async throws -> Int {
        let hasBegun = Gate()
        let count = Recorder<Int>()
        let reading = Task {
            for try await piece in response.body {
                count.record(piece.count)
                hasBegun.open()
                // The loop continues to read after the cancellation.
                while !Task.isCancelled { await Task.yield() }
            }
        }
        try await hasBegun.pass()
        reading.cancel()
        let failure = await #expect(throws: (any Error).self) { try await reading.value }
        #expect(failure?.urlErrorCode == .cancelled)
        return count.elements.reduce(0, +)
    }

    @Test(arguments: TransportUnderTest.without(.cancellationAtTheSocket))
    func `cancelling a stream before the head closes the connection`(_ transport: TransportUnderTest) async throws {
        server.onAny { _ in .text("x").with(fault: .stallBeforeHead) }
        let (session, request) = (transport.make(), request())
        let task = Task { try await session.stream(request).statusCode }
        _ = try await server.takeRequest()
        task.cancel()
        await #expect(throws: TransportFailure.self) { try await task.value }
        try await server.waitUntil(openConnections: 0)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `two readers of one streamed body share its pieces`(_ transport: TransportUnderTest) async throws {
        let gates = Gates(3)
        server.onAny { _ in
            .chunked([Data("one".utf8), Data("two".utf8)]).with(fault: .pauseBeforeEachChunk(gates.passNext))
        }
        let session = transport.make()
        let request = request()
        let body = try await session.stream(request).body
        let readers = (0..<2).map { _ in
            Task { try await body.reduce(into: 0) { $0 += $1.count } }
        }
        (0..<3).forEach(gates.open)
        var count = 0
        for reader in readers { count += try await reader.value }
        #expect(count == 6)
    }
}
