import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Contract: metrics` {
    let server: MockServer

    init() throws {
        server = try MockServer()
        server.onAny { request in
            request.path == "/from"
                ? .status(307).with(header: "Location", "/to") : .data(request.body, contentType: "text/plain")
        }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `every response has metrics with its duration`(_ transport: TransportUnderTest) async throws {
        let request = transport.probe(server, method: .post)
        request.body = .data(Data("content".utf8), type: nil)
        let metrics = try #require(try await request.start().value.metrics)
        #expect(metrics.total > .zero && metrics.total < .seconds(60))
        #expect(metrics.bytesSent >= 7)
        #expect(metrics.bytesReceived >= 7)
    }

    @Test(arguments: TransportUnderTest.without(.metrics))
    func `the moments in the metrics are in chronological order`(_ transport: TransportUnderTest) async throws {
        let metrics = try #require(try await transport.probe(server).start().value.metrics)
        let moments = [metrics.queueing, metrics.nameLookup, metrics.connect, metrics.firstByte, metrics.total]
        let known = moments.compactMap(\.self)
        #expect(known.count == moments.count)
        #expect(known == known.sorted())
        #expect(metrics.secureConnect == nil)
        #expect(metrics.protocolName == "http/1.1")
        #expect(metrics.remoteAddress == "127.0.0.1:\(try #require(server.url.port))")
    }

    @Test(arguments: TransportUnderTest.without(.metrics))
    func `the metrics count every byte sent and received`(_ transport: TransportUnderTest) async throws {
        let request = transport.probe(server, method: .post)
        request.body = .data(Data(count: 100_000), type: nil)
        let metrics = try #require(try await request.start().value.metrics)
        let seen = try #require(server.requests.first)
        #expect(metrics.bytesSent == Int64(seen.rawHead.count + 100_000))
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100000\r\n\r\n"
        #expect(metrics.bytesReceived == Int64(head.utf8.count + 100_000))
    }

    @Test(arguments: TransportUnderTest.without(.metrics))
    func `the metrics count the compressed bytes of a body`(_ transport: TransportUnderTest) async throws {
        server.onAny { _ in
            .data(CodedText.gzip, contentType: "text/plain").with(header: "Content-Encoding", "gzip")
        }
        let response = try await transport.probe(server).start().value
        #expect(response.data.count > CodedText.gzip.count + 1_000)
        let received = try #require(response.metrics).bytesReceived
        #expect(received > CodedText.gzip.count && received < CodedText.gzip.count + 200)
    }

    @Test(arguments: TransportUnderTest.without(.metrics))
    func `the metrics of a second request report a reused connection`(_ transport: TransportUnderTest) async throws {
        let session = transport.make()
        let metrics = [
            try await Probe(server.url, session).start().value.metrics,
            try await Probe(server.url, session).start().value.metrics,
        ]
        #expect(metrics.map(\.?.isConnectionReused) == [false, true])
        #expect(metrics[0]?.remoteAddress == metrics[1]?.remoteAddress)
    }

    @Test(arguments: TransportUnderTest.without(.metrics))
    func `the metrics count redirects and their bytes`(_ transport: TransportUnderTest) async throws {
        let metrics = try #require(try await transport.probe(server, "/from").start().value.metrics)
        #expect(metrics.redirects == 1)
        #expect(metrics.isConnectionReused == true)
        #expect(metrics.bytesSent == server.requests.reduce(0) { $0 + Int64($1.rawHead.count) })
    }

    @Test(arguments: TransportUnderTest.without(.metrics))
    func `the metrics of a failure report how far the transfer got`(_ transport: TransportUnderTest) async throws {
        server.onAny { _ in .text("0123456789").with(fault: .closeInBody(after: 4)) }
        let error = await expectFailure(.transportFailed) { try await transport.probe(server).start().value }
        let metrics = try #require(error?.metrics)
        #expect(metrics.firstByte != nil)
        #expect(metrics.bytesReceived > 4)
        #expect(metrics.isConnectionReused == false)
        #expect(metrics.total > .zero)
    }

    @Test(arguments: TransportUnderTest.without(.metrics))
    func `the metrics of a refused connection report no connection`(_ transport: TransportUnderTest)
        async throws
    {
        let refusing = try MockServer.refusing()
        let error = await expectFailure(.transportFailed) {
            try await Probe(refusing.url, transport.make()).start().value
        }
        let metrics = try #require(error?.metrics)
        #expect(metrics.connect == nil && metrics.firstByte == nil)
        #expect(metrics.bytesSent == 0 && metrics.bytesReceived == 0)
    }

    /// Both requests share the only connection that is allowed.
    @Test(arguments: TransportUnderTest.without(.metrics))
    func `the metrics count waiting for a connection as queueing`(_ transport: TransportUnderTest) async throws {
        var configuration = CurlConfiguration()
        configuration.maximumConnectionsPerHost = 1
        let session = CurlTransport(configuration)
        let held = Gate()
        server.on(.get, "/held") { _ in
            try await held.pass()
            return .text("x")
        }
        let (first, second) = (
            Probe(server.url, session, path: "/held").start(), Probe(server.url, session).start()
        )
        let holding = Task { try await first.value }
        try await held.waitForArrivals(1)
        let waiting = Task { try await second.value }
        try await waitUntil { await session.poolMetrics().waiting == 1 }
        held.open()
        _ = try await holding.value
        let metrics = try #require(try await waiting.value.metrics)
        let queueing = try #require(metrics.queueing)
        #expect(queueing > .zero && queueing <= metrics.total)
        #expect(try #require(metrics.firstByte) >= queueing)
    }
}
