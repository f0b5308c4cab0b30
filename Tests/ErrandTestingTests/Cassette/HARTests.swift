import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

struct `A HAR file` {
    @Test func `a HAR file decodes to the values that were encoded`() throws {
        var entry = HAR.Entry(
            startedDateTime: "2026-11-21T09:30:00.250Z",
            request: HAR.Request(
                method: "POST", url: "https://library.example.com/login?a=1", headers: [HAR.Pair("Accept", "*/*")],
                postData: HAR.PostData(Data("a=1+2&b=%26".utf8), mimeType: "application/x-www-form-urlencoded")),
            response: HAR.Response(
                status: 302, headers: [HAR.Pair("Location", "/next"), HAR.Pair("X", "")],
                content: HAR.Content(Data([0xFF, 0x00]), mimeType: "image/png")))
        entry.error = HAR.Failure(.networkConnectionLost)
        entry.response.content.cut = .failed
        entry.response.url = "https://library.example.com/there"
        let archive = HAR(log: HAR.Log(entries: [entry]))
        #expect(try HAR(archive.encoded()) == archive)
        #expect(entry.request.postData?.params == [HAR.Pair("a", "1 2"), HAR.Pair("b", "&")])
        #expect(entry.response.redirectURL == "/next")
        let text = try #require(String(data: archive.encoded(), encoding: .utf8))
        #expect(
            text.contains("\"_cut\" : \"failed\"") && text.contains("\"_url\" :") && text.contains("\"_error\" : {"))
    }

    @Test func `an encoded HAR file has every key that the format requires`() throws {
        let entry = HAR.Entry(startedDateTime: "", request: HAR.Request(method: "GET", url: "https://a.example"))
        let json = try JSONSerialization.jsonObject(with: HAR(log: HAR.Log(entries: [entry])).encoded())
        let log = try #require((json as? [String: Any])?["log"] as? [String: Any])
        #expect(Set(log.keys).isSuperset(of: ["version", "creator", "entries"]))
        let first = try #require((log["entries"] as? [[String: Any]])?.first)
        #expect(Set(first.keys) == ["startedDateTime", "time", "request", "response", "cache", "timings"])
        let keys = { (name: String) in Set((first[name] as? [String: Any] ?? [:]).keys) }
        #expect(
            keys("request") == [
                "method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize",
            ])
        #expect(
            keys("response") == [
                "status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL", "headersSize",
                "bodySize",
            ])
        #expect(keys("timings") == ["blocked", "dns", "connect", "ssl", "send", "wait", "receive"])
    }

    @Test func `HAR timings follow the metrics, with TLS as part of connecting`() {
        var metrics = TransferMetrics()
        metrics.queueing = .milliseconds(1)
        metrics.nameLookup = .milliseconds(3)
        metrics.connect = .milliseconds(6)
        metrics.secureConnect = .milliseconds(10)
        metrics.firstByte = .milliseconds(25)
        metrics.total = .microseconds(30_500)
        let timings = HAR.Timings(metrics)
        #expect([timings.blocked, timings.dns, timings.connect, timings.ssl] == [1, 2, 7, 4])
        #expect([timings.send, timings.wait, timings.receive, timings.total] == [0, 15, 5.5, 30.5])
        metrics.isConnectionReused = true
        #expect([HAR.Timings(metrics).dns, HAR.Timings(metrics).connect, HAR.Timings(metrics).ssl] == [-1, -1, -1])
        #expect(HAR.Timings(TransferMetrics()).total == 0)
    }

    @Test(arguments: [
        (1_795_253_400.123, "2026-11-21T09:30:00.123Z"), (1_795_253_400.9996, "2026-11-21T09:30:01.000Z"),
        (253_402_300_799.9996, "1970-01-01T00:00:00.000Z"), (-0.001, "1969-12-31T23:59:59.999Z"),
        (.nan, "1970-01-01T00:00:00.000Z"),
    ])
    func `the start of a recorded entry is rounded to milliseconds`(_ seconds: Double, _ text: String) async throws {
        let folder = try CassetteFolder()
        let server = try MockServer()
        server.on(.get, "/") { _ in .text("ok") }
        let cassette = Cassette(
            at: folder.file(), mode: .record, redacting: .keepingAll, now: { Date(timeIntervalSince1970: seconds) })
        _ = try await cassette.run { try await AnyRequest(server.url, "/").start().value }
        #expect(try HAR(contentsOf: folder.file()).log.entries.map(\.startedDateTime) == [text])
    }

    @Test func `a recorded entry has the transfer times and the server's address`() async throws {
        let folder = try CassetteFolder()
        let server = try MockServer()
        server.on(.get, "/") { _ in .text("ok") }
        let cassette = Cassette(
            at: folder.file(), mode: .record, redacting: .keepingAll,
            now: { Date(timeIntervalSince1970: 1_795_253_400.25) })
        _ = try await cassette.run { try await AnyRequest(server.url, "/").start().value }
        let entry = try #require(try HAR(contentsOf: folder.file()).log.entries.first)
        #expect(entry.startedDateTime == "2026-11-21T09:30:00.250Z")
        #if canImport(CCurl)
        #expect(entry.serverIPAddress == "127.0.0.1")
        #expect(entry.response.httpVersion == "HTTP/1.1")
        #expect(entry.time > 0)
        #endif
    }

    @Test(arguments: [Double.nan, .infinity, -1e300, 1e300])
    func `a recording accepts dates outside of every calendar`(_ seconds: Double) async throws {
        let folder = try CassetteFolder()
        let cassette = Cassette(
            at: folder.file(), mode: .record, now: { Date(timeIntervalSince1970: seconds) })
        let run = try cassette.start()
        let request = AnyRequest(try .nowhere(), "/") { request in
            request.interceptors = [run]
            request.dataTaskPipeline = request.stubResponse(statusCode: 200)
        }
        _ = try await request.start().value
        try run.finish()
        #expect(try HAR(contentsOf: folder.file()).log.entries.first?.startedDateTime == "1970-01-01T00:00:00.000Z")
    }

    @Test(arguments: [Browser.chrome, Browser.firefox])
    func `a HAR file exported by a browser is replayed`(_ text: String) async throws {
        let folder = try CassetteFolder()
        try Data(text.utf8).write(to: folder.file())
        let cassette = Cassette(at: folder.file(), mode: .replay, matching: [.method, .url, .body])
        try await cassette.run {
            let base = try URL.nowhere()
            let books = try await AnyRequest(base, "/books", ["author": "Le Guin"]).start().value
            #expect(try books.text() == "[\"Malafrena\"]")
            #expect(books.headers.map(\.name) == ["content-type", "x-tag", "x-tag"])
            let cover = try await AnyRequest(base, "/cover.png").start().value
            #expect(cover.data == Data([0x89, 0x50, 0x4E, 0x47]))
            let login = try await AnyRequest(base, "/login") { request in
                request.method = .post
                request.body = .data(
                    Data("user=ursula&password=other".utf8), type: "application/x-www-form-urlencoded")
            }.start().value
            #expect(login.statusCode == 204)
            #expect(try await AnyRequest(base, "/latin").start().value.data == Data([0x63, 0x61, 0x66, 0xE9]))
            await expectFailure(.transportFailed) { try await AnyRequest(base, "/blocked").start().value }
            let error = await expectFailure(.notRecorded) { try await AnyRequest(base, "/discarded").start().value }
            #expect(error?.reason == "the body of entry 6 of shelf.har, of 4096 bytes, was not recorded")
        }
    }
}

