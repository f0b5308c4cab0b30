import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.interop(.nginx, .openssl)) struct `nginx` {
    @Test(arguments: TransportUnderTest.allCases)
    func `a gzipped response of nginx is requested and decoded`(_ transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let text = String(repeating: "the quick brown fox\n", count: 5000)
        try directory.write(Data(text.utf8), to: "fox.txt")
        let server = try await Nginx(
            directory: directory,
            "gzip on; gzip_min_length 1; gzip_types text/plain; location / { root \(directory.url.path); }")
        let response = try await transport.make().get(server.url("/fox.txt"))
        #expect(response.text == text)
        if transport == .curl {
            #expect(response.headers["Content-Encoding"] == "gzip")
            #expect(try #require(response.metrics).bytesReceived < 5000)
        }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a range request to nginx receives a part of the file`(_ transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        try directory.write(Data("0123456789".utf8), to: "digits")
        let server = try await Nginx(directory: directory, "location / { root \(directory.url.path); }")
        let transport = transport.make()
        let part = try await transport.get(server.url("/digits"), headers: ["Range": "bytes=2-4"])
        #expect(part.statusCode == 206)
        #expect(part.text == "234")
        #expect(part.headers["Content-Range"] == "bytes 2-4/10")
        let beyond = try await transport.get(server.url("/digits"), headers: ["Range": "bytes=20-"])
        #expect(beyond.statusCode == 416)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a conditional request gets a 304 response, and the connection is reused`(
        _ transport: TransportUnderTest
    ) async throws {
        let directory = try TemporaryDirectory()
        try directory.write(Data("0123456789".utf8), to: "digits")
        let server = try await Nginx(directory: directory, "location / { root \(directory.url.path); }")
        let transport = transport.make()
        let whole = try await transport.get(server.url("/digits"))
        let tag = try #require(whole.headers["ETag"])
        for _ in 0..<2 {
            let unchanged = try await transport.get(server.url("/digits"), headers: ["If-None-Match": tag])
            #expect(unchanged.statusCode == 304)
            #expect(unchanged.data.isEmpty)
            #expect(unchanged.headers["X-Connection"] == whole.headers["X-Connection"])
        }
    }

    @Test(arguments: [false, true])
    func `sixty-four megabytes are streamed completely`(_ isSecure: Bool) async throws {
        let authority = try await CertificateAuthority()
        let directory = try TemporaryDirectory()
        let block = Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 ^ ($0 >> 8) &* 7) })
        let file = directory.url.appendingPathComponent("file")
        try block.write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        try handle.seekToEnd()
        for _ in 1..<64 { try handle.write(contentsOf: block) }
        try handle.close()
        let server = try await Nginx(
            certificate: isSecure ? try await authority.issue("IP:127.0.0.1") : nil, directory: directory,
            "location / { root \(directory.url.path); }")
        let response = try await CurlTransport.trusting(authority).stream(.get(server.url("/file")))
        #expect(response.headers["Content-Length"] == "\(64 << 20)")
        let twice = block + block
        var count = 0
        var isAsSent = true
        for try await piece in response.body {
            let start = count % block.count
            isAsSent = isAsSent && piece.count <= block.count && piece == twice[start..<start + piece.count]
            count += piece.count
        }
        #expect(isAsSent)
        #expect(count == 64 << 20)
    }

    @Test(arguments: [0, 10, 100_000])
    func `a request with Expect: 100-continue sends its body after the 100 response`(_ size: Int) async throws {
        let backend = try MockServer()
        backend.onAny { request in .data(request.body, contentType: "text/plain") }
        let server = try await Nginx("location / { proxy_pass \(backend.url.absoluteString); }")
        var request = TransportRequest.get(try server.url(), headers: ["Expect": "100-continue"])
        request.urlRequest.httpMethod = "PUT"
        request.urlRequest.httpBody = Data(repeating: UInt8(ascii: "x"), count: size)
        let response = try await CurlTransport.direct().send(request)
        #expect(response.statusCode == 200)
        #expect(response.data.count == size)
    }

    @Test func `a rejected request with Expect: 100-continue sends no body`() async throws {
        let server = try await Nginx("location / { client_max_body_size 1k; return 200; }")
        var request = TransportRequest.get(try server.url(), headers: ["Expect": "100-continue"])
        request.urlRequest.httpMethod = "PUT"
        request.urlRequest.httpBody = Data(repeating: UInt8(ascii: "x"), count: 100_000)
        let response = try await CurlTransport.direct().send(request)
        #expect(response.statusCode == 413)
        let metrics = try #require(response.metrics)
        // libcurl sends the body after a second without an interim response.
        if metrics.total < .seconds(1) { #expect(metrics.bytesSent < 1000) }
    }
}
