import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

/// Each test runs in a separate process, because the environment applies to all of it.
@Suite(.interop()) struct `Proxy: the environment` {
    @Test func `http_proxy sets the proxy for HTTP`() async {
        await #expect(processExitsWith: .success) {
            let two = try TwoServers()
            setenv("http_proxy", two.proxyURL, 1)
            #expect(try await CurlTransport().get(URL.of("http://service.invalid/")).text == "proxy")
        }
    }

    @Test func `all_proxy sets the proxy with its user and password`() async {
        await #expect(processExitsWith: .success) {
            let two = try TwoServers()
            setenv("all_proxy", two.proxyURL.replacingOccurrences(of: "://", with: "://ada:s%40me@"), 1)
            #expect(try await CurlTransport().get(two.origin.url).text == "proxy")
            let expected = "Basic " + Data("ada:s@me".utf8).base64EncodedString()
            #expect(two.proxy.requests.first?.headers["Proxy-Authorization"] == expected)
        }
    }

    @Test func `https_proxy sets the proxy for tunnels`() async {
        await #expect(processExitsWith: .success) {
            let two = try TwoServers()
            two.proxy.onAny { _ in .status(407) }
            setenv("https_proxy", two.proxyURL, 1)
            await expectURLError(.userAuthenticationRequired) {
                try await CurlTransport().get(URL.of("https://service.invalid/"))
            }
            #expect(two.proxy.requests.first?.method == "CONNECT")
        }
    }

    @Test func `hosts in no_proxy are reached directly`() async {
        await #expect(processExitsWith: .success) {
            let two = try TwoServers()
            setenv("http_proxy", two.proxyURL, 1)
            setenv("no_proxy", "example.com,127.0.0.1", 1)
            #expect(try await CurlTransport().get(two.origin.url).text == "origin")
            #expect(two.proxy.requests.isEmpty)
        }
    }

    @Test func `HTTP_PROXY sets no proxy and leaves names to the name service`() async {
        await #expect(processExitsWith: .success) {
            let two = try TwoServers()
            setenv("HTTP_PROXY", two.proxyURL, 1)
            var configuration = CurlConfiguration()
            configuration.nameService = .function { _ in ResolvedHost(addresses: ["127.0.0.1"]) }
            let url = try URL.of("http://service.invalid:\(#require(two.origin.url.port))/")
            #expect(try await CurlTransport(configuration).get(url).text == "origin")
            #expect(two.proxy.requests.isEmpty)
        }
    }

    @Test func `a configuration without a proxy ignores the environment`() async {
        await #expect(processExitsWith: .success) {
            let two = try TwoServers()
            setenv("http_proxy", two.proxyURL, 1)
            setenv("all_proxy", two.proxyURL, 1)
            let transport = CurlTransport.direct()
            #expect(try await transport.get(two.origin.url).text == "origin")
            #expect(two.proxy.requests.isEmpty)
        }
    }

    @Test func `a configured proxy ignores no_proxy`() async {
        await #expect(processExitsWith: .success) {
            let two = try TwoServers()
            setenv("no_proxy", "*", 1)
            let transport = CurlTransport.direct { $0.proxy = .server(two.proxy.url) }
            #expect(try await transport.get(two.origin.url).text == "proxy")
        }
    }
}

/// A server and a proxy. The environment variables for proxies are removed.
private struct TwoServers {
    let origin: MockServer
    let proxy: MockServer
    var proxyURL: String { proxy.url.absoluteString }

    init() throws {
        for name in ProcessInfo.processInfo.environment.keys where name.lowercased().hasSuffix("_proxy") {
            unsetenv(name)
        }
        origin = try MockServer()
        origin.onAny { _ in .text("origin") }
        proxy = try MockServer()
        proxy.onAny { _ in .text("proxy") }
    }
}
