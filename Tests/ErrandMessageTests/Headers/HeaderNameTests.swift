import Testing

@testable import Errand

struct `Names of header fields` {
    @Test func `header field names are equal and hash equally in any case`() {
        let names: Set<HeaderFields.Name> = ["ETag", "etag", "ETAG", .etag]
        #expect(names.count == 1)
        #expect(HeaderFields.Name("X-Tag") != "X-Tags")
        // The Kelvin sign is not a k.
        #expect(HeaderFields.Name("\u{212A}ey") != "key")
    }

    @Test func `a typed header field name accesses the same fields as a string`() {
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

    @Test func `typed names and strings can be mixed in a literal of header fields`() {
        let tag = 7
        let headers: HeaderFields = [.accept: "a", "X-Tag": "b", .accept: "c", "X-\(tag)": "d"]
        #expect(headers.map { "\($0.name)=\($0.value)" } == ["Accept=a", "X-Tag=b", "Accept=c", "X-7=d"])
        #expect(HeaderFields([.init(.host, "x"), .init("Via", "y")]) == ["host": "x", "via": "y"])
    }

    @Test func `typed names find fields of a received response head`() {
        let headers = HeaderFields(FieldBlock(bytes: Array("etag: \"1\"\r\nSET-COOKIE: a\r\nset-cookie: b\r\n".utf8)))
        #expect(headers[.etag] == "\"1\"")
        #expect(headers[values: .setCookie] == ["a", "b"])
    }

    @Test(arguments: [
        (HeaderFields.Name.etag, "ETag"), (.wwwAuthenticate, "WWW-Authenticate"), (.te, "TE"),
        (.idempotencyKey, "Idempotency-Key"), (.ifNoneMatch, "If-None-Match"), (.retryAfter, "Retry-After"),
        (.requestID, "X-Request-ID"), (.contentType, "Content-Type"),
    ])
    func `header field names are spelled as registered`(_ name: HeaderFields.Name, _ spelling: String) {
        #expect(name.rawValue == spelling)
        #expect("\(name)" == spelling)
    }

    @Test func `a header field name that is not a token fails the request`() {
        let request = APIBase()
        request.baseURL = URL(string: "https://example.com")
        request.headers[HeaderFields.Name("a b")] = "1"
        #expect { try request.buildURLRequest() } throws: { ErrandError.Code.invalidHeaderField ~= $0 }
    }
}
