import Testing

@testable import Errand

struct `Names of header fields` {
    @Test func `are the same in any case, as members of a set too`() {
        let names: Set<HeaderFields.Name> = ["ETag", "etag", "ETAG", .etag]
        #expect(names.count == 1)
        #expect(HeaderFields.Name("X-Tag") != "X-Tags")
        // The Kelvin sign is not a k.
        #expect(HeaderFields.Name("\u{212A}ey") != "key")
    }

    @Test func `reach what strings reach`() {
        var headers: HeaderFields = ["accept": "text/html"]
        #expect(headers[.accept] == "text/html")
        headers[.accept] = "application/json"
        #expect(headers["Accept"] == "application/json")
        headers.add(.setCookie, "a=1")
        headers.add("set-cookie", "b=2")
        #expect(headers[values: .setCookie] == ["a=1", "b=2"])
        headers[values: .setCookie] = ["c=3"]
        #expect(headers["Set-Cookie"] == "c=3")
        headers[.accept] = nil
        #expect(headers.map(\.name) == ["Set-Cookie"])
        let name = "X-" + "Tag"
        headers[name] = "1"
        #expect(headers[HeaderFields.Name(name)] == "1")
    }

    @Test func `stand beside literals, in order and repeated`() {
        let tag = 7
        let headers: HeaderFields = [.accept: "a", "X-Tag": "b", .accept: "c", "X-\(tag)": "d"]
        #expect(headers.map { "\($0.name)=\($0.value)" } == ["Accept=a", "X-Tag=b", "Accept=c", "X-7=d"])
        #expect(HeaderFields([.init(.host, "x"), .init("Via", "y")]) == ["host": "x", "via": "y"])
    }

    @Test func `read a head as it came`() {
        let headers = HeaderFields(FieldBlock(bytes: Array("etag: \"1\"\r\nSET-COOKIE: a\r\nset-cookie: b\r\n".utf8)))
        #expect(headers[.etag] == "\"1\"")
        #expect(headers[values: .setCookie] == ["a", "b"])
    }

    @Test(arguments: [
        (HeaderFields.Name.etag, "ETag"), (.wwwAuthenticate, "WWW-Authenticate"), (.te, "TE"),
        (.idempotencyKey, "Idempotency-Key"), (.ifNoneMatch, "If-None-Match"), (.retryAfter, "Retry-After"),
        (.requestID, "X-Request-ID"), (.contentType, "Content-Type"),
    ])
    func `are spelled as they are registered`(_ name: HeaderFields.Name, _ spelling: String) {
        #expect(name.rawValue == spelling)
        #expect("\(name)" == spelling)
    }

    @Test func `that are no tokens are refused when the request is built`() {
        let request = APIBase()
        request.baseURL = URL(string: "https://example.com")
        request.headers[HeaderFields.Name("a b")] = "1"
        #expect { try request.buildURLRequest() } throws: { ErrandError.Code.invalidHeaderField ~= $0 }
    }
}
