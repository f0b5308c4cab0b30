import Errand
import ErrandTesting
import Testing

/// The stubs of a document in which operations have their own servers.
private struct DepotStubs: DocumentStubs {
    let stubs: RouteStubs

    static let document = StubDocument(
        #"""
        {
          "basePath": "/v1",
          "operations": {
            "getCart": {"route": "GET /items/cart", "basePath": "/v2", "responses": {"200": "cart"}},
            "getItem": {"route": "GET /items/{id}", "responses": {"200": "item"}}
          },
          "parameters": {}, "bodies": {}, "schemas": {},
          "responses": {
            "cart": {"content": [{"type": "text/plain", "text": "cart"}]},
            "item": {"content": [{"type": "text/plain", "text": "item"}]}
          }
        }
        """#)
}

struct `Stubs of operations with their own servers` {
    @Test(arguments: [("/v1/items/cart", "item"), ("/v2/items/cart", "cart"), ("/v1/items/1", "item")])
    func `an operation does not hide those of other servers`(_ path: String, _ text: String) async throws {
        let stubs = RouteStubs()
        DepotStubs(stubs: stubs)()
        #expect(try await stubs.request("GET", path).data == Data(text.utf8))
    }

    @Test func `a base URL replaces all servers, so that a literal segment decides`() async throws {
        let stubs = RouteStubs(baseURL: URL(string: "https://shop.example.com/test"))
        DepotStubs(stubs: stubs)()
        #expect(try await stubs.request("GET", "/test/items/cart").data == Data("cart".utf8))
        #expect(try await stubs.request("GET", "/test/items/1").data == Data("item".utf8))
    }
}
