import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Contract: paths and queries on the wire` {
    struct Item: EndpointRequest {
        let id: String
        var endpoint: Endpoint<String> {
            .get("/items/\(id)/parts", query: URLQuery(["tag": [id, "b"]], lists: .commas))
        }
    }

    @Test(
        arguments: TransportUnderTest.allCases,
        [
            ("../admin?x#y", "..%2Fadmin%3Fx%23y"), ("%2e%2e", "%252e%252e"), ("a b+c/é", "a%20b%2Bc%2F%C3%A9"),
            ("..%2f", "..%252f"), ("a,b&c=d", "a%2Cb%26c%3Dd"),
        ])
    func `a path value is received in the segment where it was inserted`(
        _ transport: TransportUnderTest, _ value: (id: String, escaped: String)
    ) async throws {
        let server = try MockServer()
        server.onAny { .text($0.target) }
        let service = APIService(baseURL: BaseURL(server.url), session: transport.make())
        let target = try await Item(id: value.id).schedule(with: service).value
        #expect(target == "/items/\(value.escaped)/parts?tag=\(value.escaped),b")
    }

    #if canImport(CCurl)
    /// `URLSession` on Linux drops the mark.
    @Test(arguments: ["/hello?", "/a/../b?", "/?", "/hello??", "/hello?a", "/hello"])
    func `an empty query is sent, also after a redirect`(_ target: String) async throws {
        let server = try MockServer()
        let expected = target.replacing("/a/..", with: "")
        server.onAny { request in
            request.target == "/first" ? .status(302).with(header: "Location", target) : .text(request.target)
        }
        let transport = TransportUnderTest.curl.make()
        for path in [target, "/first", target, "/plain", target] {
            let request = Probe(server.url, transport, path: "")
            request.url = URL(string: server.url.absoluteString + path)
            #expect(try await request.start().value.text == (path == "/plain" ? "/plain" : expected))
        }
        // A location without a path keeps that of the request.
        server.onAny { request in
            request.target == "/first" ? .status(302).with(header: "Location", "?") : .text(request.target)
        }
        #expect(try await Probe(server.url, transport, path: "/first").start().value.text == "/first?")
    }
    #endif
}
