import Errand
import TestSupport
import Testing

struct `A path` {
    enum Kind: String { case users }
    enum Level: Int, PathSegmentConvertible { case third = 3 }
    struct Country: PathSegmentConvertible {
        var code: String
        var pathSegment: String { code.lowercased() }
    }
    struct Flavour: LosslessStringConvertible {
        var description: String
        init(_ description: String) { self.description = description }
    }
    struct Tag: RawRepresentable, LosslessStringConvertible {
        var rawValue: String
        var description: String { "described" }
        init(rawValue: String) { self.rawValue = rawValue }
        init(_ description: String) { rawValue = description }
    }

    let uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID()

    @Test(arguments: [
        ("7", "7"), ("a b", "a%20b"), ("a/b", "a%2Fb"), ("/", "%2F"), ("a?b=c", "a%3Fb%3Dc"), ("#top", "%23top"),
        ("100%", "100%25"), ("%2F", "%252F"), ("%2e%2e", "%252e%252e"), ("../admin", "..%2Fadmin"),
        ("..%2F", "..%252F"),
        ("...", "..."), ("a\\b", "a%5Cb"), ("https://x.example", "https%3A%2F%2Fx.example"), ("a;b=c", "a%3Bb%3Dc"),
        ("a\r\nb", "a%0D%0Ab"), ("é", "%C3%A9"), ("/\u{301}", "%2F%CC%81"), ("\0", "%00"), (" ", "%20"),
    ])
    func `an interpolated value stays within one path segment`(_ value: String, _ escaped: String) throws {
        #expect(try text("/users/\(value)/posts") == "/users/\(escaped)/posts")
        #expect(try text(["users", value, "posts"]) == "/users/\(escaped)/posts")
        #expect(
            try text(RequestPath("/users").appending(segment: value).appending("posts")) == "/users/\(escaped)/posts")
    }

    @Test(arguments: ["", ".", ".."])
    func `a value that would refer to another resource is rejected in a path`(_ value: String) async {
        await expectFailure(.invalidURL) { try text("/users/\(value)") }
        await expectFailure(.invalidURL) { try text("/users/\(value)/posts") }
        await expectFailure(.invalidURL) { try text("/users/\(value).json") }
        await expectFailure(.invalidURL) { try text("\(value)") }
        await expectFailure(.invalidURL) { try text(["users", value]) }
        await expectFailure(.invalidURL) { try text(RequestPath("/users").appending(segment: value)) }
        let inner: RequestPath = "/users/\(value)"
        await expectFailure(.invalidURL) { try text("\(inner)/posts") }
        await expectFailure(.invalidURL) { try text(RequestPath("/v1").appending(inner)) }
    }

    @Test func `a path cannot leave its base through segments of dots`() async {
        let part = "."
        await expectFailure(.invalidURL) { try text("/users/.\(part)/x") }
        await expectFailure(.invalidURL) { try text("/users/%2e\(part)/x") }
        await expectFailure(.invalidURL) { try text(RequestPath("../\u{301}x")) }
        await expectFailure(.invalidURL) { try text(RequestPath("/users/..").appending("x")) }
    }

    @Test(arguments: [
        ("a/b c.txt", "a/b%20c.txt"), ("/a", "/a"), ("a//b/", "a//b/"), ("%2F", "%252F"), ("%2e%2e/x", "%252e%252e/x"),
        ("a+b?c#d:e", "a%2Bb%3Fc%23d%3Ae"), ("x://y", "x%3A//y"), ("é/\u{301}", "%C3%A9/%CC%81"), ("...", "..."),
        ("a\0b", "a%00b"), ("/", "/"),
    ])
    func `RequestPath(escaping:) keeps slashes and escapes everything else`(
        _ name: String, _ escaped: String
    ) throws {
        #expect(try text("/files/\(RequestPath(escaping: name))") == "/files/\(escaped)")
        #expect(try text("/files/\(RequestPath(escaping: name))/x") == "/files/\(escaped)/x")
        #expect(try text(RequestPath(escaping: name)) == (escaped.hasPrefix("/") ? escaped : "/\(escaped)"))
    }

    @Test(arguments: ["", "..", "a/../b", "./a", "a/."])
    func `RequestPath(escaping:) rejects text that would refer to another resource`(_ name: String) async {
        await expectFailure(.invalidURL) { try text("/files/\(RequestPath(escaping: name))") }
        await expectFailure(.invalidURL) { try text(RequestPath(escaping: name).appending("x")) }
    }

    @Test func `a percent sign and the interpolated value after it do not form an escape`() throws {
        let (digits, one) = ("2F", "F")
        #expect(try text("/a%\(digits)") == "/a%252F")
        #expect(try text("/a%2\(one)") == "/a%252F")
        let (piece, behind) = (RequestPath("/a%"), RequestPath("2F"))
        #expect(try text("\(piece)2F") == "/a%252F")
        #expect(try text("\(piece)\(behind)") == "/a%252F")
        #expect(try text("/a%2Fb\(one)") == "/a%2FbF")
    }

    @Test func `a path accepts text, numbers, UUIDs and values with a raw value or a description`() throws {
        let text = "/a/\(UInt8(7))/\(-1)/\(uuid)/\("b c".prefix(1))/\(true)/\(1e20)/\(0.5)" as RequestPath
        #expect(try self.text(text) == "/a/7/-1/E621E1F8-C36C-495A-93FC-0C247A3E6E5F/b/true/100000000000000000000/0.5")
        #expect(try self.text("/\(Kind.users)/\(Level.third)/\(Country(code: "DE"))") == "/users/3/de")
        #expect(try self.text("/\(Flavour("a b"))/\(Tag("c"))") == "/a%20b/c")
        #expect(try self.text(["users", 7, uuid, Level.third]) == "/users/7/E621E1F8-C36C-495A-93FC-0C247A3E6E5F/3")
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `a number that is not finite is rejected in a path`(_ number: Double) async {
        let error = await expectFailure(.invalidURL) { try text("/x/\(number)") }
        #expect(error?.reason == "a segment of `path` is not a finite number")
    }

    @Test func `a question mark or hash in a path literal is rejected`() async {
        let id = 7
        await expectFailure(.invalidURL) { try text("/users?id=\(id)") }
        await expectFailure(.invalidURL) { try text("/users/\(id)#top") }
        await expectFailure(.invalidURL) { try text("https://elsewhere.example/\(id)") }
    }

    @Test func `RequestPath accepts an interpolated literal in its initializer`() throws {
        let id = "a/b"
        #expect(try text(RequestPath("/users/\(id)")) == "/users/a%2Fb")
    }

    @Test func `RequestPath keeps the escapes and slashes of a string variable`() throws {
        let known = "a%2Fb/c d"
        #expect(try text(RequestPath(known)) == "/a%2Fb/c%20d")
        #expect(try text("/v1/\(RequestPath(known))/x") == "/v1/a%2Fb/c%20d/x")
    }

    @Test(arguments: [
        ("/a", "b", "/a/b"), ("/a/", "b", "/a/b"), ("/a", "/b", "/a/b"), ("/a/", "/b/", "/a/b/"), ("", "b", "/b"),
        ("/a", "", "/a"),
    ])
    func `paths are joined with one slash`(_ front: String, _ rest: String, _ whole: String) throws {
        #expect(try text(RequestPath(front).appending(RequestPath(rest))) == whole)
    }

    @Test func `a path without segments is the base URL`() throws {
        #expect(RequestPath().isEmpty)
        #expect(try text([]) == "")
        #expect(!("/a" as RequestPath).isEmpty)
    }

    private func text(_ path: RequestPath) throws -> String {
        let request = APIBase()
        request.baseURL = URL(string: "https://example.com")
        request.path = path
        let url = try #require(try request.buildURLRequest().url).absoluteString
        try #require(url.hasPrefix("https://example.com"))
        return String(url.dropFirst("https://example.com".count))
    }
}
