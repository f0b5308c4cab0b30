import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.interop(.nginx)) struct `Connections: other addresses` {
    @Test(arguments: TransportUnderTest.allCases)
    func `a request to an IPv6 literal reaches the server`(_ transport: TransportUnderTest) async throws {
        let server = try await Nginx(host: "[::1]", "location / { return 200 \"$http_host $server_addr\"; }")
        switch transport {
        case .curl:
            let response = try await transport.make().get(server.url())
            #expect(response.text == "[::1]:\(server.port) ::1")
            #expect(response.metrics?.remoteAddress == "[::1]:\(server.port)")
        case .urlSession:
            // `URLSession` on Linux rejects it as an invalid URL.
            await expectURLError(.badURL) { try await transport.make().get(server.url()) }
        }
    }

    @Test func `a Unix-domain socket is used for every host`() async throws {
        let directory = try TemporaryDirectory()
        let socket = directory.path("socket")
        let server = try await Nginx(
            directory: directory, "listen unix:\(socket); location / { return 200 \"$http_host$request_uri\"; }")
        let transport = CurlTransport.direct { $0.unixSocketPath = socket }
        let first = try await transport.get(URL.of("http://engine/v1/containers?all=1"))
        #expect(first.text == "engine/v1/containers?all=1")
        #expect(first.metrics?.isConnectionReused == false)
        let second = try await transport.get(URL.of("http://engine/"))
        #expect(second.metrics?.isConnectionReused == true)
        #expect(second.headers["X-Connection"] == first.headers["X-Connection"])
        withExtendedLifetime(server) {}
    }

    @Test func `a Unix-domain socket takes precedence over a proxy`() async throws {
        let directory = try TemporaryDirectory()
        let socket = directory.path("socket")
        let server = try await Nginx(directory: directory, "listen unix:\(socket); location / { return 200 nginx; }")
        let proxy = try MockServer()
        let transport = CurlTransport.direct {
            $0.unixSocketPath = socket
            $0.proxy = .server(proxy.url)
        }
        #expect(try await transport.get(URL.of("http://engine/")).text == "nginx")
        #expect(proxy.requests.isEmpty)
        withExtendedLifetime(server) {}
    }

    @Test func `a missing Unix-domain socket fails the request`() async throws {
        let transport = CurlTransport.direct { $0.unixSocketPath = "/nowhere/socket" }
        await expectURLError(.cannotConnectToHost) { try await transport.get(URL.of("http://engine/")) }
    }
}
