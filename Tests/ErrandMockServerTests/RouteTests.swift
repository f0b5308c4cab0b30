import Errand
import Testing

@testable import ErrandMockServer
@testable import ErrandTesting

struct `Routes` {
    private func parameters(_ pattern: String, _ target: String) throws -> [String: String]? {
        let route = Route(.get, pattern) { _ in .status(200) }
        return route.parameters(of: try Wire.parsed(Wire.request("GET", target)))
    }

    @Test func `a literal pattern matches only its own path, with any query`() throws {
        #expect(try parameters("/users", "/users?page=2") == [:])
        #expect(try parameters("/users", "/users/") == nil)
        #expect(try parameters("/users", "/users/1") == nil)
        #expect(try parameters("/users", "/Users") == nil)
        #expect(try parameters("/", "/") == [:])
    }

    @Test func `a route with a parameter matches one segment`() throws {
        #expect(try parameters("/users/:id", "/users/7") == ["id": "7"])
        #expect(try parameters("/users/:id/posts/:post", "/users/7/posts/8") == ["id": "7", "post": "8"])
        #expect(try parameters("/users/:id", "/users/7/posts") == nil)
        #expect(try parameters("/users/:id", "/users/") == nil)
        #expect(try parameters("/users/:id", "/users") == nil)
    }

    @Test func `path segments are decoded after they are split`() throws {
        #expect(try parameters("/files/:name", "/files/a%2Fb%20c") == ["name": "a/b c"])
        #expect(try parameters("/caf\u{E9}", "/caf%C3%A9") == [:])
    }

    @Test func `a trailing star matches one or more segments`() throws {
        #expect(try parameters("/files/*", "/files/a/b") == ["*": "a/b"])
        #expect(try parameters("/files/*", "/files/") == ["*": ""])
        #expect(try parameters("/files/*", "/files") == nil)
        #expect(try parameters("*", "/anything/at/all") == ["*": "anything/at/all"])
    }

    @Test func `a route matches only its method`() throws {
        let route = Route(.post, "/users") { _ in .status(200) }
        #expect(route.parameters(of: try Wire.parsed(Wire.request("GET", "/users"))) == nil)
        #expect(route.parameters(of: try Wire.parsed(Wire.request("POST", "/users"))) == [:])
    }
}
