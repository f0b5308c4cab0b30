import Errand
import ErrandTesting
import TestSupport
import Testing

struct `A request to a cassette` {
    private let folder: CassetteFolder

    init() throws {
        folder = try CassetteFolder()
    }

    /// Replays these requests, as `users.har`.
    private func replay<Value>(
        _ requests: [HAR.Request], _ matching: Cassette.Matching = Cassette.Matching(), requiresAllUsed: Bool = false,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let entries = requests.enumerated().map { number, request in
            let content = HAR.Content(Data("answer \(number + 1)".utf8), mimeType: "text/plain")
            return HAR.Entry(
                startedDateTime: "", request: request, response: HAR.Response(status: 200, content: content))
        }
        try HAR(log: HAR.Log(entries: entries)).write(to: folder.file("users.har"))
        let cassette = Cassette(
            at: folder.file("users.har"), matching: matching, requiresAllUsed: requiresAllUsed)
        return try await cassette.run(body)
    }

    private func get(_ target: String, headers: [HAR.Pair] = []) -> HAR.Request {
        HAR.Request(method: "GET", url: "https://library.example.com\(target)", headers: headers)
    }

    private func post(_ body: String, _ type: String = "application/json") -> HAR.Request {
        HAR.Request(
            method: "POST", url: "https://library.example.com/books",
            postData: HAR.PostData(Data(body.utf8), mimeType: type))
    }

    private func load(_ path: RequestPath, _ query: URLQuery = [:], change: (AnyRequest) -> Void = { _ in })
        async throws
        -> String
    {
        try await AnyRequest(.nowhere(), path, query, change: change).start().value.text()
    }

    private func send(_ body: String, _ type: ContentType = .json) async throws -> String {
        try await load("/books") { request in
            request.method = .post
            request.body = .data(Data(body.utf8), type: type)
        }
    }

    /// Runs a closure that must return these responses.
    private func expect(
        _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> [String]
    )
        async throws
    {
        let bodies = try await body()
        #expect(bodies == expected, sourceLocation: sourceLocation)
    }

    /// Returns the text of the failure after the request.
    private func reason(_ body: () async throws -> String) async -> String {
        await expectFailure(.notRecorded, body)?.reason ?? "none"
    }

