import Errand
import Testing

struct `The URL of a request` {
    @Test(arguments: [
        ("https://example.com", "/users", "https://example.com/users"),
        ("https://example.com", "users", "https://example.com/users"),
        ("https://example.com/", "/users", "https://example.com/users"),
        ("https://example.com/v1", "/users", "https://example.com/v1/users"),
        ("https://example.com/v1/", "users/", "https://example.com/v1/users/"),
        ("https://example.com/v1", "", "https://example.com/v1"),
        ("HTTPS://example.com", "/a b", "https://example.com/a%20b"),
        ("hTTP://example.com", "/users", "http://example.com/users"),
        ("httpS://example.com", "", "https://example.com"),
        ("https://example.com#part", "/users", "https://example.com/users"),
        ("https://example.com:8443/x", "/é", "https://example.com:8443/x/%C3%A9"),
        ("https://example.com", "/a%2Fb/100%", "https://example.com/a%2Fb/100%25"),
        ("https://example.com", "//users", "https://example.com//users"),
        ("http://[::1]:8080", "/users", "http://[::1]:8080/users"),
        ("https://user:word@example.com", "/x", "https://user:word@example.com/x"),
    ])
    func `the path of a request is appended to the path of the base URL`(
        _ base: String, _ path: String, _ expected: String
    ) throws {
        #expect(try url(base, path).absoluteString == expected)
    }

    @Test func `the URL of a request keeps repeated items, their order and the base URL query`() throws {
        let items = [
            URLQueryItem(name: "tag", value: "b"), URLQueryItem(name: "tag", value: "a"),
            URLQueryItem(name: "flag", value: nil), URLQueryItem(name: "empty", value: ""),
        ]
        let resolved = try url("https://example.com/v1?key=1%202", "/users", items).absoluteString
        #expect(resolved == "https://example.com/v1/users?key=1%202&tag=b&tag=a&flag&empty=")
    }

    @Test func `characters in query items that servers interpret differently are escaped`() throws {
        let items = [URLQueryItem(name: "q[]", value: "a b+c&d=e/f?g;h#é%20\u{1F600}")]
        let resolved = try url("https://example.com", "", items).absoluteString
        let expected = "q%5B%5D=a%20b%2Bc%26d%3De%2Ff%3Fg%3Bh%23%C3%A9%2520%F0%9F%98%80"
        #expect(resolved == "https://example.com?\(expected)")
    }

    private func url(_ base: String, _ path: String, _ items: [URLQueryItem] = []) throws -> URL {
        let request = APIBase()
        request.baseURL = URL(string: base)
        request.path = RequestPath(path)
        request.query = URLQuery(items)
        return try #require(try request.buildURLRequest().url)
    }
}

struct `A redacted URL` {
    @Test(arguments: [
        ("https://user:word@example.com/a?b=c&d&e=f=g&=h#i", "https://example.com/a?b=***&***&e=***&=***"),
        ("https://example.com", "https://example.com"),
        ("https://example.com/?", "https://example.com/?"), ("https:user:word@example.com", "https:***"),
        ("user:word@example.com", "user:***"), ("data:text/plain,word", "data:***"),
        ("https://example.com/?token%3Dword=1&a=b", "https://example.com/?***&a=***"),
    ])
    func `a redacted URL keeps item names and hides their values`(_ url: String, _ expected: String) throws {
        #expect(try #require(URL(string: url)).redacted.absoluteString == expected)
    }

    @Test(arguments: [("a=b&c=d", "a=b&c=***"), ("a=1&%61=2&a", "a=1&%61=2&a"), ("b&A=1", "***&A=***")])
    func `a redacted URL shows the items of the given names`(_ query: String, _ expected: String) throws {
        let url = try #require(URL(string: "https://example.com/?\(query)")).redacted(revealingQuery: ["a"])
        #expect(url.absoluteString == "https://example.com/?\(expected)")
    }
}
