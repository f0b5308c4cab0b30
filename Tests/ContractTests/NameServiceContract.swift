#if canImport(CCurl)
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

import Errand

@Suite(.hangGuard) struct `Contract: name services` {
    private struct Unknown: Error, CustomStringConvertible {
        var description: String { "no such service" }
    }

    private func transport(
        _ nameService: NameService, _ change: (inout CurlConfiguration) -> Void = { _ in }
    ) -> CurlTransport {
        var configuration = CurlConfiguration()
        configuration.proxy = .none
        // A long limit, because the machine may be busy with other tests.
        configuration.connectTimeout = .seconds(60)
        configuration.nameService = nameService
        change(&configuration)
        return CurlTransport(configuration)
    }

    private func request(_ host: String, of server: MockServer, _ path: String = "/") throws -> TransportRequest {
        let port = try #require(server.url.port)
        return TransportRequest(URLRequest(url: try #require(URL(string: "http://\(host):\(port)\(path)"))))
    }

    private func failure(_ nameService: NameService, _ host: String = "service.example") async throws
        -> TransportFailure
    {
        let server = try MockServer()
        return try #require(
            await #expect(throws: TransportFailure.self) {
                try await transport(nameService).send(request(host, of: server))
            })
    }

    @Test func `a custom name service is called once per host, and its result is cached`() async throws {
        let (hosts, gate) = (Recorder<String>(), Gate())
        let server = try MockServer()
        server.onAny { _ in .text("hello") }
        let transport = transport(
            .function { host in
                hosts.record(host)
                try await gate.pass()
                return ResolvedHost(addresses: ["127.0.0.1"])
            })
        let first = try request("Service.example", of: server)
        async let statusCodes = withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<5 { group.addTask { try await transport.send(first).statusCode } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        try await gate.waitForArrivals(1)
        gate.open()
        #expect(try await statusCodes == [200, 200, 200, 200, 200])
        #expect(try await transport.send(request("service.example", of: server)).statusCode == 200)
        #expect(hosts.elements == ["service.example"])
    }

    @Test func `a result with a zero time to live is not cached`() async throws {
        let hosts = Recorder<String>()
        let server = try MockServer()
        server.onAny { _ in .text("hello") }
        let transport = transport(
            .function { host in
                hosts.record(host)
                return ResolvedHost(addresses: ["127.0.0.1"], timeToLive: .zero)
            })
        for _ in 0..<2 { #expect(try await transport.send(request("service.example", of: server)).statusCode == 200) }
        #expect(hosts.elements.count == 2)
    }

    @Test func `the host of a redirect is looked up by the custom name service`() async throws {
        let hosts = Recorder<String>()
        let server = try MockServer()
        let port = try #require(server.url.port)
        server.on(.get, "/from") { _ in .status(302).with(header: "Location", "http://other.example:\(port)/to") }
        server.on(.get, "/to") { .text($0.headers["Host"] ?? "") }
        let transport = transport(
            .function { host in
                hosts.record(host)
                return ResolvedHost(addresses: ["::1", "127.0.0.1"])
            })
        let response = try await transport.send(request("service.example", of: server, "/from"))
        #expect(try response.text() == "other.example:\(port)")
        #expect(hosts.elements == ["service.example", "other.example"])
    }

    @Test func `literal addresses and hosts with configured addresses are not looked up`() async throws {
        let server = try MockServer()
        server.onAny { _ in .text("hello") }
        let port = try #require(server.url.port)
        let transport = transport(.function { _ in throw Unknown() }) {
            $0.resolvedHosts = ["given.example:\(port)": ["127.0.0.1"]]
        }
        for host in ["127.0.0.1", "given.example"] {
            #expect(try await transport.send(request(host, of: server)).statusCode == 200)
        }
    }

    @Test func `a host keeps its configured addresses among many other hosts`() async throws {
        let server = try MockServer()
        server.onAny { _ in .text("hello") }
        let port = try #require(server.url.port)
        let transport = transport(.function { _ in ResolvedHost(addresses: ["127.0.0.1"]) }) {
            $0.maximumConnections = 2
            $0.resolvedHosts = ["given.example:\(port)": ["127.0.0.1"]]
        }
        for host in ["a", "given", "b", "c", "d", "e", "f", "given"] {
            #expect(try await transport.send(request("\(host).example", of: server)).statusCode == 200)
        }
    }

    @Test func `a name service that throws or returns no address fails the waiting requests`() async throws {
        let thrown = try await failure(.function { _ in throw Unknown() })
        #expect(thrown.error.code == .cannotFindHost)
        #expect(thrown.reason == "the name service failed for service.example: no such service")
        let nothing = try await failure(.function { _ in ResolvedHost(addresses: []) })
        #expect(nothing.error.code == .cannotFindHost)
        #expect(nothing.reason == "the name service has no address of service.example")
        let name = try await failure(.function { _ in ResolvedHost(addresses: ["localhost"]) })
        #expect(
            name.reason
                == "the name service returned \"localhost\" for service.example, which is not an IP address")
    }

    @Test func `a lookup that exceeds the connect timeout is cancelled`() async throws {
        let wasCancelled = Gate()
        let server = try MockServer()
        let transport = transport(
            .function { _ in
                await withTaskCancellationHandler {
                    try? await Gate().pass()
                } onCancel: {
                    wasCancelled.open()
                }
                return ResolvedHost(addresses: ["127.0.0.1"])
            }
        ) { $0.connectTimeout = .milliseconds(300) }
        let failure = await #expect(throws: TransportFailure.self) {
            try await transport.send(request("service.example", of: server))
        }
        #expect(failure?.error.code == .timedOut)
        #expect(failure?.reason == "timed out after 0.3 s while looking up the host name \"service.example\"")
        try await wasCancelled.pass()
    }

