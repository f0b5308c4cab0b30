#if canImport(CCurl)
import Dispatch
import ErrandMockServer
import ErrandTesting
import ErrandWebSocket
import TestSupport
import Testing

import Errand

/// The behavior of one server, name or request must not harm the other requests of a transport.
@Suite(.hangGuard) struct `Contract: independent requests` {
    func transport(_ change: (inout CurlConfiguration) -> Void = { _ in }) -> CurlTransport {
        var configuration = CurlConfiguration()
        configuration.proxy = .none
        change(&configuration)
        return CurlTransport(configuration)
    }

    func request(_ url: URL, _ path: String = "/", timeout: TimeInterval = 300) throws -> TransportRequest {
        let url = try #require(URL(string: path, relativeTo: url)?.absoluteURL)
        return TransportRequest(URLRequest(url: url, timeoutInterval: timeout))
    }

    func respondingServer(_ text: String = "ok", at address: RawServer.Address = .v4, port: UInt16 = 0) throws
        -> RawServer
    {
        try RawServer(address, port: port) { connection in
            while !connection.readHead().isEmpty {
                try connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
            }
        }
    }

    /// A server that accepts no connections, and one that responds at another address on the same port. A port that is
    /// free at one address can be in use at the other, so several are tried.
    private func onOnePort(
        _ dead: RawServer.Address, _ alive: RawServer.Address
    ) throws -> (hole: FullBacklog, server: RawServer) {
        var attempts = 1
        while true {
            let hole = try FullBacklog(dead)
            do {
                return (hole, try respondingServer(at: alive, port: UInt16(try #require(hole.url.port))))
            } catch let failure as RawClient.Failure where failure.code == EADDRINUSE && attempts < 20 {
                attempts += 1
            }
        }
    }

    @Test(arguments: [(RawServer.Address.v4, RawServer.Address.otherV4), (.v6, .v4)])
    func `a host whose first address does not respond is reached at the second`(
        _ dead: RawServer.Address, _ alive: RawServer.Address
    ) async throws {
        let (hole, server) = try onOnePort(dead, alive)
        let port = try #require(hole.url.port)
        let hosts = try [hole.url, server.url].map { try #require($0.host) }
        let transport = transport {
            $0.connectTimeout = .seconds(4)
            $0.resolvedHosts = ["two.example:\(port)": hosts.map { $0.trimmingCharacters(in: ["[", "]"]) }]
        }
        let url = try #require(URL(string: "http://two.example:\(port)/"))
        #expect(try await transport.send(request(url)).statusCode == 200)
        #expect(await transport.poolMetrics().connections == 1)
        let api = APIBase()
        api.session = transport
        api.baseURL = URL(string: "ws://two.example:\(port)/")
        // The server responds to the handshake as to every request.
        let failure = await expectFailure(.unacceptableStatusCode) { try await api.webSocket(.text).open() }
        #expect(failure?.statusCode == 200)
    }

    /// The event loop receives the events of at most 64 sockets in one call.
    @Test func `more simultaneous responses than one event loop call reports are all read`() async throws {
        let count = 100
        let release = Gate()
        let server = try MockServer()
        server.onAny { _ in
            try await release.pass()
            return .text("ok")
        }
        let transport = transport {
            $0.maximumConnections = count
            $0.maximumConnectionsPerHost = count
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count { group.addTask { try await transport.send(request(server.url)).statusCode } }
            try await server.waitUntil { $0.requests == count }
            release.open()
            for try await status in group { #expect(status == 200) }
        }
    }

    /// Over TLS, libcurl makes all requests wait for the first connection, which may turn out to speak HTTP/2.
    @Test func `requests to an unresponsive host time out together`() async throws {
        let hole = try FullBacklog()
        let port = try #require(hole.url.port)
        let url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
        let transport = transport { $0.connectTimeout = .seconds(1) }
        let totals = await withTaskGroup(of: Duration?.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    do {
                        _ = try await transport.send(request(url))
                        return nil
                    } catch {
                        let failure = error as? TransportFailure
                        return failure?.error.code == .timedOut ? failure?.metrics?.total : nil
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(totals.count == 10)
        // One after the other, the last would take ten seconds.
        #expect(totals.allSatisfy { $0.map { $0 < .seconds(5) } == true }, "\(totals)")
    }

    @Test func `the idle limit applies to a request that waits for a connection`() async throws {
        let release = Gate()
        let server = try MockServer()
        server.onAny { _ in
            try await release.pass()
            return .status(200)
        }
        let transport = transport { $0.maximumConnectionsPerHost = 1 }
        async let first = transport.send(request(server.url))
        try await server.waitUntil { $0.requests == 1 }
        let failure = await #expect(throws: TransportFailure.self) {
            try await transport.send(request(server.url, timeout: 0.3))
        }
        #expect(failure?.error.code == .timedOut)
        #expect(failure?.reason == "timed out after 0.3 s while waiting for a connection")
        release.open()
        #expect(try await first.statusCode == 200)
    }

    /// The loop finds both requests late at the same time, because its thread was blocked. The end of the first one
    /// starts the second one, which then has its whole time again.
    @Test func `a request that the end of another one starts is not late at once`() async throws {
        let release = Gate()
        let server = try MockServer()
        server.on(.get, "/slow") { _ in
            try await release.pass()
            return .status(200)
        }
        server.on(.get, "/", .status(200))
        let transport = transport { ($0.maximumConnectionsPerHost, $0.executorThreads) = (1, 1) }
        let (slow, quick) = (try request(server.url, "/slow", timeout: 2), try request(server.url, timeout: 2))
        let first = Task { try await transport.send(slow) }
        try await server.waitUntil { $0.requests == 1 }
        async let second = transport.send(quick)
        try await waitUntil { await transport.poolMetrics().waiting == 1 }
        // Longer than the timeout of both, because the loop has no other clock than the real one.
        await withTaskExecutorPreference(transport.executor) { _ = usleep(2_200_000) }
        let failure = await #expect(throws: TransportFailure.self) { try await first.value }
        #expect(failure?.error.code == .timedOut)
        #expect(try await second.statusCode == 200)
        release.open()
    }

    /// After the redirect, the transfer waits for a connection to the second server, whose only one is in use.
    @Test func `the idle limit applies to a redirected request that waits for a connection`() async throws {
        let release = Gate()
        let (server, redirecting) = (try MockServer(), try MockServer())
        server.onAny { _ in
            try await release.pass()
            return .status(200)
        }
        redirecting.onAny { _ in .status(302).with(header: "Location", server.url.absoluteString) }
        let transport = transport { $0.maximumConnectionsPerHost = 1 }
        async let first = transport.send(request(server.url))
        try await server.waitUntil { $0.requests == 1 }
        let failure = await #expect(throws: TransportFailure.self) {
            try await transport.send(request(redirecting.url, timeout: 0.3))
        }
        #expect(failure?.error.code == .timedOut)
        #expect(failure?.reason == "timed out after 0.3 s while waiting for a connection")
        // The connection of the redirect says nothing about this hop.
        #expect(failure?.metrics?.connect == nil)
        #expect(failure?.metrics?.isConnectionReused == nil)
        #expect(failure?.metrics?.remoteAddress == nil)
        release.open()
        #expect(try await first.statusCode == 200)
        #expect(server.requests.count == 1)
    }

    /// The redirect arrives with its whole body in one piece, before the server has read the request.
    @Test func `a redirect of an unfinished request is followed once, even if the next hop must wait`() async throws {
        let (release, isFollowed) = (Gate(), Gate())
        let server = try MockServer()
        server.onAny { request in
            if request.method == "GET" { try await release.pass() }
            return .status(200)
        }
        let redirecting = try RawServer { connection in
            _ = connection.readHead()
            try connection.write(
                "HTTP/1.1 307 Temporary Redirect\r\nLocation: \(server.url)\r\nContent-Length: 2\r\n\r\nok")
            connection.readToEnd()
            isFollowed.open()
        }
        let transport = transport { $0.maximumConnectionsPerHost = 1 }
        async let first = transport.send(request(server.url))
        try await server.waitUntil { $0.requests == 1 }
        var upload = try request(redirecting.url)
        upload.urlRequest.httpMethod = "PUT"
        upload.urlRequest.httpBody = Data(count: 32 << 20)
        async let second = transport.send(upload)
        // The connection of the unfinished request ends when the redirect is followed.
        try await isFollowed.pass()
        release.open()
        #expect(try await first.statusCode == 200)
        #expect(try await second.statusCode == 200)
        #expect(try await transport.send(request(server.url)).statusCode == 200)
        #expect(server.requests.map(\.method) == ["GET", "PUT", "GET"])
    }

    /// The server's thread keeps the transport's thread busy for longer than the time limit, and responds meanwhile.
    @Test(.deep(.timeLimits)) func `data that arrives while the transport is busy is read before the timeout`()
        async throws
    {
        let transport = transport()
        let server = try RawServer { connection in
            _ = connection.readHead()
            let isBusy = DispatchSemaphore(value: 0)
            Task(executorPreference: transport.executor) {
                isBusy.signal()
                _ = usleep(2_500_000)
            }
            isBusy.wait()
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            connection.readToEnd()
        }
        #expect(try await transport.send(request(server.url, timeout: 2)).statusCode == 200)
    }

    /// The body of a redirect is not needed, so the transport does not wait for it.
    @Test(.deep(.timeLimits), arguments: [true, false])
    func `a redirect is followed without waiting for the end of its body`(_ isEndless: Bool)
        async throws
    {
        let server = try RawServer { connection in
            guard connection.readHead().hasPrefix("GET /from ") else {
                return try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
            try connection.write("HTTP/1.1 302 Found\r\nLocation: /to\r\nContent-Type: text/plain\r\n\r\n")
            while isEndless { try connection.write(Data(count: 65_536)) }
            connection.readToEnd()
        }
        let response = try await transport().send(request(server.url, "/from", timeout: isEndless ? 300 : 5))
        #expect(response.statusCode == 200)
        #expect(response.url?.path == "/to")
    }

    @Test func `one request to each of 200 origins succeeds with 16 connections`() async throws {
        let server = try respondingServer()
        let port = try #require(server.url.port)
        let transport = transport {
            $0.maximumConnections = 16
            $0.resolvedHosts = Dictionary(
                uniqueKeysWithValues: (0..<200).map { ("host\($0).example:\(port)", ["127.0.0.1"]) })
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let url = try #require(URL(string: "http://host\(number).example:\(port)/"))
                    return try await transport.send(request(url)).statusCode
                }
            }
            for try await status in group { #expect(status == 200) }
        }
    }
}
#endif