struct `A HAR file with texts that are not exactly those of HTTP` {
    /// Replays an entry with these fields, and returns the response.
    private func replay(
        _ fields: [(String, String)], url: String = "https://library.example.com/", responseURL: String? = nil,
        of path: RequestPath = "/", _ query: URLQuery = [:], change: (AnyRequest) -> Void = { _ in }
    ) async throws -> DataResponse {
        let folder = try CassetteFolder()
        var response = HAR.Response(status: 200, headers: fields.map { HAR.Pair($0.0, $0.1) })
        response.url = responseURL
        let entry = HAR.Entry(
            startedDateTime: "", request: HAR.Request(method: "GET", url: url), response: response)
        try HAR(log: HAR.Log(entries: [entry])).write(to: folder.file())
        return try await Cassette(at: folder.file(), mode: .replay).run {
            try await AnyRequest(try .nowhere(), path, query, change: change).start().value
        }
    }

    @Test(
        arguments: [
            ("a=1; Path=/\nb=2; Path=/", ["a=1; Path=/", "b=2; Path=/"]), ("a=1\r\nb=2", ["a=1", "b=2"]),
            ("a=1\n", ["a=1"]), ("\na=1", ["a=1"]), ("a=1\n\n b=2 \n", ["a=1", "b=2"]), ("a=1\rb=2", ["a=1", "b=2"]),
            ("a=1\r\n", ["a=1"]), ("\n", [""]), ("", [""]), ("a=\u{2028}", ["a=\u{2028}"]), ("a=1, b=2", ["a=1, b=2"]),
            ("a=1\nb=2\nc=3", ["a=1", "b=2", "c=3"]), ("a=\u{301}\n\u{301}=b", ["a=\u{301}", "\u{301}=b"]),
        ], ["set-cookie", "X-Tag"])
    func `a value with line feeds is replayed as several fields`(
        _ row: (value: String, values: [String]), _ name: String
    ) async throws {
        let response = try await replay([("X-First", "1"), (name, row.value), ("X-Last", "2")])
        #expect(response.headers[values: name] == row.values)
        #expect(response.headers.map(\.name) == ["X-First"] + row.values.map { _ in name } + ["X-Last"])
    }

