import Testing

@testable import Errand

struct `Cookie rules` {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func jar(_ suffixes: PublicSuffixes = []) -> CookieJar {
        CookieJar(publicSuffixes: suffixes) { [now] in now }
    }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private func names(_ jar: CookieJar, _ text: String) throws -> [String] {
        jar.cookies(for: try url(text)).map(\.name)
    }

    @Test func `the attributes of a cookie are parsed`() throws {
        let jar = jar()
        try jar.setCookie(
            "id=\"a b\"; Domain=.Example.com; Path=/shop; Max-Age=60; Secure; HttpOnly; SameSite=Lax",
            for: try url("https://www.example.com/"))
        let cookie = try #require(jar.cookies.first)
        #expect(cookie.name == "id")
        #expect(cookie.value == "\"a b\"")
        #expect(cookie.domain == "example.com")
        #expect(!cookie.isHostOnly)
        #expect(cookie.path == "/shop")
        #expect(cookie.expires == now + 60)
        #expect(cookie.isSecure && cookie.isHTTPOnly)
        #expect(cookie.sameSite == .lax)
    }

    @Test(arguments: [
        ("https://example.com/", true), ("https://www.example.com/", false), ("https://badexample.com/", false),
    ])
    func `a cookie without a domain is sent only to its host`(_ text: String, _ isSent: Bool) throws {
        let jar = jar()
        try jar.setCookie("a=1", for: try url("https://example.com/"))
        #expect(try names(jar, text) == (isSent ? ["a"] : []))
    }

    @Test(arguments: [
        ("https://example.com/", true), ("https://a.b.example.com/", true), ("https://badexample.com/", false),
        ("https://example.com.evil.org/", false), ("https://com/", false),
    ])
    func `a cookie with a domain is also sent to subdomains`(_ text: String, _ isSent: Bool) throws {
        let jar = jar()
        try jar.setCookie("a=1; Domain=example.com", for: try url("https://www.example.com/"))
        #expect(try names(jar, text) == (isSent ? ["a"] : []))
    }

    @Test(arguments: [
        ("/shop", "/shop", true), ("/shop", "/shop/1", true), ("/shop", "/shopping", false), ("/shop/", "/shop", false),
        ("/shop/", "/shop/1", true), ("/", "/x", true), ("/Shop", "/shop", false),
    ])
    func `a cookie with a path is sent to all paths below it`(_ path: String, _ target: String, _ isSent: Bool) throws {
        let jar = jar()
        try jar.setCookie("a=1; Path=\(path)", for: try url("https://example.com/"))
        #expect(try names(jar, "https://example.com\(target)") == (isSent ? ["a"] : []))
    }

    @Test(arguments: [("/a/b/c", "/a/b"), ("/a", "/"), ("", "/"), ("/a/", "/a")])
    func `the default path of a cookie is the directory of the request`(_ path: String, _ expected: String) throws {
        let jar = jar()
        try jar.setCookie("a=1", for: try url("https://example.com\(path)"))
        #expect(jar.cookies.map(\.path) == [expected])
    }

    @Test(arguments: [
        ("https://example.com/", true), ("wss://example.com/", true), ("http://example.com/", false),
        ("ws://example.com/", false),
    ])
    func `a secure cookie is sent only over TLS`(_ text: String, _ isSent: Bool) throws {
        let jar = jar()
        try jar.setCookie("a=1; Secure", for: try url("https://example.com/"))
        #expect(try names(jar, text) == (isSent ? ["a"] : []))
    }

    @Test(arguments: ["http://127.0.0.1:8080/", "http://localhost/", "http://[::1]/", "http://app.localhost/"])
    func `the loopback address is a secure origin for cookies`(_ text: String) throws {
        let jar = jar()
        try jar.setCookie("a=1; Secure", for: try url(text))
        #expect(try names(jar, text) == ["a"])
    }

    @Test(arguments: [
        ("a=\u{1}", "https://example.com/", CookieFault.controlCharacter), ("a", "https://example.com/", .missingName),
        ("=a", "https://example.com/", .missingName), ("", "https://example.com/", .missingName),
        ("a=" + String(repeating: "x", count: 4096), "https://example.com/", .tooLong),
        ("a=1", "ftp://example.com/", .invalidURL), ("a=1", "file:///x", .invalidURL),
        ("a=1; Domain=com", "https://example.com/", .publicSuffix),
        ("a=1; Domain=com.", "https://example.com./", .publicSuffix),
        ("a=1; Domain=co.uk.", "https://example.co.uk./", .publicSuffix),
        ("a=1; Domain=co.uk", "https://example.co.uk/", .publicSuffix),
        ("a=1; Domain=github.io", "https://user.github.io/", .publicSuffix),
        ("a=1; Domain=tenants.example.com", "https://one.tenants.example.com/", .publicSuffix),
        ("a=1; Domain=example.org", "https://example.com/", .otherDomain),
        ("a=1; Domain=www.example.com", "https://example.com/", .otherDomain),
        ("a=1; Domain=0.0.1", "http://127.0.0.1/", .otherDomain),
        ("a=1; Secure", "http://example.com/", .insecure),
        ("__secure-a=1", "https://example.com/", .securePrefix),
        ("__Host-a=1; Path=/", "https://example.com/", .hostPrefix),
        ("__Host-a=1; Secure; Path=/; Domain=example.com", "https://example.com/", .hostPrefix),
        ("__HOST-a=1; Secure", "https://example.com/", .hostPrefix),
        ("__Host-a=1; Secure; Path=/x", "https://example.com/", .hostPrefix),
    ])
    func `a cookie that violates the rules is rejected with the reason`(
        _ field: String, _ text: String, _ fault: CookieFault
    ) throws {
        let jar = jar(["tenants.example.com"])
        let error = #expect(throws: ErrandError.self) { try jar.setCookie(field, for: try url(text)) }
        #expect(error?.code == .invalidHeaderField)
        #expect(error?.reason == fault.rawValue)
        #expect(jar.cookies.isEmpty)
    }

