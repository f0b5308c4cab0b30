import Errand
import TestSupport
import Testing

@Suite(.interop(.nginx, .openssl), .sharedCertificate, .hangGuard) struct `nginx: static files` {
    @Test(arguments: FileWay.allCases)
    func `a precompressed file is decoded, and the plain file is sent without gzip`(_ way: FileWay) async throws {
        let server = try await FileServer(way, "gzip_static on; gzip_vary on;")
        try server.write("plain\n", to: "text")
        // The text differs from that of the plain file, so the test can tell which was sent.
        let compressed = try #require(Data(base64Encoded: "H4sIAAAAAAACA0vOzy0oSi0uTk1RSEpNyy9KzUjMS+ECAESchdoWAAAA"))
        try server.directory.write(compressed, to: "text.gz")
        let response = try await server.get("/text")
        #expect(response.text == "compressed beforehand\n")
        #expect(response.headers["Vary"] == "Accept-Encoding")
        let plain = try await server.get("/text", ["Accept-Encoding": "identity"])
        #expect(plain.text == "plain\n")
        #expect(plain.headers["Content-Encoding"] == nil)
        #expect(plain.headers["ETag"] != response.headers["ETag"])
    }

    @Test(arguments: FileWay.allCases)
    func `conditional requests for a file get the expected status`(_ way: FileWay) async throws {
        let server = try await FileServer(way)
        try server.write("0123456789", to: "digits")
        let whole = try await server.get("/digits")
        let tag = try #require(whole.headers["ETag"])
        let date = try #require(whole.headers["Last-Modified"])
        let (earlier, later) = ("Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 01 Jan 2100 00:00:00 GMT")
        let conditions: [(fields: [String: String], status: Int)] = [
            (["If-None-Match": tag], 304), (["If-None-Match": "W/\(tag)"], 304),
            (["If-None-Match": "\"x\", \(tag)"], 304),
            (["If-None-Match": "*"], 304), (["If-None-Match": "\"x\""], 200),
            (["If-None-Match": "\"x\"", "If-Modified-Since": date], 200),
            (["If-Modified-Since": date], 304), (["If-Modified-Since": earlier], 200),
            (["If-Match": tag], 200), (["If-Match": "*"], 200), (["If-Match": "\"x\""], 412),
            (["If-Unmodified-Since": date], 200), (["If-Unmodified-Since": later], 200),
            (["If-Unmodified-Since": earlier], 412),
            (["If-Range": tag, "Range": "bytes=2-4"], 206), (["If-Range": date, "Range": "bytes=2-4"], 206),
            (["If-Range": "\"x\"", "Range": "bytes=2-4"], 200), (["If-Range": earlier, "Range": "bytes=2-4"], 200),
        ]
        for (fields, status) in conditions {
            let response = try await server.get("/digits", fields)
            #expect(response.statusCode == status, "\(fields)")
            switch status {
            case 200: #expect(response.text == "0123456789", "\(fields)")
            case 206: #expect(response.text == "234", "\(fields)")
            case 304: #expect(response.data.isEmpty, "\(fields)")
            default: break
            }
        }
    }

    @Test(arguments: FileWay.allCases)
    func `ranges of a file are received as requested`(_ way: FileWay) async throws {
        let server = try await FileServer(way)
        try server.write("0123456789", to: "digits")
        for (range, text) in [("0-0", "0"), ("2-4", "234"), ("7-", "789"), ("-2", "89"), ("5-99", "56789")] {
            let part = try await server.get("/digits", ["Range": "bytes=\(range)"])
            #expect(part.statusCode == 206)
            #expect(part.text == text)
        }
        let several = try await server.get("/digits", ["Range": "bytes=0-1,8-"])
        #expect(several.statusCode == 206)
        #expect(several.headers.contentType?.essence == "multipart/byteranges")
        let parts = try several.decodeParts()
        #expect(parts.map(\.headers.contentRange?.bytes) == [0...1, 8...9])
        #expect(parts.map(\.data) == [Data("01".utf8), Data("89".utf8)])
        let beyond = try await server.get("/digits", ["Range": "bytes=10-"])
        #expect(beyond.statusCode == 416)
        #expect(beyond.headers["Content-Range"] == "bytes */10")
    }

    @Test(arguments: FileWay.allCases)
    func `a response compressed on the fly is revalidated by its weak entity tag`(_ way: FileWay) async throws {
        let server = try await FileServer(way, "gzip on; gzip_min_length 1; gzip_types text/plain; expires -1;")
        try server.write(String(repeating: "all work and no play\n", count: 1_000), to: "text")
        let request = try server.request("/text")
        request.interceptors = [HTTPCache()]
        let first = try await request.start().value
        #expect(first.headers["ETag"]?.hasPrefix("W/") == true)
        for _ in 0..<2 {
            let again = try await request.start().value
            #expect(again.source == .revalidated)
            #expect(again.data == first.data)
        }
        try server.write("changed", to: "text")
        let changed = try await request.start().value
        #expect(changed.source == .network)
        #expect(changed.text == "changed")
    }

    @Test(arguments: FileWay.allCases)
    func `a file is cached as long as nginx specifies`(_ way: FileWay) async throws {
        let server = try await FileServer(way, "expires 1h;")
        try server.write("first", to: "text")
        let now = Locked(Date())
        let request = try server.request("/text")
        request.interceptors = [HTTPCache(now: { now.withLock { $0 } })]
        #expect(try await request.start().value.source == .network)
        try server.write("and changed", to: "text")
        now.withLock { $0 += 3_500 }
        let kept = try await request.start().value
        #expect(kept.source == .cache)
        #expect(kept.text == "first")
        now.withLock { $0 += 200 }
        #expect(try await request.start().value.text == "and changed")
    }

    @Test(arguments: FileWay.allCases)
    func `a directory is redirected, and a missing file fails with a 404`(_ way: FileWay) async throws {
        let server = try await FileServer(way, "index index.txt;")
        try FileManager.default.createDirectory(
            at: server.directory.url.appendingPathComponent("shelf"), withIntermediateDirectories: false)
        try server.write("the index", to: "shelf/index.txt")
        let index = try await server.get("/shelf")
        #expect(index.text == "the index")
        #expect(index.url == (try server.url("/shelf/")))
        #expect(try await server.get("/missing").statusCode == 404)
        #expect(try await server.get("/").statusCode == 403)
        let request = try server.request("/shelf/index.txt")
        request.method = .post
        request.body = .text("not here")
        #expect(try await request.start().value.statusCode == 405)
        request.method = .head
        request.body = .empty
        let head = try await request.start().value
        #expect(head.statusCode == 200)
        #expect(head.headers["Content-Length"] == "9")
        #expect(head.data.isEmpty)
    }

    @Test(arguments: FileWay.curl)
    func `a file of twenty megabytes is uploaded with progress and received again`(_ way: FileWay) async throws {
        let server = try await FileServer(
            way, "location /store/ { dav_methods PUT DELETE; create_full_put_path on; client_max_body_size 32m; }")
        let count = 20 << 20
        let content = Data.sample(count)
        let file = URL(fileURLWithPath: try server.directory.write(content, to: "content"))
        let request = try server.request("/store/copy")
        request.method = .put
        request.body = .file(file)
        let watching = Task { [progress = request.uploadProgress] in
            var last: TransferProgress.Snapshot?
            for await snapshot in progress { last = snapshot }
            return last
        }
        #expect(try await request.start().value.statusCode == 201)
        #expect(await watching.value == .init(completed: Int64(count), total: Int64(count)))
        #expect(try await request.start().value.statusCode == 204)
        let copy = try await server.get("/store/copy")
        #expect(copy.data == content)
        #expect(copy.metrics?.protocolName == (way == .http2 ? "h2" : "http/1.1"))
        request.method = .delete
        request.body = .empty
        #expect(try await request.start().value.statusCode == 204)
        #expect(try await server.get("/store/copy").statusCode == 404)
    }
}
