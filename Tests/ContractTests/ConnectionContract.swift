import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Contract: reused connections` {
    let server: MockServer

    init() throws {
        server = try MockServer()
        server.onAny { .text($0.text) }
    }

    private func probe(_ session: any Transport, _ method: RequestMethod, body: String? = nil) -> Probe {
        let probe = Probe(server.url, session, method: method)
        if let body { probe.body = .data(Data(body.utf8), type: nil).withAnyMethod() }
        return probe
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `consecutive requests share one connection`(_ transport: TransportUnderTest) async throws {
        let session = transport.make()
        for index in 0..<5 {
            #expect(try await probe(session, .post, body: "\(index)").start().value.data == Data("\(index)".utf8))
        }
        #expect(server.acceptedConnections == (transport.sharesConnectionsForPosts ? 1 : 5))
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `concurrent requests do not wait for each other's responses`(_ transport: TransportUnderTest) async throws {
        let gate = Gate()
        server.onAny { [server] _ in
            if server.requests.count == 3 { gate.open() }
            try await gate.pass()
            return .text("ok")
        }
        let pipeline = probe(transport.make(), .get).start()
        let tasks = (0..<3).map { _ in Task { try await pipeline.value.statusCode } }
        for task in tasks { #expect(try await task.value == 200) }
        #expect(server.acceptedConnections == 3)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a connection is not reused after a response with Connection: close`(_ transport: TransportUnderTest)
        async throws
    {
        let session = transport.make()
        server.onAny { .text($0.text).with(closesConnection: true) }
        for index in 1...3 {
            #expect(try await probe(session, .get).start().value.statusCode == 200)
            #expect(server.acceptedConnections == index)
        }
    }

    /// Nothing was sent on the closed connection, so the request is sent on another one.
    #if canImport(CCurl)
    /// `URLSession` on Linux uses the connection again.
    @Test(arguments: ["close", "Close", "TE, close", "keep-alive", "x-close"])
    func `a request that asks for it closes its connection, although the server does not`(
        _ value: String
    ) async throws {
        let connections = Locked(0)
        let server = try RawServer { connection in
            let number = connections.withLock { count in
                count += 1
                return count
            }
            while case let head = connection.readHead(), head.hasSuffix("\r\n\r\n") {
                let isMoved = head.hasPrefix("GET /moved ")
                let status = isMoved ? "302 Found\r\nLocation: /" : "200 OK"
                try connection.write("HTTP/1.1 \(status)\r\nContent-Length: 1\r\n\r\n\(number)")
            }
        }
        let transport = TransportUnderTest.curl.make()
        var numbers: [String] = []
        for path in ["/", "/", "/moved", "/"] {
            let request = Probe(server.url, transport, path: path)
            request.headers["Connection"] = value
            numbers.append(try await request.start().value.text)
        }
        let closes = value.lowercased() != "keep-alive" && value != "x-close"
        #expect(numbers == (closes ? ["1", "2", "4", "5"] : ["1", "1", "1", "1"]))
    }
    #endif

    @Test(arguments: TransportUnderTest.without(.connectionJustClosed), [RequestMethod.post, .get, .patch])
    func `a request succeeds after the server closed the idle connection`(
        _ transport: TransportUnderTest, _ method: RequestMethod
    ) async throws {
        let session = transport.make()
        server.onAny { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") }
        _ = try await probe(session, .get).start().value
        try await server.waitUntil(openConnections: 0)
        server.onAny { .text($0.text) }
        let response = try await probe(session, method, body: "content").start().value
        #expect(response.data == Data("content".utf8))
        #expect(response.metrics?.isConnectionReused == false)
        #expect(server.requests.map(\.method) == [.get, method])
    }

    @Test(arguments: TransportUnderTest.without(.connectionJustClosed), [RequestMethod.post, .patch, "PURGE"])
    func `a request that the server may have processed is not sent again`(
        _ transport: TransportUnderTest, _ method: RequestMethod
    ) async throws {
        let session = transport.make()
        _ = try await probe(session, .get).start().value
        server.onAny { _ in .text("never").with(fault: .closeBeforeHead) }
        await expectTransportFailure(.networkConnectionLost) {
            try await probe(session, method, body: "content").start().value
        }
        #expect(server.requests.map(\.method) == [.get, method])
    }

    /// libcurl counts the resent requests of a handle over its whole life, and fails every sixth one, although
    /// different requests use the handle.
    @Test(arguments: TransportUnderTest.without(.connectionJustClosed))
    func `a request on a stale connection is sent again after any number of resent requests`(
        _ transport: TransportUnderTest
    ) async throws {
        let session = transport.make()
        let used = Locked<Set<Int>>([])
        server.onAny { request in
            let isFirst = used.withLock { $0.insert(request.connection).inserted }
            return isFirst ? .text("ok") : .text("never").with(fault: .closeBeforeHead)
        }
        for _ in 0..<20 { #expect(try await probe(session, .get).start().value.data == Data("ok".utf8)) }
        #expect(server.acceptedConnections == 20)
    }

    @Test(arguments: TransportUnderTest.without(.connectionJustClosed), [RequestMethod.get, .put, .delete])
    func `an idempotent request on a stale connection is sent again`(
        _ transport: TransportUnderTest, _ method: RequestMethod
    ) async throws {
        let session = transport.make()
        _ = try await probe(session, .get).start().value
        server.onAny { [server] request in
            let response = MockResponse.text(request.text)
            return server.requests.count == 2 ? response.with(fault: .closeBeforeHead) : response
        }
        let response = try await probe(session, method, body: method == .get ? nil : "content").start().value
        #expect(response.data == Data((method == .get ? "" : "content").utf8))
        #expect(server.requests.map(\.method) == [.get, method, method])
        #expect(server.requests.map(\.connection) == [1, 1, 2])
    }

    /// The server cannot have closed a new connection before the request, so there is no reason to try another.
    @Test(arguments: TransportUnderTest.allCases)
    func `a request fails if a new connection closes before the response`(
        _ transport: TransportUnderTest
    ) async throws {
        server.onAny { _ in .text("never").with(fault: .closeBeforeHead) }
        await expectTransportFailure(.networkConnectionLost) { try await transport.probe(server).start().value }
        #expect(server.requests.count == 1)
    }
}