    @Test func `a cookie with a name prefix that fulfills its conditions is stored`() throws {
        let jar = jar()
        try jar.setCookie("__Secure-a=1; Secure; Domain=example.com", for: try url("https://www.example.com/"))
        try jar.setCookie("__Host-b=1; Secure; Path=/", for: try url("https://www.example.com/x/y"))
        #expect(try names(jar, "https://www.example.com/") == ["__Secure-a", "__Host-b"])
    }

    @Test(arguments: ["com", "localhost", "github.io"])
    func `a host that is a public suffix can have host-only cookies`(_ host: String) throws {
        let jar = jar()
        try jar.setCookie("a=1; Domain=\(host)", for: try url("https://\(host)/"))
        #expect(jar.cookies.map(\.isHostOnly) == [true])
        #expect(try names(jar, "https://www.\(host)/").isEmpty)
    }

    @Test func `a server without TLS cannot replace a secure cookie`() throws {
        let jar = jar()
        try jar.setCookie("id=1; Secure; Domain=example.com; Path=/shop", for: try url("https://example.com/"))
        let plain = try url("http://www.example.com/shop/basket")
        for field in ["id=evil; Path=/shop/basket", "id=evil; Path=/shop; Domain=example.com"] {
            let error = #expect(throws: ErrandError.self) { try jar.setCookie(field, for: plain) }
            #expect(error?.reason == CookieFault.overlaysSecure.rawValue)
        }
        try jar.setCookie("other=1; Path=/shop", for: plain)
        try jar.setCookie("id=1; Path=/elsewhere", for: plain)
        #expect(jar.cookies.map(\.value) == ["1", "1", "1"])
    }

    @Test func `cookies with longer paths are sent first, then older cookies`() throws {
        let jar = jar()
        for field in ["a=1; Path=/", "b=1; Path=/x/y", "c=1; Path=/x", "d=1; Path=/x/y"] {
            try jar.setCookie(field, for: try url("https://example.com/x/y"))
        }
        try jar.setCookie("b=2; Path=/x/y", for: try url("https://example.com/"))
        #expect(try names(jar, "https://example.com/x/y") == ["b", "d", "c", "a"])
        #expect(jar.cookies.map(\.name) == ["a", "b", "c", "d"])
        #expect(jar.cookies.map(\.value) == ["1", "2", "1", "1"])
    }

    private static let lifetimes: [(attributes: String, seconds: TimeInterval)] = [
        ("Max-Age=60", 60), ("Max-Age=60; Expires=Thu, 01 Jan 2037 00:00:00 GMT", 60),
        ("Expires=Thu, 01 Jan 2099 00:00:00 GMT", 34_560_000), ("Max-Age=99999999999999999999", 400 * 86_400),
        ("Max-Age=60; Max-Age=soon", 60), ("Max-Age=30; Max-Age=60", 60),
        ("Expires=Fri, 15 Jan 2027 08:01:00 GMT", 60), ("Expires=Monday, 15-Feb-27 08:00:00 GMT", 2_678_400),
        ("Expires=08:00:00 2027 DEC 15", 28_857_600),
    ]

    @Test(arguments: lifetimes)
    func `the lifetime of a cookie is limited to 400 days`(_ attributes: String, _ seconds: TimeInterval) throws {
        let jar = jar()
        try jar.setCookie("a=1; \(attributes)", for: try url("https://example.com/"))
        #expect(jar.cookies.map(\.expires) == [now + seconds])
    }

    @Test(arguments: [
        "Max-Age=0", "Max-Age=-1", "Max-Age=-99999999999999999999", "Expires=Thu, 01 Jan 1970 00:00:00 GMT",
    ])
    func `an expired cookie removes the stored one`(_ attribute: String) throws {
        let jar = jar()
        try jar.setCookie("a=1; Max-Age=60", for: try url("https://example.com/"))
        try jar.setCookie("a=; \(attribute)", for: try url("https://example.com/"))
        #expect(jar.cookies.isEmpty)
    }

    @Test(arguments: ["", "x", "Max-Age=1.5", "Expires=whenever", "Max-Age="])
    func `an invalid cookie attribute is ignored`(_ attribute: String) throws {
        let jar = jar()
        try jar.setCookie("a=1; \(attribute)", for: try url("https://example.com/"))
        #expect(jar.cookies.map(\.expires) == [nil])
    }
}
