import Errand
import Testing

struct `The origin of a URL` {
    private func origin(_ url: String) -> Errand.Origin? { URL(string: url).flatMap(Errand.Origin.init) }

    @Test func `the origin of a URL ignores case and an explicit default port`() {
        #expect(origin("https://api.example.com/a?b") == origin("HTTPS://API.example.com:443"))
        #expect(origin("http://[::1]/") == origin("http://[::1]:80"))
    }

    @Test func `the origin of a URL depends on scheme, host and port`() {
        let origins = [
            "https://a.example", "http://a.example", "https://b.example", "https://a.example:8443", "http://[::1]",
        ]
        #expect(Set(origins.map(origin)).count == origins.count)
    }

    @Test func `only HTTP URLs have an origin`() {
        for url in ["ftp://a.example", "file:///a", "mailto:a@b.example", "http:///a", "/a"] {
            #expect(origin(url) == nil)
        }
    }

    @Test func `the description of an origin omits the default port`() {
        #expect(origin("HTTPS://API.example.com:443/x")?.description == "https://api.example.com")
        #expect(origin("http://localhost:8080/x")?.description == "http://localhost:8080")
        #expect(origin("http://[::1]:8080/x")?.description == "http://[::1]:8080")
        #expect(origin("https://a.example/x")?.address == "a.example:443")
        #expect(origin("http://[::1]/x")?.address == "[::1]:80")
    }
}