    @Test func `the result of a lookup that was late does not end the next lookup of the host`() async throws {
        let (late, next, calls) = (Gate(), Gate(), Recorder<String>())
        let server = try MockServer()
        server.onAny { _ in .text("hello") }
        let transport = transport(
            .function { host in
                calls.record(host)
                if host == "service.example", calls.elements.count == 1 {
                    // The cancellation does not end it.
                    await Task { try? await late.pass() }.value
                    throw Unknown()
                }
                if host == "service.example" { try await next.pass() }
                return ResolvedHost(addresses: ["127.0.0.1"])
            }
        ) { $0.connectTimeout = .milliseconds(300) }
        let request = try request("service.example", of: server)
        await #expect(throws: TransportFailure.self) { try await transport.send(request) }
        let second = Task { try await transport.send(request).statusCode }
        try await waitUntil { calls.elements.count == 2 }
        late.open()
        // The late result arrives before this request has ended.
        _ = try? await transport.send(self.request("other.example", of: server))
        next.open()
        // On a slow machine, the second lookup may be late too.
        if case .failure(let error as TransportFailure) = await second.result { #expect(error.error.code == .timedOut) }
    }

    @Test func `cancelling one request that waits for a lookup does not affect the others`() async throws {
        let (called, gate) = (Gate(), Gate())
        let server = try MockServer()
        server.onAny { _ in .text("hello") }
        let transport = transport(
            .function { _ in
                called.open()
                try await gate.pass()
                return ResolvedHost(addresses: ["127.0.0.1"])
            })
        let request = try request("service.example", of: server)
        let other = Task { try await transport.send(request).statusCode }
        let cancelled = Task { try await transport.send(request).statusCode }
        try await called.pass()
        cancelled.cancel()
        await #expect(throws: (any Error).self) { try await cancelled.value }
        gate.open()
        #expect(try await other.value == 200)
    }

    @Test func `shutting down the transport fails requests that wait for a lookup`() async throws {
        let called = Gate()
        let server = try MockServer()
        let transport = transport(
            .function { _ in
                called.open()
                try await Gate().pass()
                return ResolvedHost(addresses: ["127.0.0.1"])
            })
        let request = try request("service.example", of: server)
        let task = Task { try await transport.send(request).statusCode }
        try await called.pass()
        await transport.shutdown(cancelsRequests: true)
        await #expect(throws: (any Error).self) { try await task.value }
    }

    /// The only query that libcurl sends over HTTPS, and the response of a name server (RFC 8484, RFC 1035).
    @Test func `host names are looked up over HTTPS`() async throws {
        let names = try MockServer(tls: .selfSigned)
        names.on(.post, "/dns-query") { request in
            .data(Self.response(to: request.body), contentType: "application/dns-message")
        }
        let server = try MockServer()
        server.onAny { _ in .text("hello") }
        let transport = transport(.https(names.url.appendingPathComponent("dns-query"))) {
            $0.tls.additionalAuthorities = names.certificateAuthority
        }
        #expect(try await transport.send(request("service.example", of: server)).text() == "hello")
        #expect(!names.requests.isEmpty)
    }

    @Test func `only the addresses of recently used hosts stay in the cache`() async throws {
        let names = try MockServer(tls: .selfSigned)
        names.on(.post, "/dns-query") { request in
            .data(Self.response(to: request.body), contentType: "application/dns-message")
        }
        let server = try MockServer()
        // Each request needs the address, because it opens a connection.
        server.onAny { _ in .text("hello").with(header: "Connection", "close") }
        let transport = transport(.https(names.url.appendingPathComponent("dns-query"))) {
            $0.tls.additionalAuthorities = names.certificateAuthority
            $0.maximumConnections = 4
        }
        func isLookedUp(_ host: String) async throws -> Bool {
            let earlier = names.requests.count
            #expect(try await transport.send(request(host, of: server)).text() == "hello")
            return names.requests.count > earlier
        }
        for number in 0..<12 { #expect(try await isLookedUp("host\(number).example")) }
        #expect(try await !isLookedUp("host11.example"))
        #expect(try await !isLookedUp("host8.example"))
        #expect(try await isLookedUp("host0.example"))
    }

    @Test func `a name service URL without TLS is rejected`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1/dns-query"))
        let server = try MockServer()
        let failure = await #expect(throws: ErrandError.self) {
            try await transport(.https(url)).send(request("service.example", of: server))
        }
        #expect(failure?.code == .invalidSetting)
        #expect(failure?.reason == "the name service http://127.0.0.1/dns-query is not an HTTPS URL")
    }

    /// A DNS response with the address 127.0.0.1 to a question of type A, and without an address to other questions.
    private static func response(to question: Data) -> Data {
        var response = question
        let isA = question.dropLast(2).suffix(2).elementsEqual([0, 1])
        // A response without an error, with one answer or none.
        response.replaceSubrange(response.startIndex + 2..<response.startIndex + 4, with: [0x81, 0x80])
        response.replaceSubrange(response.startIndex + 6..<response.startIndex + 8, with: [0, isA ? 1 : 0])
        // The name of the question, A, IN, a minute, four bytes.
        if isA { response += [0xC0, 0x0C, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1] }
        return response
    }
}
#endif
