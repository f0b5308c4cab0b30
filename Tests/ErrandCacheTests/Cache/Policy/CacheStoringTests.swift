import TestSupport
import Testing

@testable import Errand

struct `What a cache stores` {
    private static func mayStore(_ status: Int, _ headers: HeaderFields, _ terms: CacheTerms) -> Bool {
        let directives = CacheControl(headers["Cache-Control"])
        return CacheStoring.mayStore(statusCode: status, headers: headers, directives: directives, terms: terms)
    }

    private static func stored(_ headers: HeaderFields) -> HeaderFields {
        CacheStoring.storedFields(headers, directives: CacheControl(headers["Cache-Control"]))
    }

    @Test(
        arguments: [
            (200, [:], nil, true), (404, [:], nil, true), (204, [:], nil, true), (206, [:], nil, false),
            (304, [:], nil, false), (302, [:], nil, false), (500, [:], nil, false), (100, [:], nil, false),
            (206, ["Cache-Control": "max-age=60"], nil, false),
            (302, ["Cache-Control": "max-age=60"], nil, true),
            (500, ["Expires": "0"], nil, true),
            (200, ["Cache-Control": "no-store, max-age=60"], nil, false),
            (200, ["Cache-Control": "private"], nil, true),
            (200, ["Cache-Control": "no-cache"], nil, true),
            (200, ["Vary": "*"], nil, false),
            (200, ["Vary": "Accept", "vary": "X, *"], nil, false),
            (200, ["Vary": "Accept"], nil, true),
            (200, [:], "no-store", false),
            (200, ["Cache-Control": "must-understand, no-store, max-age=60"], nil, true),
            (200, ["Cache-Control": "must-understand, no-store"], "no-store", false),
            (500, ["Cache-Control": "must-understand, max-age=60"], nil, false),
        ] as [(Int, HeaderFields, String?, Bool)])
    func `status, fields and directives decide whether a response is stored`(
        _ status: Int, _ headers: HeaderFields, _ requested: String?, _ isStored: Bool
    ) {
        let terms = `What a cache does`.terms(requested)
        #expect(Self.mayStore(status, headers, terms) == isStored)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect response is not stored`(_ status: Int) {
        let terms = `What a cache does`.terms()
        let headers: HeaderFields = ["Cache-Control": "max-age=60", "Location": "/new"]
        #expect(!Self.mayStore(status, headers, terms))
        #expect(Self.mayStore(200, headers, terms))
    }

    @Test func `a response to HEAD is not stored`() {
        let terms = `What a cache does`.terms(method: "HEAD")
        #expect(!Self.mayStore(200, [:], terms))
    }

    @Test func `connection fields, cookies and the fields that no-cache names are removed before storing`() {
        let kept = Self.stored([
            "Content-Type": "text/plain", "Set-Cookie": "a=b", "set-cookie": "c=d", "Connection": "X-Hop, close",
            "X-Hop": "1", "Transfer-Encoding": "chunked", "Keep-Alive": "timeout=5", "X-Token": "secret",
            "Cache-Control": "no-cache=\"x-token\", max-age=60", "Proxy-Authenticate": "Basic",
        ])
        #expect(kept.map(\.name) == ["Content-Type", "Cache-Control"])
    }

    @Test func `a validator that cannot be sent is removed before storing`() {
        let kept = Self.stored(["ETag": "\"\u{1}\"", "Last-Modified": "a\rb", "X": "\u{1}"])
        #expect(kept.map(\.name) == ["X"])
        let entry = CacheEntry.stored(["ETag": "\"\u{1}\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT\u{1}"])
        let request = CacheValidation.adding(entry, to: URLRequest(url: URL(filePath: "/")))
        #expect(request.allHTTPHeaderFields?.isEmpty ?? true)
    }

    @Test(.hangGuard) func `updating many stored fields takes linear time and uses the names of the 304 response`() {
        let fields = HeaderFields((0..<50_000).map { HeaderFields.Field("F\($0)", "\($0)") })
        let old = HeaderFields((0..<50_000).reversed().map { HeaderFields.Field("f\($0)", "old") })
        let updated = CacheStoring.updating(old, with: fields, date: WallClock.start)
        #expect(updated.count == 50_002)
        #expect(updated.first == HeaderFields.Field("F49999", "49999"))
    }

    @Test func `a 304 response updates all stored fields except those about the body`() {
        let updated = CacheStoring.updating(
            [
                "Content-Length": "6", "Content-Encoding": "gzip", "X-A": "old", "X-B": "old", "Age": "100",
                "Date": "Sun, 06 Nov 1994 08:49:37 GMT",
            ],
            with: [
                "Content-Length": "0", "Content-Encoding": "br", "x-a": "new", "X-A": "newer", "X-C": "new",
                "Connection": "X-Hop", "X-Hop": "1",
            ],
            date: WallClock.start)
        #expect(updated["Content-Length"] == "6")
        #expect(updated["Content-Encoding"] == "gzip")
        #expect(updated[values: "X-A"] == ["new", "newer"])
        #expect(updated["X-B"] == "old")
        #expect(updated["X-C"] == "new")
        #expect(updated["X-Hop"] == nil)
        #expect(updated["Age"] == "0")
        #expect(updated["Date"] == "Thu, 01 Jan 2026 00:00:00 GMT")
    }
}

