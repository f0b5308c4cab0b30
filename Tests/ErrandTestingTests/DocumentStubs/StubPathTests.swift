import Errand
import ErrandTesting
import Testing

@Suite struct StubPathTests {
    private struct PathStubs: DocumentStubs {
        enum Statuses: String, StubStatus { case ok = "200" }

        let stubs: RouteStubs
        static let document = StubDocument(
            ##"""
            {
              "basePath": "/my%20api/*/:x/v1",
              "operations": {
                "search": {
                  "route": "GET /search?q={q}&k=1", "parameters": ["parameters/0"], "responses": {"200": "none"}
                },
                "slash": {"route": "GET /a%2Fb/c", "responses": {"200": "none"}},
                "plain": {"route": "GET /d", "basePath": "", "responses": {"200": "none"}}
              },
              "parameters": {
                "#/paths/~1search?q={q}&k=1/get/parameters/0": {"name": "q", "in": "query", "required": true}
              },
              "bodies": {}, "responses": {"none": {}}, "schemas": {}
            }
            """##)
    }

    private let stubs = RouteStubs()

    init() { PathStubs(stubs: stubs)() }

    @Test(arguments: ["/my%20api/*/:x/v1/search?q=a&k=1", "/my%20api/*/:x/v1/a%2Fb/c", "/d"])
    func `a path is found with its escapes, its signs and the items of its query`(_ path: String) async throws {
        #expect(try await stubs.request("GET", path).statusCode == 200)
    }

    @Test(arguments: ["/my%20api/*/:x/v1/search?q=a", "/my%20api/*/:x/v1/a/b/c", "/my%20api/*/:x/v1/search?k=1"])
    func `a path without a part of its template is not found`(_ path: String) async {
        let error = await #expect(throws: ErrandError.self) { try await stubs.request("GET", path) }
        #expect(error?.code == .unexpectedRequest)
    }
}
