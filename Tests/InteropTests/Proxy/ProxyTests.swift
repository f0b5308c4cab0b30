import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.interop(.openssl)) struct `Proxy` {
    let origin: MockServer
    /// A proxy that responds itself. The tests look at the requests that it receives.
    let proxy: MockServer

    init() throws {
        origin = try MockServer()
        origin.onAny { _ in .text("origin") }
        proxy = try MockServer()
        proxy.onAny { _ in .text("proxy") }
    }

    private func transport(
        _ url: URL, _ user: String? = nil, _ password: String? = nil, except: [String] = []
    ) -> CurlTransport {
        CurlTransport.direct { $0.proxy = .server(url, user: user, password: password, except: except) }
    }

    @Test func `plain HTTP is forwarded, and the proxy resolves the name`() async throws {
        let response = try await transport(proxy.url).get(URL.of("http://service.invalid/users?page=2"))
        #expect(response.text == "proxy")
        let request = try #require(proxy.requests.first)
        #expect(request.target == "http://service.invalid/users?page=2")
        #expect(request.headers["Host"] == "service.invalid")
        #expect(request.headers["Proxy-Authorization"] == nil)
    }

    @Test(arguments: [("ada", "sesame"), ("a:b", "p@ss:wörd%20/#?"), ("ada", "")])
    func `the proxy receives the user and password unchanged`(_ user: String, _ password: String) async throws {
        _ = try await transport(proxy.url, user, password).get(URL.of("http://service.invalid/"))
        let expected = "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        #expect(proxy.requests.first?.headers["Proxy-Authorization"] == expected)
    }

    @Test func `a 407 response to a forwarded request is returned`() async throws {
        proxy.onAny { _ in .status(407).with(header: "Proxy-Authenticate", "Basic realm=\"x\"") }
        let response = try await transport(proxy.url, "ada", "wrong").get(origin.url)
        #expect(response.statusCode == 407)
        #expect(proxy.requests.count == 1)
        #expect(origin.requests.isEmpty)
    }

    @Test func `TLS uses a tunnel, and the proxy sees nothing of the request`() async throws {
        let authority = try await CertificateAuthority()
        let server = try await TLSServer(authority.issue())
        let tunnels = try TunnelProxy(credentials: "ada:sesame")
        let transport = try CurlTransport.trusting(authority) {
            $0.proxy = .server(tunnels.url, user: "ada", password: "sesame")
        }
        let response = try await transport.get(server.url(), headers: ["Authorization": "Bearer x", "Cookie": "id=x"])
        #expect(response.statusCode == 200)
        #expect(response.headers["Content-Type"] == "text/html")
        let head = try #require(tunnels.heads.first)
        #expect(head.hasPrefix("CONNECT localhost:\(server.port) HTTP/1.1\r\n"))
        #expect(head.contains("User-Agent: Errand\r\n"))
        #expect(!head.contains("Bearer") && !head.contains("Cookie"))
        #expect(tunnels.heads.count == 1)
    }

    @Test func `the server's certificate is verified through a tunnel`() async throws {
        let server = try await TLSServer(CertificateAuthority().issue())
        let tunnels = try TunnelProxy()
        await expectURLError(.serverCertificateUntrusted) { try await transport(tunnels.url).get(server.url()) }
    }

    @Test func `a tunnel with a wrong password fails with a specific error code`() async throws {
        let tunnels = try TunnelProxy(credentials: "ada:sesame")
        await expectURLError(.userAuthenticationRequired) {
            try await transport(tunnels.url, "ada", "wrong").get(URL.of("https://service.invalid/"))
        }
        #expect(tunnels.heads.count == 1)
    }

    @Test func `a tunnel to a server that refuses the connection fails`() async throws {
        let tunnels = try TunnelProxy()
        let nobody = try MockServer.refusing()
        let port = try #require(nobody.url.port)
        await expectURLError(.cannotConnectToHost) {
            try await transport(tunnels.url).get(URL.of("https://localhost:\(port)/"))
        }
    }

    @Test func `an unreachable proxy fails the request`() async throws {
        let nobody = try MockServer.refusing()
        await expectURLError(.cannotConnectToHost) { try await transport(nobody.url).get(origin.url) }
        await expectURLError(.cannotFindHost) {
            try await transport(URL.of("http://proxy.invalid:3128")).get(origin.url)
        }
    }

    @Test(arguments: [["127.0.0.1"], ["example.com", "127.0.0.1"], ["*"]])
    func `hosts excluded from the proxy are reached directly`(_ exceptions: [String]) async throws {
        #expect(try await transport(proxy.url, except: exceptions).get(origin.url).text == "origin")
        #expect(proxy.requests.isEmpty)
    }

    @Test func `an excluded host includes its subdomains but no other name with the same ending`() async throws {
        let transport = CurlTransport.direct { configuration in
            configuration.proxy = .server(proxy.url, except: ["inner.test"])
            configuration.resolvedHosts["api.inner.test:\(origin.url.port ?? 0)"] = ["127.0.0.1"]
        }
        let port = try #require(origin.url.port)
        #expect(try await transport.get(URL.of("http://api.inner.test:\(port)/")).text == "origin")
        #expect(try await transport.get(URL.of("http://apiinner.test:\(port)/")).text == "proxy")
    }
}