struct `A condition` {
    static let url = URL(filePath: "/")

    @Test func `a conditional request contains the stored validators`() {
        let both = CacheValidation.adding(
            .stored(["ETag": "W/\"1\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"]),
            to: URLRequest(url: Self.url))
        #expect(both.value(forHTTPHeaderField: "If-None-Match") == "W/\"1\"")
        #expect(both.value(forHTTPHeaderField: "If-Modified-Since") == "Sun, 06 Nov 1994 08:49:37 GMT")
        let none = CacheValidation.adding(.stored(["Last-Modified": "lately"]), to: URLRequest(url: Self.url))
        #expect(none.allHTTPHeaderFields?.isEmpty ?? true)
    }

    @Test(
        arguments: [
            (["ETag": "\"1\""], ["ETag": "\"1\""], true), (["ETag": "\"1\""], ["ETag": "W/\"1\""], true),
            (["ETag": "\"1\""], ["ETag": "\"2\""], false), (["ETag": "\"1\""], [:], true),
            (["Last-Modified": "a"], ["Last-Modified": "b"], false), ([:], ["ETag": "\"1\""], false),
        ] as [(HeaderFields, HeaderFields, Bool)])
    func `a 304 response applies to a stored response with the same validators`(
        _ stored: HeaderFields, _ found: HeaderFields, _ isAbout: Bool
    ) {
        #expect(CacheValidation.isAbout(.stored(stored), found) == isAbout)
    }
}

struct `A change` {
    static func outdated(
        _ method: String, _ status: Int, _ headers: HeaderFields = [:], at url: String = "https://h.example/a/b"
    ) throws -> [String] {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        let response = DataResponse(statusCode: status, headers: headers)
        return CacheInvalidation.outdated(by: request, response).map(\.absoluteString)
    }

    /// Returns the URLs that a request invalidates if it was redirected to `/next`.
    private static func outdated(_ method: String, by status: Int, then lastMethod: String, _ last: Int) throws
        -> [String]
    {
        var request = URLRequest(url: try #require(URL(string: "https://h.example/first")))
        request.httpMethod = method
        var response = DataResponse(
            statusCode: last, headers: ["Content-Location": "named"], url: URL(string: "https://other.example/a/next"))
        response.redirects = RedirectHistory(
            hops: [.init(method: method, url: request.url, statusCode: status, headers: ["Location": "/a/next"])],
            lastMethod: lastMethod)
        return CacheInvalidation.outdated(by: request, response).map(\.absoluteString)
    }

    @Test func `a redirected unsafe request invalidates the URLs of each response`() throws {
        let first = ["https://h.example/first", "https://h.example/a/next"]
        let last = ["https://other.example/a/next", "https://other.example/a/named"]
        #expect(try Self.outdated("PUT", by: 307, then: "PUT", 200) == first + last)
        #expect(try Self.outdated("PUT", by: 308, then: "PUT", 500) == first)
        #expect(try Self.outdated("POST", by: 303, then: "GET", 200) == first)
        #expect(try Self.outdated("POST", by: 303, then: "GET", 500) == first)
        #expect(try Self.outdated("GET", by: 307, then: "GET", 200) == [])
    }

    @Test func `an unsafe request without known redirects invalidates its first URL`() throws {
        var request = URLRequest(url: try #require(URL(string: "https://h.example/first")))
        request.httpMethod = "PUT"
        let response = DataResponse(statusCode: 500, url: URL(string: "https://h.example/next"))
        #expect(CacheInvalidation.outdated(by: request, response) == [request.url])
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "PURGE"])
    func `a successful unsafe request invalidates its URL`(_ method: String) throws {
        #expect(try Self.outdated(method, 204) == ["https://h.example/a/b"])
        #expect(try Self.outdated(method, 303) == ["https://h.example/a/b"])
    }

    @Test func `a failed or safe request invalidates nothing`() throws {
        #expect(try Self.outdated("POST", 404) == [])
        #expect(try Self.outdated("POST", 500) == [])
        for method in ["GET", "HEAD", "OPTIONS", "TRACE"] { #expect(try Self.outdated(method, 200) == []) }
    }

    @Test func `an unsafe request invalidates Location and Content-Location of the same origin`() throws {
        let named = try Self.outdated(
            "POST", 201, ["Location": "c?d=1", "Content-Location": "HTTPS://H.example:443/e"])
        #expect(named == ["https://h.example/a/b", "https://h.example/a/c?d=1", "HTTPS://H.example:443/e"])
        for other in ["https://other.example/", "http://h.example/", "https://h.example:444/", "//other.example/"] {
            #expect(try Self.outdated("POST", 201, ["Location": other]) == ["https://h.example/a/b"])
        }
    }
}
