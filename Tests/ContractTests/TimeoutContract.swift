import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

extension OneAtATime {
    @Suite(.hangGuard) struct `Contract: timeouts` {
        let server: MockServer

        init() throws {
            server = try MockServer()
            server.on(.get, "/never") { _ in .text("x").with(fault: .stallBeforeHead) }
        }

        /// A request that times out measures the time: 0.5 s for each of 15 pauses. Each pause is far shorter than the
        /// idle timeout, also on a busy machine; their sum is longer.
        @Test(.deep(.timeLimits), arguments: TransportUnderTest.allCases)
        func `many pauses shorter than the idle timeout do not fail the request`(_ transport: TransportUnderTest)
            async throws
        {
            let body = Data("0123456789abcd".utf8)
            server.on(.get, "/drip") { [server] _ in
                .chunked(body.map { Data([$0]) }).with(
                    fault: .pauseBeforeEachChunk {
                        let clock = Probe(server.url, CurlTransport.shared, path: "/never")
                        clock.timeoutInterval = 0.5
                        await expectFailure(.timedOut) { try await clock.start().value }
                    })
            }
            let request = transport.probe(server, "/drip")
            request.timeoutInterval = 6
            let response = try await request.start().value
            #expect(response.data == body)
            #expect(try #require(response.metrics).total > .seconds(6))
        }

        /// As above, but with the pauses in the request's body.
        @Test(.deep(.timeLimits), arguments: TransportUnderTest.allCases)
        func `a body that arrives in pieces may take longer than the idle timeout`(_ transport: TransportUnderTest)
            async throws
        {
            server.on(.post, "/echo") { .data($0.body, contentType: "text/plain") }
            let body = Data("0123456789abcd".utf8)
            let left = Locked(body)
            let pieces = AsyncStream { [server] in
                let clock = Probe(server.url, CurlTransport.shared, path: "/never")
                clock.timeoutInterval = 0.5
                await expectFailure(.timedOut) { try await clock.start().value }
                return left.withLock { $0.popFirst().map { Data([$0]) } }
            }
            let request = transport.probe(server, "/echo")
            request.method = .post
            request.body = .stream(BodyStream(pieces))
            request.timeoutInterval = 6
            #expect(try await request.start().value.data == body)
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a resource timeout longer than any clock can measure is no limit`(_ transport: TransportUnderTest)
            async throws
        {
            server.on(.get, "/now") { _ in .text("here") }
            let request = transport.probe(server, "/now")
            request.resourceTimeout = .seconds(1e20)
            #expect(try await request.start().value.data == Data("here".utf8))
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a request can set its own total time limit`(_ transport: TransportUnderTest) async throws {
            let request = transport.probe(server, "/never")
            request.resourceTimeout = .milliseconds(50)
            let error = await expectFailure(.timedOut) { try await request.start().value }
            #expect(error?.attempts == 1)
        }

        @Test(arguments: TransportUnderTest.without(.cancellationAtTheSocket))
        func `a timeout closes the connection`(_ transport: TransportUnderTest) async throws {
            try await withGrowingLimit { limit in
                let request = transport.probe(server, "/never")
                request.timeoutInterval = limit
                await expectFailure(.timedOut) { try await request.start().value }
                // A shorter limit may pass before the server has accepted the connection.
                return server.acceptedConnections > 0
            }
            try await server.waitUntil(openConnections: 0)
        }

        @Test(.deep(.timeLimits), arguments: TransportUnderTest.allCases)
        func `a slow reader does not cause an idle timeout`(_ transport: TransportUnderTest) async throws {
            server.on(.get, "/large") { _ in .data(Data(count: 4 << 20), contentType: "text/plain") }
            let session = transport.make()
            var request = TransportRequest(URLRequest(url: server.url.appendingPathComponent("large")))
            request.urlRequest.timeoutInterval = 8
            var body = try await session.stream(request).body.makeAsyncIterator()
            // Longer than the idle timeout, while nothing reads the body.
            await letTimePass(over: session)
            var count = 0
            while let piece = try await body.next() { count += piece.count }
            #expect(count == 4 << 20)
        }

        @Test(.deep(.timeLimits), arguments: TransportUnderTest.allCases)
        func `a server that stalls during a slow read fails with a timeout`(_ transport: TransportUnderTest)
            async throws
        {
            server.on(.get, "/stall") { _ in
                .data(Data(count: 8 << 20), contentType: "text/plain").with(fault: .stallInBody(after: 4 << 20))
            }
            let session = transport.make()
            var request = TransportRequest(URLRequest(url: server.url.appendingPathComponent("stall")))
            request.urlRequest.timeoutInterval = 8
            var body = try await session.stream(request).body.makeAsyncIterator()
            await letTimePass(over: session)
            var count = 0
            let failure = await #expect(throws: (any Error).self) {
                while let piece = try await body.next() { count += piece.count }
            }
            #expect(failure?.urlErrorCode == .timedOut)
            #expect(count == 4 << 20)
        }

        /// Lets nine seconds pass on the transport's clock. The head, which the server's handler makes, must arrive in
        /// less time while all tests run at once.
        private func letTimePass(over session: any Transport) async {
            let clock = Probe(server.url, session, path: "/never")
            clock.timeoutInterval = 9
            await expectFailure(.timedOut) { try await clock.start().value }
        }
    }
}
