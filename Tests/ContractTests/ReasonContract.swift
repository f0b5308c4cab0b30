import Dispatch
import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Contract: the reasons of failures` {
    private func expect<Value: Sendable>(
        _ reason: String, sourceLocation: SourceLocation = #_sourceLocation, _ pipeline: Pipeline<Value, any Error>
    ) async {
        let error = await #expect(throws: ErrandError.self, sourceLocation: sourceLocation) { try await pipeline.value }
        #expect(error?.reason == reason, "\(error as Any)", sourceLocation: sourceLocation)
    }

    private func secure(_ url: URL) throws -> URL {
        try #require(URL(string: url.absoluteString.replacing("http:", with: "https:")))
    }

    private func address(of url: URL) throws -> String { "127.0.0.1:\(try #require(url.port))" }

    private func curl(_ change: (inout CurlConfiguration) -> Void) -> CurlTransport {
        var configuration = CurlConfiguration()
        configuration.proxy = .none
        change(&configuration)
        return CurlTransport(configuration)
    }

    // Connecting.

    @Test(arguments: TransportUnderTest.allCases)
    func `the reason for a refused connection names the address`(_ transport: TransportUnderTest) async throws {
        let server = try MockServer.refusing()
        await expect(
            "connection refused by \(try address(of: server.url))", Probe(server.url, transport.make()).start())
        // The port becomes free when the server has stopped.
        withExtendedLifetime(server) {}
    }

    @Test(.deep(.names), arguments: TransportUnderTest.allCases)
    func `the reason for an unknown host names it`(_ transport: TransportUnderTest) async throws {
        let url = try #require(URL(string: "http://no-such-host.invalid"))
        await expect(
            "no address was found for the host name \"no-such-host.invalid\"", Probe(url, transport.make()).start())
    }

    /// Twice over the same transport, whose handle keeps the fields.
    @Test func `a request head over 1 MiB is rejected with a reason before it is sent`() async throws {
        let server = try MockServer()
        let large = String(repeating: "a", count: 1_100_000)
        let request = Probe(server.url, curl { _ in })
        request.headers["X-Large"] = large
        let other = Probe(server.url, curl { _ in })
        other.query = ["large": large]
        for request in [request, request, other] {
            await expect("the head of the request is longer than libcurl takes, 1 MiB", request.start())
        }
        #expect(server.requests.isEmpty)
    }

    /// The size of the head is checked after the stream was opened. The task that reads ahead waits for room then.
    @Test func `the body of a request that is rejected before it is sent is released`() async throws {
        let left = Gate()
        let server = try MockServer()
        do {
            let (stream, writer) = AsyncStream.makeStream(of: Data.self)
            writer.onTermination = { _ in left.open() }
            writer.yield(Data(count: 200_000))
            let request = Probe(server.url, curl { _ in }, method: .post)
            request.headers["X-Large"] = String(repeating: "a", count: 1_100_000)
            request.body = .stream(BodyStream(stream))
            await expect("the head of the request is longer than libcurl takes, 1 MiB", request.start())
        }
        try await left.pass()
    }

    @Test func `the reason distinguishes a missing Unix socket from one without a listener`() async throws {
        let url = try #require(URL(string: "http://localhost"))
        let file = try TemporaryFile()
        await expect(
            "connection refused by the socket at \(file.url.path)",
            Probe(url, curl { $0.unixSocketPath = file.url.path }).start())
        let path = file.url.path + ".missing"
        await expect("there is no socket at \(path)", Probe(url, curl { $0.unixSocketPath = path }).start())
    }

    // TLS.

    @Test(arguments: TransportUnderTest.allCases)
    func `the reason reports that a plain HTTP server does not use TLS`(_ transport: TransportUnderTest) async throws {
        let server = try RawServer { connection in
            _ = connection.read()
            try connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
        }
        await expect("the server does not speak TLS", Probe(try secure(server.url), transport.make()).start())
    }

    @Test(.enabled(if: hasTLS)) func `the reason distinguishes a wrong certificate name from an untrusted certificate`()
        async throws
    {
        let server = try MockServer(tls: .selfSigned.with(names: ["example.com"]))
        let trusting = curl { $0.tls.additionalAuthorities = server.certificateAuthority }
        await expect(
            "the server's certificate is not valid for the host name \"127.0.0.1\"",
            Probe(server.url, trusting).start())
        await expect("the server's certificate is not trusted", Probe(server.url, curl { _ in }).start())
    }

    private static let hasTLS = (try? MockServer(tls: .selfSigned)) != nil

    // The response.

    /// A user who raises another limit gains nothing.
    @Test(arguments: [
        (String(repeating: "X-Field: x\r\n", count: 2_100), "the head of the response has more than 2000 lines"),
        (
            String(repeating: "X-Field: \(String(repeating: "x", count: 50_000))\r\n", count: 6),
            "the head of the response is longer than `maximumHeadSize`, 262144 bytes"
        ),
        (
            "X-Field: \(String(repeating: "x", count: 10_000_000))\r\n",
            "a line of the response's head is longer than libcurl accepts, 100 KiB"
        ),
    ])
    func `the reason for a head that is too long names its limit`(_ fields: String, _ reason: String) async throws {
        let server = try RawServer { connection in
            _ = connection.readHead()
            try? connection.write("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 2\r\n\r\nok")
            connection.readToEnd()
        }
        await expect(reason, Probe(server.url, curl { _ in }).start())
    }

    @Test func `the reason for trailers that are too long names their limit`() async throws {
        let server = try RawServer { connection in
            _ = connection.readHead()
            let trailers = String(repeating: "X-Field: x\r\n", count: 2_100)
            try connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\(trailers)\r\n")
            connection.readToEnd()
        }
        await expect("the head of the response has more than 2000 lines", Probe(server.url, curl { _ in }).start())
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `the reason for a body that is too long names its limit`(_ transport: TransportUnderTest) async throws {
        let server = try MockServer()
        server.onAny { _ in .text("0123456789") }
        let request = transport.probe(server)
        request.maximumBodySize = 9
        await expect("the response is longer than allowed; maximumBodySize is 9 bytes", request.start())
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `the reason for a long line of a head does not name the limit of a body`(
        _ transport: TransportUnderTest
    ) async throws {
        let server = try MockServer()
        server.onAny { _ in .text("x").with(header: "X-Field", String(repeating: "x", count: 200_000)) }
        await expect(
            "a line of the response's head is longer than libcurl accepts, 100 KiB", transport.probe(server).start())
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `the reason distinguishes a connection lost before the response from one lost inside`(
        _ transport: TransportUnderTest
    ) async throws {
        let server = try MockServer()
        server.on(.get, "/before") { _ in .text("0123456789").with(fault: .closeBeforeHead) }
        server.on(.get, "/inside") { _ in .text("0123456789").with(fault: .closeInBody(after: 3)) }
        await expect("the server closed the connection without a response", transport.probe(server, "/before").start())
        await expect(
            "the connection was lost before the response was complete", transport.probe(server, "/inside").start())
    }
}

/// Each limit grows until it leaves time to reach the phase in which it should pass, also on a busy machine.
extension OneAtATime {
    @Suite(.hangGuard) struct `Contract: the reasons of timeouts` {
        let server: MockServer

        init() throws {
            server = try MockServer()
            server.on(.get, "/never") { _ in .text("x").with(fault: .stallBeforeHead) }
        }

        /// Expects a failure with this reason, of a request with one of the growing limits.
        ///
        /// - Parameters:
        ///   - reason: The expected reason, in which `LIMIT` stands for the limit in seconds.
        ///   - request: Makes the request with a limit.
        private func expect(
            _ reason: String, sourceLocation: SourceLocation = #_sourceLocation,
            _ request: (TimeInterval) throws -> Probe
        ) async throws {
            try await withGrowingLimit(sourceLocation: sourceLocation) { limit in
                let pipeline = try request(limit).start()
                let error = await expectFailure(.timedOut, sourceLocation: sourceLocation) { try await pipeline.value }
                let reason = reason.replacing("LIMIT", with: "\(limit)")
                return error?.reason == reason && error?.description.hasSuffix("timedOut: \(reason)") == true
            }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `the reason distinguishes the idle limit from the total limit`(_ transport: TransportUnderTest)
            async throws
        {
            try await expect("timed out after LIMIT s without a byte from the server") { limit in
                let idle = transport.probe(server, "/never")
                idle.timeoutInterval = limit
                return idle
            }
            try await expect("timed out after LIMIT s in all") { limit in
                let total = transport.probe(server, "/never")
                total.resourceTimeout = .seconds(limit)
                return total
            }
        }

        @Test func `the reason for an idle timeout says which bytes were missing`() async throws {
            let transport = TransportUnderTest.curl.make()
            let server = try RawServer { connection in
                _ = connection.readHead()
                try connection.write("HTTP/1.1 2")
                connection.readToEnd()
            }
            try await expect("timed out after LIMIT s without a complete header field from the server") { limit in
                let request = Probe(server.url, transport)
                request.timeoutInterval = limit
                return request
            }
        }

        @Test func `the reason for an idle timeout in a body says that it was the body`() async throws {
            let transport = TransportUnderTest.curl.make()
            let hasHead = DispatchSemaphore(value: 0)
            let server = try RawServer { connection in
                _ = connection.readHead()
                try connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                hasHead.wait()
                try connection.write("5;extension")
                connection.readToEnd()
            }
            try await withGrowingLimit { limit in
                let request = TransportRequest(URLRequest(url: server.url, timeoutInterval: limit))
                guard let response = try? await transport.stream(request) else {
                    hasHead.signal()
                    return false
                }
                hasHead.signal()
                let failure = await #expect(throws: TransportFailure.self) { for try await _ in response.body {} }
                return failure?.reason == "timed out after \(limit) s without a byte of the response's body"
            }
        }

        @Test func `the reason for a timeout while connecting names the address`() async throws {
            let backlog = try FullBacklog()
            let place = "while connecting to 127.0.0.1:\(try #require(backlog.url.port))"
            try await expect("timed out after LIMIT s \(place)") { limit in
                Probe(backlog.url, TransportUnderTest.curl.make(connectTimeout: limit))
            }
            try await expect("timed out after LIMIT s \(place)") { limit in
                let idle = Probe(backlog.url, TransportUnderTest.curl.make())
                idle.timeoutInterval = limit
                return idle
            }
            try await expect("timed out after LIMIT s in all, \(place)") { limit in
                let total = Probe(backlog.url, TransportUnderTest.curl.make())
                total.resourceTimeout = .seconds(limit)
                return total
            }
        }

        @Test func `the reason for a timeout in the TLS handshake names the handshake`() async throws {
            let server = try RawServer { $0.readToEnd() }
            let url = try #require(URL(string: server.url.absoluteString.replacing("http:", with: "https:")))
            try await expect("timed out after LIMIT s in the TLS handshake") { limit in
                let request = Probe(url, TransportUnderTest.curl.make())
                request.timeoutInterval = limit
                return request
            }
        }

        @Test func `the reason for a timeout while waiting for a connection names the wait`() async throws {
            var configuration = CurlConfiguration()
            configuration.maximumConnectionsPerHost = 1
            let transport = CurlTransport(configuration)
            let first = Probe(server.url, transport, path: "/never").start()
            let running = Task { try await first.value }
            _ = try await server.takeRequest()
            try await expect("timed out after LIMIT s in all, while waiting for a connection") { limit in
                let second = Probe(server.url, transport, path: "/never")
                second.resourceTimeout = .seconds(limit)
                return second
            }
            running.cancel()
            _ = await running.result
        }
    }
}
