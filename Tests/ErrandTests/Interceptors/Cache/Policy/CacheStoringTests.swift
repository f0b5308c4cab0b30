import Testing

@testable import Errand

struct `What a cache stores` {
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
        ] as [(Int, HeaderFields, String?, Bool)])
    func `is what may be stored`(_ status: Int, _ headers: HeaderFields, _ asked: String?, _ isStored: Bool) {
        let terms = `What a cache does`.terms(asked)
        #expect(CacheStoring.mayStore(statusCode: status, headers: headers, terms: terms) == isStored)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `is no redirect, which another request may follow`(_ status: Int) {
        let terms = `What a cache does`.terms()
        let headers: HeaderFields = ["Cache-Control": "max-age=60", "Location": "/new"]
        #expect(!CacheStoring.mayStore(statusCode: status, headers: headers, terms: terms))
        #expect(CacheStoring.mayStore(statusCode: 200, headers: headers, terms: terms))
    }

    @Test func `is no answer to a HEAD`() {
        let terms = `What a cache does`.terms(method: "HEAD")
        #expect(!CacheStoring.mayStore(statusCode: 200, headers: [:], terms: terms))
    }

    @Test func `leaves out what belongs to the connection, cookies, and what no-cache names`() {
        let kept = CacheStoring.storedFields([
            "Content-Type": "text/plain", "Set-Cookie": "a=b", "set-cookie": "c=d", "Connection": "X-Hop, close",
            "X-Hop": "1", "Transfer-Encoding": "chunked", "Keep-Alive": "timeout=5", "X-Token": "secret",
            "Cache-Control": "no-cache=\"x-token\", max-age=60", "Proxy-Authenticate": "Basic",
        ])
        #expect(kept.map(\.name) == ["Content-Type", "Cache-Control"])
    }

    @Test func `is brought up to date by a 304, but for what is about the body`() {
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

    @Test func `is made of the validators that there are`() {
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
    func `is met for the answer whose validators are the same`(
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
        return CacheInvalidation.outdated(by: request, statusCode: status, headers: headers).map(\.absoluteString)
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "PURGE"])
    func `makes its target out of date`(_ method: String) throws {
        #expect(try Self.outdated(method, 204) == ["https://h.example/a/b"])
        #expect(try Self.outdated(method, 303) == ["https://h.example/a/b"])
    }

    @Test func `makes nothing out of date when it failed, or when it is none`() throws {
        #expect(try Self.outdated("POST", 404) == [])
        #expect(try Self.outdated("POST", 500) == [])
        for method in ["GET", "HEAD", "OPTIONS", "TRACE"] { #expect(try Self.outdated(method, 200) == []) }
    }

    @Test func `makes out of date what the answer names at the same origin, and nothing elsewhere`() throws {
        let named = try Self.outdated(
            "POST", 201, ["Location": "c?d=1", "Content-Location": "HTTPS://H.example:443/e"])
        #expect(named == ["https://h.example/a/b", "https://h.example/a/c?d=1", "HTTPS://H.example:443/e"])
        for other in ["https://other.example/", "http://h.example/", "https://h.example:444/", "//other.example/"] {
            #expect(try Self.outdated("POST", 201, ["Location": other]) == ["https://h.example/a/b"])
        }
    }
}
