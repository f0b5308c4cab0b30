import Errand
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
}