    @Test func `a cookie jar stores the cookies of one exported value`() async throws {
        let jar = CookieJar()
        _ = try await replay([("set-cookie", "a=1; Path=/\nb=2; Path=/")]) { $0.interceptors = [jar] }
        #expect(jar.cookies.map(\.name).sorted() == ["a", "b"])
    }

    static let urls: [(String, String, URLQuery)] = [
        ("/a%2Fb?f[a]=1&q=a%20b", "/a%2Fb", ["f[a]": "1", "q": "a b"]),
        ("/a%20b c?q=|%7C", "/a%20b%20c", ["q": "||"]), ("/100%?q=%", "/100%25", ["q": "%"]),
    ]

    @Test(arguments: urls)
    func `a URL with characters that must be escaped keeps its escapes`(
        _ url: String, _ path: String, _ query: URLQuery
    ) async throws {
        let place = "https://library.example.com"
        let response = try await replay(
            [], url: place + url, responseURL: place + "/b%20c|", of: RequestPath(path), query)
        #expect(response.url?.absoluteString == "https://library.example.com/b%20c%7C")
        #expect(HAR.Request(method: "GET", url: place + "/?f[a]=1&q=a%20b").queryString.map(\.value) == ["1", "a b"])
    }
}

struct `A HAR file with a credential of a custom name` {
    private let folder: CassetteFolder
    private let run: Cassette.Run

    init() throws {
        folder = try CassetteFolder()
        try HAR.of(
            HAR.Request(method: "GET", url: "https://library.example.com/weather?appid=planted&city=Bern"),
            HAR.Request(
                method: "GET", url: "https://library.example.com/stamped",
                headers: [HAR.Pair("x-tenant-stamp", "planted")]),
            HAR.Request(method: "GET", url: "https://library.example.com/unused?appid=planted")
        ).write(to: folder.file())
        let matching: Cassette.Matching = [.method, .url, .headers("X-Tenant-Stamp")]
        run = try Cassette(at: folder.file(), mode: .replay, matching: matching, requiresAllUsed: true).start()
    }

    private func request(
        _ path: RequestPath, _ place: APIKeyAuthentication.Placement? = nil, _ query: URLQuery = [:]
    ) throws -> Pipeline<DataResponse, any Error> {
        AnyRequest(try .nowhere(), path, query) { request in
            if let place { request.interceptors.append(APIKeyAuthentication("mine", in: place)) }
            request.interceptors.append(run)
        }.start()
    }

    @Test func `an entry replays for a request with another credential`() async throws {
        #expect(try await request("/weather", .query("appid"), ["city": "Bern"]).value.statusCode == 200)
        #expect(try await request("/stamped", .header("X-Tenant-Stamp")).value.statusCode == 200)
    }

    @Test func `a query item is compared by value if the request has no such credential`() async throws {
        await expectFailure(.notRecorded) {
            try await request("/weather", nil, ["appid": "mine", "city": "Bern"]).value
        }
        #expect(try await request("/weather", nil, ["appid": "planted", "city": "Bern"]).value.statusCode == 200)
    }

    @Test func `error messages about recorded entries show no credential`() async throws {
        let error = await expectFailure(.notRecorded) { try await request("/other", .query("appid")).value }
        #expect(error?.reason?.contains("appid=***") == true)
        #expect(error?.reason?.contains("planted") == false)
        let unused = #expect(throws: ErrandError.self) { try run.finish() }
        #expect(unused?.reason?.contains("https://library.example.com/unused?appid=***") == true)
        #expect(unused?.reason?.contains("planted") == false)
    }
}

