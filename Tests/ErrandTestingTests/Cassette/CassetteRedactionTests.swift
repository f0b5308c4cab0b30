import Errand
import ErrandTesting
import TestSupport
import Testing

/// Every secret of these tests is called `planted`, so that a search of the file shows whether it was recorded.
struct `A secret in a cassette` {
    private let folder: CassetteFolder

    init() throws {
        folder = try CassetteFolder()
    }

    /// Records a request with this response, and returns the text of the file.
    private func record(
        _ response: DataResponse = DataResponse(statusCode: 200), redacting: Cassette.Redaction = Cassette.Redaction(),
        _ change: (AnyRequest) throws -> Void = { _ in }
    ) async throws -> (text: String, entry: HAR.Entry) {
        let file = folder.file(UUID().uuidString)
        let run = try Cassette(at: file, mode: .record, redacting: redacting).start()
        let request = AnyRequest(try .nowhere(), "/books")
        request.dataTaskPipeline = .just(response)
        try change(request)
        request.interceptors.append(run)
        _ = try await request.start().value
        try run.finish()
        let text = try String(contentsOf: file, encoding: .utf8)
        return (text, try #require(try HAR(contentsOf: file).log.entries.first))
    }

    private func response(_ body: String, _ type: String, _ headers: HeaderFields = [:]) -> DataResponse {
        var headers = headers
        headers[.contentType] = type
        return DataResponse(statusCode: 200, headers: headers, data: Data(body.utf8))
    }

    @Test func `no part of a recorded file has a secret of the request or response`() async throws {
        let headers: HeaderFields = [
            "Set-Cookie": "id=planted; Path=/", "Location": "https://u:planted@a.example/?page=2&access_token=planted",
            "Link": "<https://a.example/?token=planted&page=3>; rel=\"next\"", "X-Auth-Token": "planted",
            "Content-Location": "/x?sig=planted", "Refresh": "5; url=/?client_secret=planted",
        ]
        let body = """
            {"access_token": "planted", "nested": [{"password": ["planted", {"x": "planted"}]}], "otp": 12345678}
            """
        let (text, entry) = try await record(response(body, "application/json", headers)) { request in
            request.baseURL = URL(string: "https://user:planted@library.example.com/?apikey=planted&keep=1")
            request.query = [
                "token": "planted", "X-Amz-Signature": "planted", "key": "planted", "page": 1,
            ]
            request.method = .post
            request.headers = [
                "Authorization": "Bearer planted", "Proxy-Authorization": "Basic planted", "Cookie": "id=planted",
                "X-API-Key": "planted", "X-Amz-Security-Token": "planted", "Referer": "/?token=planted",
            ]
            request.body = .data(Data(#"{"user": "u", "client_secret": "planted"}"#.utf8), type: .json)
        }
        #expect(!text.contains("planted") && !text.contains("12345678"))
        #expect(entry.request.url.contains("keep=1") && entry.request.url.contains("page=1"))
        #expect(entry.request.url.hasPrefix("https://library.example.com/books?apikey=***"))
        #expect(entry.request.queryString.contains(HAR.Pair("token", "***")))
        #expect(entry.request.headers.contains(HAR.Pair("Authorization", "***")))
        #expect(entry.request.postData?.text == #"{"user": "u", "client_secret": "redacted"}"#)
        #expect(entry.response.redirectURL == "https://a.example/?page=2&access_token=***")
        #expect(
            entry.response.headers.contains(HAR.Pair("Link", "<https://a.example/?token=***&page=3>; rel=\"next\"")))
    }

    @Test(arguments: [
        ("Location", "https://h/cb#access_token=planted", "https://h/cb"), ("Location", "/cb#planted", "/cb"),
        ("Location", "#planted", ""),
        ("Location", "https://h/cb?a=1&code=planted#planted?planted#", "https://h/cb?a=1&code=***"),
        ("Location", "https://h/cb# planted planted", "https://h/cb"), ("Location", "app:cb#planted", "app:cb"),
        ("location", "https://h/\u{301}#\u{301}planted", "https://h/\u{301}"),
        ("Content-Location", "/x#planted", "/x"), ("Referer", "https://h/#planted", "https://h/"),
        ("Link", "<https://h/a#planted>; rel=next, </b#planted>; rel=prev", "<https://h/a>; rel=next, </b>; rel=prev"),
        ("Refresh", "0; url=https://h/#planted", "0; url=https://h/"),
        ("Refresh", "0; URL='/a#planted'", "0; URL='/a'"),
        ("X-Callback", "https://h/cb?x=1#planted", "https://h/cb?x=1"),
        ("Link", "<https://h/#\u{301}planted>", "<https://h/>"),
        ("X-A", "https://h/?token=\u{301}planted", "https://h/?token=***"),
        ("ETag", "\"a#1\"", "\"a#1\""), ("X-Color", "#ff0000", "#ff0000"),
        ("Location", "https://h/?X-Goog-Signature=planted&Expires=1", "https://h/?X-Goog-Signature=***&Expires=1"),
        ("Location", "/?sv=2&sig=planted", "/?sv=2&sig=***"),
        (
            "Location", "https://h/?Policy=planted&Signature=planted&Key-Pair-Id=planted",
            "https://h/?Policy=***&Signature=***&Key-Pair-Id=***"
        ),
    ])
    func `the fragments and signatures of URLs in header fields are removed`(
        _ name: String, _ value: String, _ expected: String
    ) async throws {
        var headers = HeaderFields()
        headers.add(name, value)
        let (text, entry) = try await record(response("{}", "application/json", headers)) { request in
            request.baseURL = URL(string: "https://library.example.com")
            if name == "Referer" { request.headers[name] = value }
        }
        #expect(!text.contains("planted"))
        let field = try #require(entry.response.headers.first { $0.name.lowercased() == name.lowercased() })
        #expect(field.value.unicodeScalars.elementsEqual(expected.unicodeScalars))
        if name == "Location" { #expect(entry.response.redirectURL == expected) }
    }

    @Test func `a hidden JSON value keeps its type, and other bytes are unchanged`() async throws {
        let body =
            "{\"token\": {\"value\": \"planted\", \"count\": 12, \"on\": true, \"none\": null, \"list\": []},\n \"id\": 7}\n"
        let (_, entry) = try await record(response(body, "application/vnd.api+json"))
        #expect(
            entry.response.content.text
                == "{\"token\": {\"value\": \"redacted\", \"count\": 0, \"on\": true, \"none\": null, \"list\": []},\n \"id\": 7}\n"
        )
    }

    @Test(arguments: [
        ("q=plain&token=planted", "q=plain&token=***"), ("to%6Ben=planted&max_tokens=5", "to%6Ben=***&max_tokens=5"),
        ("password_confirmation=planted&pin=1234planted", "password_confirmation=***&pin=***"),
        ("user[password]=planted&flag", "user%5Bpassword%5D=***&flag"),
    ])
    func `secret query items are hidden one by one`(_ query: String, _ kept: String) async throws {
        let (text, entry) = try await record { request in
            request.baseURL = URL(string: "https://library.example.com/?\(query)")
        }
        #expect(!text.contains("planted"))
        #expect(entry.request.url == "https://library.example.com/books?\(kept)")
    }

    @Test func `names that only resemble secrets are not hidden`() async throws {
        let body =
            #"{"usage":{"prompt_tokens":12,"tokens":69},"max_tokens":100,"token_type":"bearer","pinned":true,"spin":7}"#
        let (_, entry) = try await record(response(body, "application/json", ["X-RateLimit-Remaining-Tokens": "5"]))
        #expect(entry.response.content.text == body)
        #expect(entry.response.headers.contains(HAR.Pair("X-RateLimit-Remaining-Tokens", "5")))
    }

    @Test(arguments: [
        ("{\"id\": 1, \"text\": \"a token: b\\n\"}", "application/json"),
        ("[1.50, 1e3, \"\\u00e9\"]", "application/json"),
        ("{\"id\": 1}\n{\"id\": 2}\n", "application/x-ndjson"), ("a=1&b=2", "application/x-www-form-urlencoded"),
        ("data: {\"id\": 1}\n\n", "text/event-stream"), ("<a key=\"k\"><b>c</b></a>", "application/xml"),
        ("monkey=1; a:b", "text/plain"), ("{\"broken\": ", "application/json"), ("", "application/json"),
    ])
    func `a body without secrets is recorded byte for byte`(_ body: String, _ type: String) async throws {
        let (_, entry) = try await record(response(body, type), redacting: .keepingAll)
        #expect(entry.response.content.text == body)
    }

    @Test(arguments: [
        (
            "{\"id\": 1, \"token\": \"planted\"}\n{\"token\": \"planted\"}\n", "application/x-ndjson",
            "{\"id\": 1, \"token\": \"redacted\"}\n{\"token\": \"redacted\"}\n"
        ),
        (
            "a=1&refresh_token=planted&sig=planted", "application/x-www-form-urlencoded",
            "a=1&refresh_token=redacted&sig=redacted"
        ),
        ("{\"id\": 1, \"password\": \"planted", "application/json", "{\"id\": 1, \"password\": "),
        ("<html>{\"token\": \"planted\"}", "application/json", ""),
    ])
    func `secrets are hidden in JSON and forms, also if they are cut off`(
        _ body: String, _ type: String, _ expected: String
    ) async throws {
        let (text, entry) = try await record(response(body, type))
        #expect(!text.contains("planted"))
        #expect(entry.response.content.text == expected)
    }

    @Test(arguments: ["text/html", "text/event-stream", "multipart/form-data; boundary=AB", "image/png", ""])
    func `a recording with a body of another type fails, unless the test keeps it`(_ type: String) async throws {
        let error = await expectFailure(.notRecorded) { try await record(response("planted", type)) }
        let name = type.isEmpty ? "no type" : type
        #expect(
            error?.reason?.contains("the response body of GET https://library.example.com/books has \(name)") == true)
        #expect(error?.reason?.contains("planted") == false)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(files.isEmpty)
        var redaction = Cassette.Redaction()
        redaction.keptTypes = type.isEmpty ? ["*/*"] : [type.prefix { $0 != "/" } + "/*"]
        let (_, entry) = try await record(response("kept", type), redacting: redaction)
        #expect(entry.response.content.data == Data("kept".utf8))
    }

    @Test func `a request with a body of another type fails the recording`() async throws {
        let error = await expectFailure(.notRecorded) {
            try await record { request in
                request.method = .post
                request.body = .text("planted")
            }
        }
        #expect(error?.reason?.contains("the request body of POST") == true)
    }

    @Test func `redaction corrects the Content-Length and removes the digest of a body`() async throws {
        let body = #"{"token": "planted-planted"}"#
        let headers: HeaderFields = ["Content-Length": "\(body.utf8.count)", "Content-Digest": "sha-256=:abc=:"]
        let (_, entry) = try await record(response(body, "application/json", headers))
        #expect(entry.response.headers.contains(HAR.Pair("Content-Length", "21")))
        #expect(!entry.response.headers.contains { $0.name == "Content-Digest" })
        #expect(entry.response.content.size == 21)
        let (_, other) = try await record(response("{}", "application/json", headers))
        #expect(other.response.headers.contains { $0.name == "Content-Digest" })
    }

    @Test func `credentials that interceptors add are hidden under any name`() async throws {
        let key = try await record { request in
            request.interceptors = [APIKeyAuthentication("planted", in: .header("X-Tenant-Stamp"))]
        }
        #expect(!key.text.contains("planted"))
        #expect(key.entry.request.headers.contains(HAR.Pair("X-Tenant-Stamp", "***")))
        let item = try await record { request in
            request.interceptors = [APIKeyAuthentication("planted", in: .query("appid"))]
        }
        #expect(!item.text.contains("planted"))
        #expect(item.entry.request.queryString == [HAR.Pair("appid", "***")])
    }

    @Test func `custom names are hidden, and closures can change the recorded entry`() async throws {
        var redaction = Cassette.Redaction()
        redaction.hiddenKeys.insert("iban")
        redaction.hiddenItems.insert("q")
        redaction.hiddenFields.insert("X-Trace")
        redaction.request = { $0.url = $0.url.replacingOccurrences(of: "books", with: "shelf") }
        redaction.response = { $0.headers.removeAll { $0.name == "Date" } }
        let (text, entry) = try await record(
            response(#"{"iban": "planted"}"#, "application/json", ["X-Trace": "planted", "Date": "planted"]),
            redacting: redaction
        ) { request in
            request.query = ["q": "planted", "qq": "kept"]
        }
        #expect(!text.contains("planted"))
        #expect(entry.request.url == "https://library.example.com/shelf?q=***&qq=kept")
        var none = Cassette.Redaction()
        none.hiddenKeys = []
        none.hiddenItems = []
        let shown = try await record(redacting: none) { $0.query = ["token": "shown"] }
        #expect(shown.entry.request.url.hasSuffix("?token=shown"))
    }

    @Test func `secrets are hidden in a stream even if its chunks split them`() async throws {
        let file = folder.file()
        let run = try Cassette(at: file, mode: .record).start()
        let request = AnyRequest(try .nowhere(), "/books") { request in
            request.interceptors = [run]
            request.dataTaskPipeline = request.stubStream(
                headers: ["Content-Type": "application/json"], ["{\"tok", "en\": \"plan", "ted\", \"id\": 1}"])
        }
        for try await _ in request.startStream() {}
        try run.finish()
        #expect(
            try HAR(contentsOf: file).log.entries.first?.response.content.text == #"{"token": "redacted", "id": 1}"#)
    }
}
