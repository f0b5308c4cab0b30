import Testing

@testable import Errand

struct `A chain of redirects` {
    @Test(arguments: [
        (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"), (303, "DELETE", "GET"),
        (301, "PUT", "PUT"), (302, "PATCH", "PATCH"), (307, "POST", "POST"), (308, "PUT", "PUT"), (303, "HEAD", "HEAD"),
        (301, "GET", "GET"), (302, "HEAD", "HEAD"),
    ])
    func `a redirect keeps method and body unless the status changes them`(
        _ status: Int, _ method: String, _ expected: String
    ) throws {
        var chain = try chain(method: method, body: Data("x".utf8), headers: ["Content-Type": "text/plain"])
        #expect(try chain.follow(redirect("/next", status)))
        #expect(chain.request.httpMethod == expected)
        let keepsBody = method == expected
        #expect(chain.request.httpBody == (keepsBody ? Data("x".utf8) : nil))
        #expect(chain.request.value(forHTTPHeaderField: "Content-Type") == (keepsBody ? "text/plain" : nil))
    }

    @Test(arguments: [
        ("/next", "http://a.example/next"), ("next", "http://a.example/dir/next"), ("../next", "http://a.example/next"),
        ("?q=1", "http://a.example/dir/page?q=1"), ("//b.example/x", "http://b.example/x"),
        ("https://b.example/x?y#z", "https://b.example/x?y#z"),
        ("HTTP://a.example/x", "http://a.example/x"),
        // Characters that must be escaped, beside existing escapes.
        ("/x?f[a]=1&q=a%20b", "http://a.example/x?f%5Ba%5D=1&q=a%20b"), ("/a%20b c", "http://a.example/a%20b%20c"),
        ("é/%2F?%2F|", "http://a.example/dir/%C3%A9/%2F?%2F%7C"), ("/100%?%25", "http://a.example/100%25?%25"),
    ])
    func `every form of Location is resolved`(_ location: String, _ expected: String) throws {
        var chain = try chain()
        #expect(try chain.follow(redirect(location)))
        #expect(chain.request.url?.absoluteString == expected)
    }

    /// RFC 9110, section 10.2.2.
    @Test(arguments: [
        (["/b"], "http://a.example/b#one"), (["/b#two"], "http://a.example/b#two"), (["/b#"], "http://a.example/b#"),
        (["/b", "c?d"], "http://a.example/c?d#one"), (["/b#two", "/c", "/d"], "http://a.example/d#two"),
        (["/b#", "/c"], "http://a.example/c#"), (["/b#t%20w|o", "c"], "http://a.example/c#t%20w%7Co"),
        (["https://b.example"], "https://b.example#one"), (["HTTP://b.example/", "/x"], "http://b.example/x#one"),
        (["?q"], "http://a.example/dir/page?q#one"), (["#two"], "http://a.example/dir/page?old=1#two"),
    ])
    func `a target without a fragment gets that of the URL before it`(_ locations: [String], _ url: String) throws {
        var chain = try chain(url: "http://a.example/dir/page?old=1#one")
        for location in locations { #expect(try chain.follow(redirect(location))) }
        #expect(chain.request.url?.absoluteString == url)
    }

    @Test(arguments: ["http://b.example/", "https://a.example/", "http://a.example:8080/", "//b.example/"])
    func `possible credentials are removed when the origin changes`(_ location: String) throws {
        var chain = try chain(headers: [
            "Authorization": "x", "Cookie": "x", "Proxy-Authorization": "x", "X-Api-Key": "x", "Accept": "y",
            "User-Agent": "y",
        ])
        #expect(try chain.follow(redirect(location)))
        #expect(Set((chain.request.allHTTPHeaderFields ?? [:]).keys) == ["Accept", "User-Agent"])
    }

    @Test func `Last-Event-ID is sent to another origin`() throws {
        var chain = try chain(headers: ["Last-Event-ID": "7", "X-Api-Key": "x"])
        #expect(try chain.follow(redirect("https://b.example/events")))
        #expect(chain.request.allHTTPHeaderFields == ["Last-Event-ID": "7"])
    }

    @Test(arguments: ["/other", "http://a.example/x", "http://A.EXAMPLE:80/x"])
    func `credentials are kept within the origin`(_ location: String) throws {
        var chain = try chain(headers: ["Authorization": "x", "X-Api-Key": "x"])
        #expect(try chain.follow(redirect(location)))
        #expect(chain.request.value(forHTTPHeaderField: "Authorization") == "x")
        #expect(chain.request.value(forHTTPHeaderField: "X-Api-Key") == "x")
    }

    @Test(arguments: ["file:///etc/passwd", "javascript:alert(1)", "data:text/plain,x", "ftp://a.example/", "ftp:x"])
    func `a redirect to a URL that is not HTTP is rejected`(_ location: String) throws {
        var chain = try chain()
        let failure = #expect(throws: TransportFailure.self) { try chain.follow(redirect(location)) }
        #expect(failure?.error.code == .unsupportedURL)
    }

    @Test(arguments: [
        ("http:///x", "no host"), ("http://", "no host"), ("//", "no host"), ("///x", "no host"), ("http:", "no host"),
        ("http:second", "no host"), ("https:/x", "no host"), ("http://:80/", "no host"), ("http://@/", "no host"),
        ("http://user@:80/x", "no host"), ("HTTP:///x", "no host"), ("//?q", "no host"),
        ("http://a.example:99999/", "an invalid port, 99999"), ("//a.example:65536", "an invalid port, 65536"),
        ("http://[::1/", nil), ("http://a.example:x/", nil),
    ])
    func `a redirect to an HTTP URL without a host or a possible port is rejected`(
        _ location: String, _ fault: String?
    ) throws {
        var chain = try chain()
        let failure = #expect(throws: TransportFailure.self) { try chain.follow(redirect(location)) }
        #expect(failure?.error.code == .redirectToNonExistentLocation)
        #expect(failure?.reason == fault.map { "the location of the redirect has \($0)" })
    }

    @Test func `the twenty-first redirect fails`() throws {
        var chain = try chain()
        for _ in 0..<RedirectChain.limit { #expect(try chain.follow(redirect("/again"))) }
        let failure = #expect(throws: TransportFailure.self) { try chain.follow(redirect("/again")) }
        #expect(failure?.error.code == .httpTooManyRedirects)
    }

    @Test(arguments: [200, 201, 300, 304, 305, 306, 400])
    func `other status codes are not followed`(_ status: Int) throws {
        var chain = try chain()
        #expect(try !chain.follow(redirect("/next", status)))
    }

    @Test func `a redirect without a Location is not followed`() throws {
        var chain = try chain()
        #expect(try !chain.follow(DataResponse(statusCode: 302)))
        #expect(try !chain.follow(redirect("")))
    }

    private func chain(
        method: String = "GET", url: String = "http://a.example/dir/page?old=1", body: Data? = nil,
        headers: [String: String] = [:]
    ) throws -> RedirectChain {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        request.httpBody = body
        request.allHTTPHeaderFields = headers
        return RedirectChain(TransportRequest(request))
    }

    private func redirect(_ location: String, _ status: Int = 302) -> DataResponse {
        DataResponse(statusCode: status, headers: ["location": location])
    }
}