/// The same requests as two browsers write them, with the members that each omits or adds.
private enum Browser {
    static let chrome = """
        {"log": {"version": "1.2", "creator": {"name": "WebInspector", "version": "537.36"}, "pages": [], "entries": [
        {"_connectionId": "31", "_initiator": {"type": "other"}, "_priority": "VeryHigh", "_resourceType": "xhr",
        "cache": {}, "connection": "443", "pageref": "page_1",
        "request": {"method": "GET", "url": "https://library.example.com/books?author=Le%20Guin", "httpVersion": "h3",
        "headers": [{"name": ":authority", "value": "library.example.com"}, {"name": "accept", "value": "*/*"}],
        "queryString": [{"name": "author", "value": "Le%20Guin"}], "cookies": [], "headersSize": -1, "bodySize": 0},
        "response": {"status": 200, "statusText": "", "httpVersion": "h3", "headers": [
        {"name": ":status", "value": "200"}, {"name": "content-type", "value": "application/json"},
        {"name": "x-tag", "value": "one"}, {"name": "x-tag", "value": "two"}],
        "cookies": [{"name": "s", "value": "1", "path": "/", "httpOnly": true}],
        "content": {"size": 13, "mimeType": "application/json", "text": "[\\"Malafrena\\"]"}, "redirectURL": "",
        "headersSize": -1, "bodySize": -1, "_transferSize": 412, "_error": null, "_fetchedViaServiceWorker": false},
        "serverIPAddress": "[2001:db8::1]", "startedDateTime": "2026-11-21T09:30:00.250Z", "time": 12.4,
        "timings": {"blocked": 1.2, "dns": -1, "ssl": -1, "connect": -1, "send": 0.2, "wait": 10, "receive": 1,
        "_blocked_queueing": 0.9}},
        {"request": {"method": "GET", "url": "https://library.example.com/cover.png"}, "response": {"status": 200,
        "content": {"size": 4, "mimeType": "image/png", "text": "iVBORw==", "encoding": "base64"}}},
        {"request": {"method": "POST", "url": "https://library.example.com/login", "postData": {
        "mimeType": "application/x-www-form-urlencoded", "text": "user=ursula&password=planted",
        "params": [{"name": "user", "value": "ursula"}, {"name": "password", "value": "planted"}]}},
        "response": {"status": 204, "content": {"size": 0, "mimeType": "x-unknown"}}},
        {"request": {"method": "GET", "url": "https://library.example.com/latin"}, "response": {"status": 200,
        "content": {"size": 4, "mimeType": "text/plain; charset=ISO-8859-1", "text": "café"}}},
        {"request": {"method": "GET", "url": "https://library.example.com/blocked"}, "response": {"status": 0,
        "statusText": "", "headers": [], "content": {"size": 0, "mimeType": "x-unknown"},
        "_error": "net::ERR_BLOCKED_BY_CLIENT"}},
        {"request": {"method": "GET", "url": "https://library.example.com/discarded"}, "response": {"status": 200,
        "content": {"size": 4096, "mimeType": "text/html"}}}
        ]}}
        """

    static let firefox = """
        \u{FEFF}{"log": {"version": "1.2", "creator": {"name": "Firefox", "version": "140.0"},
        "browser": {"name": "Firefox", "version": "140.0"},
        "pages": [{"id": "page_1", "pageTimings": {"onContentLoad": 81, "onLoad": 90}, "title": "Books",
        "startedDateTime": "2026-11-21T10:30:00.250+01:00"}], "entries": [
        {"startedDateTime": "2026-11-21T10:30:00.250+01:00", "request": {"bodySize": 0, "method": "GET",
        "url": "https://library.example.com/books?author=Le%20Guin", "httpVersion": "HTTP/2",
        "headers": [{"name": "Host", "value": "library.example.com"}], "cookies": [],
        "queryString": [{"name": "author", "value": "Le Guin"}], "headersSize": 380},
        "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/2", "headers": [
        {"name": "content-type", "value": "application/json"}, {"name": "x-tag", "value": "one"},
        {"name": "x-tag", "value": "two"}], "cookies": [], "content": {"mimeType": "application/json", "size": 13,
        "text": "[\\"Malafrena\\"]"}, "redirectURL": "", "headersSize": 120, "bodySize": 133}, "cache": {},
        "timings": {"blocked": 0, "dns": 0, "connect": 10, "ssl": 8, "send": 0, "wait": 20, "receive": 0}, "time": 30,
        "_securityState": "secure", "serverIPAddress": "127.0.0.1", "connection": "443", "pageref": "page_1"},
        {"startedDateTime": "", "request": {"method": "GET", "url": "https://library.example.com/cover.png",
        "headersSize": null}, "response": {"status": 200, "headers": [], "content": {"mimeType": "image/png",
        "size": 4, "encoding": "base64", "text": "iVBORw=="}, "bodySize": 4.0}},
        {"request": {"method": "POST", "url": "https://library.example.com/login", "postData": {
        "mimeType": "application/x-www-form-urlencoded", "params": [{"name": "user", "value": "ursula"},
        {"name": "password", "value": "planted"}]}}, "response": {"status": 204, "headers": []}},
        {"request": {"method": "GET", "url": "https://library.example.com/latin"}, "response": {"status": 200,
        "content": {"size": 4, "mimeType": "text/plain; charset=iso-8859-1", "text": "caf\\u00e9"}}},
        {"request": {"method": "GET", "url": "https://library.example.com/blocked"}, "response": {"status": 0}},
        {"request": {"method": "GET", "url": "https://library.example.com/discarded"}, "response": {"status": 200,
        "content": {"size": 4096, "mimeType": "text/html", "comment": "too long"}}}
        ]}}
        """
}