    @Test func `a request without a recorded entry fails with the difference to the nearest entry`() async throws {
        let requests = [
            get("/v1/authors"), get("/v1/books?author=Le%20Guin&page=1"), get("/v1/books/7"),
            get("/v1/books/7/cover?size=2"),
        ]
        try await replay(requests) {
            _ = try await load("/v1/authors")
            let error = await expectFailure(.notRecorded) {
                try await load("/v1/books", ["author": "Le Guin", "page": 2])
            }
            #expect(
                error?.reason == """
                    GET https://library.example.com/v1/books?author=Le%20Guin&page=2 is not in users.har \
                    (4 entries, 3 unused). The nearest, entry 2:
                        method   GET
                      - query    page=1
                      + query    page=2
                    """)
            #expect(error?.method == .get)
            #expect(error?.url?.host == "library.example.com")
        }
    }

    @Test func `the nearest entry has the same host and path rather than the same method`() async throws {
        let requests = [
            HAR.Request(method: "PATCH", url: "https://other.example.com/books/7"),
            HAR.Request(method: "PUT", url: "https://library.example.com/books/7"),
            HAR.Request(method: "PATCH", url: "https://library.example.com/a/b/c"),
        ]
        try await replay(requests) {
            let text = await reason { try await load("/books/7") { $0.method = .patch } }
            #expect(
                text == """
                    PATCH https://library.example.com/books/7 is not in users.har (3 entries, 3 unused). The nearest, \
                    entry 2:
                      - method   PUT
                      + method   PATCH
                    """)
        }
    }

    @Test func `equal entries replay in their order, each once`() async throws {
        try await replay([get("/a"), get("/b"), get("/a")]) {
            try await expect(["answer 1", "answer 3", "answer 2"]) { try await [load("/a"), load("/a"), load("/b")] }
            let text = await reason { try await load("/a") }
            #expect(
                text == """
                    GET https://library.example.com/a is in users.har (3 entries, 0 unused), but was requested more often \
                    than recorded: the last matching entry, 3, was already used
                    """)
        }
    }

    @Test func `the last of several equal entries repeats if the matching allows it`() async throws {
        try await replay([get("/a"), get("/b"), get("/a")], Cassette.Matching(repeatsLast: true)) {
            try await expect(["answer 1", "answer 3", "answer 3"]) { try await [load("/a"), load("/a"), load("/a")] }
        }
    }

    @Test func `strict matching replays entries only in the recorded order`() async throws {
        try await replay([get("/a"), get("/b")], Cassette.Matching(order: .strict)) {
            let text = await reason { try await load("/b") }
            #expect(
                text == """
                    GET https://library.example.com/b is not what users.har has next, which is entry 1 of 2:
                        method   GET
                      - path     /a
                      + path     /b
                    """)
            try await expect(["answer 1", "answer 2"]) { try await [load("/a"), load("/b")] }
            #expect(
                await reason { try await load("/b") }
                    == "GET https://library.example.com/b is not in users.har: its 2 entries were all used")
        }
    }

    @Test func `query items are matched by name and not by their order`() async throws {
        try await replay([get("/a?x=1&y=2&x=3"), get("/a?x=3&x=1&y=2")]) {
            try await expect(["answer 2"]) { try await [load("/a", ["y": 2, "x": [3, 1]])] }
            try await expect(["answer 1"]) { try await [load("/a", ["y": 2, "x": [1, 3]])] }
        }
    }

    @Test func `ignored query items are not compared`() async throws {
        try await replay([get("/a?page=1&at=10")], [.method, .url(ignoringQuery: ["at"])]) {
            #expect(await reason { try await load("/a", ["page": 2, "at": 20]) }.contains("- query    page=1"))
            try await expect(["answer 1"]) { try await [load("/a", ["at": 20, "page": 1])] }
        }
    }

    @Test func `a request can be matched by its method and path only, on any port`() async throws {
        let recorded = HAR.Request(method: "GET", url: "http://127.0.0.1:4711/a?x=1")
        try await replay([recorded, recorded], [.method, .path]) {
            try await expect(["answer 1"]) { try await [load("/a", ["x": 2])] }
            #expect(await reason { try await load("/b") }.contains("+ path     /b"))
        }
    }

    @Test func `the named header fields are compared, and secret values are matched as hidden`() async throws {
        let fields = [HAR.Pair("accept", "application/json"), HAR.Pair("Authorization", "Bearer recorded")]
        try await replay([get("/a", headers: fields)], [.url, .headers("Accept", "X-None", "Authorization")]) {
            let text = await reason { try await load("/a") { $0.headers = ["Accept": "text/html", "X-None": "1"] } }
            #expect(
                text.hasSuffix(
                    """
                    The nearest, entry 1:
                      - header   Accept: application/json
                      - header   no X-None
                      - header   Authorization: ***
                      + header   Accept: text/html
                      + header   X-None: 1
                      + header   no Authorization
                    """))
            let body = try await load("/a") { request in
                request.headers = ["Accept": "application/json", "Authorization": "Bearer sent"]
            }
            #expect(body == "answer 1")
        }
    }

    @Test func `a JSON body is matched by its values and not by its text`() async throws {
        let recorded = post(#"{"title": "Malafrena", "pages": 369, "tags": ["a", {"b": null}], "out": true}"#)
        try await replay([recorded], [.method, .url, .body]) {
            let text = await reason {
                try await send(#"{"out": 1, "pages": 370, "title": "Malafrena", "tags": ["a", {"b": null}, []]}"#)
            }
            #expect(
                text.hasSuffix(
                    """
                    The nearest, entry 1:
                        method   POST
                      - body     $.out = true
                      - body     $.pages = 369
                      + body     $.out = 1
                      + body     $.pages = 370
                      + body     $.tags[2] = []
                    """))
            let same = #"{"tags":["a",{"b":null}],"pages":369.0,"out":true,"title":"Mal\u0061frena"}"#
            try await expect(["answer 1"]) { try await [send(same)] }
        }
    }

    @Test func `form fields, multipart parts and text lines of a body are compared`()
        async throws
    {
        let form: ContentType = "application/x-www-form-urlencoded"
        let requests = [
            post("b=2&a=1+1", form.description),
            post(
                "--AAA\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--AAA--",
                "multipart/form-data; boundary=AAA"),
            post("one\ntwo", "text/plain"),
        ]
        try await replay(requests, [.method, .url, .body]) {
            try await expect(["answer 1"]) { try await [send("a=1%201&b=2", form)] }
            let multipart = "--ZZ\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--ZZ--"
            try await expect(["answer 2"]) { try await [send(multipart, "multipart/form-data; boundary=ZZ")] }
            #expect(
                await reason { try await send("one\nthree", "text/plain") }.contains(
                    "- body     two\n  + body     three"))
            try await expect(["answer 3"]) { try await [send("one\ntwo", "text/plain")] }
        }
    }

    @Test func `a closure can define the value that is compared`() async throws {
        let operation = Cassette.Part.value("operation") { request in
            request.postData?.text?.firstMatch(of: #/query (\w+)/#).map { String($0.1) } ?? "none"
        }
        try await replay(
            [post("query Books { id }", "text/plain"), post("query Authors { id }", "text/plain")], [.url, operation]
        ) {
            try await expect(["answer 2"]) { try await [send("query Authors { name }", "text/plain")] }
            #expect(
                await reason { try await send("query Shelves { id }", "text/plain") }.contains("+ operation Shelves"))
        }
    }

    @Test func `unused entries of a cassette fail only if all entries are required`() async throws {
        let error = await expectFailure(.entriesUnused) {
            try await replay([get("/a"), get("/b?token=planted"), get("/c")], requiresAllUsed: true) {
                try await load("/a")
            }
        }
        #expect(
            error?.reason == """
                users.har has unused entries:
                  entry 2: GET https://library.example.com/b?token=***
                  entry 3: GET https://library.example.com/c
                """)
        #expect(try await replay([get("/a"), get("/b")]) { try await load("/a") } == "answer 1")
    }

    @Test func `a reported difference shows no secret`() async throws {
        try await replay([get("/a?token=planted-recorded&page=1")], [.method, .url, .body, .headers("Cookie")]) {
            let error = await expectFailure(.notRecorded) {
                try await load("/a", ["token": "planted-sent", "page": 2]) { request in
                    request.method = .post
                    request.headers = ["Cookie": "planted-cookie"]
                    request.body = .data(Data(#"{"password": "planted-password"}"#.utf8), type: .json)
                }
            }
            #expect(error?.reason?.contains("planted") == false)
            #expect(error?.reason?.contains("+ body     $.password = \"redacted\"") == true)
        }
    }
}
