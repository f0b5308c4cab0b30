import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

struct `Contract: cookies` {
    private func request(_ transport: TransportUnderTest, _ url: URL, _ path: String, _ jar: CookieJar) -> Probe {
        let request = Probe(url, transport.make(), path: path)
        request.interceptors = [jar]
        return request
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `cookies are stored during redirects, separately for each host`(_ transport: TransportUnderTest) async throws {
        let (first, other) = (try MockServer(), try MockServer())
        let jar = CookieJar()
        // An address is the same host at every port, so different names are used.
        let port = try #require(other.url.port)
        let elsewhere = "http://localhost:\(port)/landing"
        first.onAny { request in
            switch request.path {
            case "/start": .status(302).with(header: "Location", "/next").with(header: "Set-Cookie", "a=1; Path=/")
            case "/next": .status(302).with(header: "Location", elsewhere).with(header: "Set-Cookie", "a=2; Path=/")
            default: .text(request.headers["Cookie"] ?? "")
            }
        }
        other.onAny { request in
            request.path == "/landing"
                ? .status(302).with(header: "Location", "/end").with(header: "Set-Cookie", "b=1; Path=/")
                : .text("end").with(header: "Set-Cookie", "c=1")
        }
        let start = request(transport, first.url, "/start", jar)
        start.headers[.cookie] = "own=1"
        _ = try await start.start().value
        #expect(first.requests.map { $0.headers["Cookie"] } == ["own=1", "own=1; a=1"])
        #expect(other.requests.map { $0.headers["Cookie"] } == [nil, "b=1"])
        #expect(
            jar.cookies.map { "\($0.domain) \($0.name)=\($0.value)" } == [
                "127.0.0.1 a=2", "localhost b=1", "localhost c=1",
            ])
        let again = try await request(transport, first.url, "/again", jar).start().value
        #expect(again.text == "a=2")
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a redirect that is not followed stores its cookies and sends none`(
        _ transport: TransportUnderTest
    ) async throws {
        let server = try MockServer()
        server.onAny { _ in .status(302).with(header: "Location", "/next").with(header: "Set-Cookie", "a=1") }
        let jar = CookieJar()
        let request = request(transport, server.url, "/start", jar)
        let cookies = Recorder<String?>()
        request.redirectPolicy = .decide { _, next in
            cookies.record(next.value(forHTTPHeaderField: "Cookie"))
            return false
        }
        _ = try await request.start().value
        #expect(cookies.elements == [nil])
        #expect(jar.cookies.map(\.name) == ["a"])
        #expect(server.requests.count == 1)
    }
}
