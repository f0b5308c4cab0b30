import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Contract: addresses and names` {
    let server: MockServer

    init() throws {
        server = try MockServer()
        server.onAny { .text("\($0.method) \($0.target)") }
    }

    @Test(arguments: TransportUnderTest.without(.addressesInBrackets))
    func `a request reaches an IPv6 address`(_ transport: TransportUnderTest) async throws {
        let server = try RawServer(.v6) { connection in
            let host = connection.readHead().split(separator: "\r\n").first { $0.hasPrefix("Host: ") } ?? ""
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(host.utf8.count)\r\n\r\n\(host)")
        }
        let response = try await Probe(server.url, transport.make()).start().value
        #expect(response.data == Data("Host: [::1]:\(try #require(server.url.port))".utf8))
        #expect(response.metrics?.remoteAddress == "[::1]:\(try #require(server.url.port))")
    }

    /// Only a link-local address would show whether the zone is used, and the loopback interface has none.
    @Test func `an IPv6 address with a zone is accepted`() async throws {
        let server = try RawServer(.v6) { connection in
            let isWithoutZone = connection.readHead().contains("Host: [::1]:")
            try connection.write("HTTP/1.1 \(isWithoutZone ? 200 : 400) x\r\nContent-Length: 0\r\n\r\n")
        }
        let url = try #require(URL(string: server.url.absoluteString.replacing("[::1]", with: "[::1%25lo]")))
        #expect(url.absoluteString.contains("%25lo"))
        #expect(try await Probe(url, TransportUnderTest.curl.make()).start().value.statusCode == 200)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `an uppercase URL scheme is treated like the lowercase scheme`(_ transport: TransportUnderTest) async throws {
        let url = try #require(URL(string: server.url.absoluteString.replacing("http:", with: "HTTP:")))
        let response = try await Probe(url, transport.make(), path: "/x").start().value
        #expect(response.data == Data("GET /x".utf8))
    }

    @Test(
        arguments: TransportUnderTest.allCases,
        [
            ("/café/日本", "/caf%C3%A9/%E6%97%A5%E6%9C%AC"), ("/a b/👍🏽", "/a%20b/%F0%9F%91%8D%F0%9F%8F%BD"),
            ("/a%2Fb", "/a%2Fb"),
        ])
    func `a path is sent in UTF-8 and percent-encoded once`(_ transport: TransportUnderTest, _ path: (String, String))
        async throws
    {
        let response = try await transport.probe(server, path.0).start().value
        #expect(response.data == Data("GET \(path.1)".utf8))
    }

    @Test(arguments: TransportUnderTest.allCases, ["purge", "Report", "M-SEARCH", "patch"] as [RequestMethod])
    func `the request method is sent unchanged`(_ transport: TransportUnderTest, _ method: RequestMethod) async throws {
        #expect(try await transport.probe(server, method: method).start().value.data == Data("\(method) /".utf8))
    }

    @Test(arguments: TransportUnderTest.without(.connectTimeout))
    func `connecting fails with a timeout after the connect timeout`(_ transport: TransportUnderTest) async throws {
        let server = try FullBacklog()
        let request = Probe(server.url, transport.make(connectTimeout: 0.05))
        let error = await expectFailure(.timedOut) { try await request.start().value }
        #expect(error?.metrics?.connect == nil)
        #expect(error?.metrics?.bytesSent == 0)
    }

    /// Without the transport's configuration, the name does not resolve.
    @Test(arguments: TransportUnderTest.without(.resolvedHosts))
    func `a host name resolves to the configured addresses`(_ transport: TransportUnderTest) async throws {
        var configuration = CurlConfiguration()
        let port = try #require(server.url.port)
        configuration.resolvedHosts = ["somewhere.invalid:\(port)": ["127.0.0.1"]]
        let url = try #require(URL(string: "http://somewhere.invalid:\(port)"))
        let response = try await Probe(url, CurlTransport(configuration), path: "/x").start().value
        #expect(response.data == Data("GET /x".utf8))
        #expect(server.requests.first?.headers["Host"] == "somewhere.invalid:\(port)")
    }
}
