import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

struct `Contract: redirects` {
    let server: MockServer

    init() throws {
        server = try MockServer()
        server.onAny { request in .data(request.body, contentType: "text/plain") }
    }

    private func redirect(_ path: String, to location: String, status: Int = 302) {
        server.onAny { request in
            request.path == path
                ? .status(status).with(header: "Location", location)
                : .data(request.body, contentType: "text/plain")
        }
    }

    @Test(
        arguments: TransportUnderTest.allCases,
        [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func `a redirected POST uses the method and body that the status requires`(
        _ transport: TransportUnderTest, _ expectation: (Int, String)
    ) async throws {
        let (status, method) = expectation
        redirect("/from", to: "/to?q=1", status: status)
        let request = transport.probe(server, "/from", method: .post)
        request.body = .data(Data("content".utf8), type: .plainText)
        let response = try await request.start().value
        #expect(response.statusCode == 200)
        #expect(response.url?.absoluteString == "\(server.url.absoluteString)/to?q=1")
        let last = try #require(server.requests.last)
        #expect(last.method.rawValue == method)
        #expect(last.target == "/to?q=1")
        #expect(last.text == (method == "POST" ? "content" : ""))
        #expect(last.headers["Content-Type"] == (method == "POST" ? "text/plain" : nil))
    }

    @Test(
        arguments: TransportUnderTest.allCases,
        [
            ("/to?filter[state]=open&q=a%20b", "/to?filter%5Bstate%5D=open&q=a%20b"), ("/a%20b c", "/a%20b%20c"),
            ("/d%2Fe|f", "/d%2Fe%7Cf"), ("/a%2Fb/é", "/a%2Fb/%C3%A9"), ("/to?q=%22a b%22", "/to?q=%22a%20b%22"),
            ("/100%/a%20b", "/100%25/a%20b"),
        ])
    func `an escape in a Location is sent unchanged`(
        _ transport: TransportUnderTest, _ row: (location: String, target: String)
    ) async throws {
        redirect("/from", to: row.location)
        #expect(try await transport.probe(server, "/from").start().value.statusCode == 200)
        #expect(server.requests.map(\.target) == ["/from", row.target])
    }

    @Test(
        arguments: TransportUnderTest.allCases,
        [("/to?q", "/to?q", "#one"), ("/to#two", "/to", "#two")])
    func `a fragment is kept through redirects, and not sent`(
        _ transport: TransportUnderTest, _ row: (location: String, target: String, fragment: String)
    ) async throws {
        redirect("/from", to: server.url.absoluteString + row.location)
        let url = try #require(URL(string: server.url.absoluteString + "/from#one"))
        let request = TransportRequest(URLRequest(url: url, timeoutInterval: .hangGuard))
        let response = try await transport.make().send(request)
        #expect(server.requests.map(\.target) == ["/from", row.target])
        #expect(
            response.url?.absoluteString == server.url.absoluteString + row.location.prefix { $0 != "#" } + row.fragment
        )
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a PUT keeps its method and body through a 301 redirect`(_ transport: TransportUnderTest) async throws {
        redirect("/from", to: "/to", status: 301)
        let request = transport.probe(server, "/from", method: .put)
        request.body = .data(Data("content".utf8), type: nil)
        #expect(try await request.start().value.data == Data("content".utf8))
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `credentials are not sent to another origin`(_ transport: TransportUnderTest) async throws {
        let other = try MockServer()
        other.onAny { _ in .status(200) }
        redirect("/from", to: other.url.absoluteString + "/to")
        let request = transport.probe(server, "/from")
        request.headers = [
            "Authorization": "Bearer x", "Cookie": "id=x", "Proxy-Authorization": "x", "X-Api-Key": "x",
            "Accept": "text/plain",
        ]
        _ = try await request.start().value
        let landed = try #require(other.requests.first).headers
        for name in ["Authorization", "Cookie", "Proxy-Authorization", "X-Api-Key"] { #expect(landed[name] == nil) }
        #expect(landed["Accept"] == "text/plain")
        redirect("/from", to: "/to")
        _ = try await request.start().value
        #expect(server.requests.last?.headers["Authorization"] == "Bearer x")
    }

    @Test(arguments: TransportUnderTest.allCases, ["?q=2", "to/../to", "//HOST/to"])
    func `a relative Location is resolved against the request's URL`(
        _ transport: TransportUnderTest, _ location: String
    ) async throws {
        let host = try #require(server.url.host) + ":\(try #require(server.url.port))"
        server.onAny { request in
            request.target == "/dir/from"
                ? .status(302).with(header: "Location", location.replacingOccurrences(of: "HOST", with: host))
                : .text(request.target)
        }
        let response = try await transport.probe(server, "/dir/from").start().value
        let expected = ["?q=2": "/dir/from?q=2", "to/../to": "/dir/to", "//HOST/to": "/to"]
        #expect(String(decoding: response.data, as: UTF8.self) == expected[location])
    }

    @Test(arguments: TransportUnderTest.allCases, ["file:///etc/passwd", "javascript:alert(1)", "data:text/plain,x"])
    func `a redirect to a URL that is not HTTP fails the request`(
        _ transport: TransportUnderTest, _ location: String
    ) async throws {
        redirect("/from", to: location)
        await expectTransportFailure(.unsupportedURL) { try await transport.probe(server, "/from").start().value }
        #expect(server.requests.count == 1)
    }

    @Test(arguments: TransportUnderTest.allCases, ["http:///to", "//", "http:to"])
    func `a redirect to an HTTP URL without a host fails the request with a reason`(
        _ transport: TransportUnderTest, _ location: String
    ) async throws {
        redirect("/from", to: location)
        let error = await expectFailure(.transportFailed) {
            try await transport.probe(server, "/from").start().value
        }
        #expect((error?.underlyingError as? URLError)?.code == .redirectToNonExistentLocation)
        #expect(error?.reason == "the location of the redirect has no host")
        #expect(transport == .urlSession || error?.metrics != nil)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a redirect loop fails the request`(_ transport: TransportUnderTest) async throws {
        redirect("/from", to: "/from")
        await expectTransportFailure(.httpTooManyRedirects) {
            try await transport.probe(server, "/from").start().value
        }
        #expect(server.requests.count == 21)
    }
}
