import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

/// nginx closes a connection after two requests, as servers do that are restarted; over HTTP/2 it sends a GOAWAY.
@Suite(.interop(.nginx, .openssl), .sharedCertificate, .hangGuard) struct `nginx: short connections` {
    @Test(arguments: FileWay.allCases)
    func `consecutive requests move to new connections after the limit`(_ way: FileWay) async throws {
        let server = try await FileServer(way, "keepalive_requests 2;")
        try server.write("hello", to: "text")
        var connections: [String?] = []
        for _ in 0..<10 {
            let response = try await server.get("/text")
            #expect(response.text == "hello")
            connections.append(response.headers["X-Connection"])
        }
        #expect(Set(connections).count >= 5)
    }

    /// The request of a refused stream is sent again a limited number of times. Of twenty concurrent requests, some
    /// would be refused too often.
    @Test(arguments: FileWay.allCases)
    func `no concurrent request is lost when connections reach their limit`(_ way: FileWay) async throws {
        let server = try await FileServer(way, "keepalive_requests 2;")
        let text = String(repeating: "hello\n", count: 10_000)
        try server.write(text, to: "text")
        for _ in 0..<10 {
            try await withThrowingTaskGroup { group in
                for _ in 0..<10 { group.addTask { try await server.get("/text").text } }
                for try await received in group { #expect(received == text) }
            }
        }
    }

    /// Sends fifty POST requests, ten at a time, over connections that close. Returns the received bodies and the
    /// errors.
    private func changes(
        _ way: FileWay, _ policy: RetryPolicy?
    ) async throws -> (made: [String], failures: [any Error]) {
        let backend = try MockServer()
        backend.onAny { .text($0.text) }
        let server = try await FileServer(
            way, "keepalive_requests 2; location / { proxy_pass \(backend.url.absoluteString); }")
        var failures: [any Error] = []
        for round in 0..<5 {
            let changes = try (0..<10).map { number in
                let change = try server.request("/")
                change.method = .post
                change.body = .text("\(round).\(number)")
                change.retryPolicy = policy
                return change.start()
            }
            failures += await withTaskGroup(of: (any Error)?.self) { group in
                for change in changes {
                    group.addTask {
                        do {
                            #expect(try await change.value.statusCode == 200)
                            return nil
                        } catch {
                            return error
                        }
                    }
                }
                return await group.reduce(into: []) { if let error = $1 { $0.append(error) } }
            }
        }
        return (backend.requests.map(\.text), failures)
    }

    /// libcurl does not distinguish a stream that the server has refused and not processed (RFC 9113, section 8.7) from
    /// one whose connection failed. A request that may have been processed is not sent again, so some requests fail
    /// that could have been sent again.
    @Test(arguments: FileWay.curl)
    func `no POST request is processed twice, and each failed one lost its connection`(_ way: FileWay) async throws {
        let (made, failures) = try await changes(way, nil)
        #expect(Set(made).count == made.count)
        #expect(made.count + failures.count == 50)
        for failure in failures {
            #expect(((failure as? ErrandError)?.underlyingError as? URLError)?.code == .networkConnectionLost)
        }
        // In HTTP/1.1, the head of the response announces that the connection closes.
        if way == .http1 { #expect(failures.isEmpty) }
    }

    @Test(arguments: FileWay.curl)
    func `a POST request with an idempotency key is retried until it succeeds`(_ way: FileWay) async throws {
        var policy = RetryPolicy(backoff: .immediate, maximumAttempts: 20)
        policy.addsIdempotencyKey = true
        let (made, failures) = try await changes(way, policy)
        #expect(failures.isEmpty)
        #expect(Set(made).count == 50)
    }

    @Test(arguments: FileWay.curl)
    func `a long body is complete although its connection is closing`(_ way: FileWay) async throws {
        let server = try await FileServer(way, "keepalive_requests 2;")
        let content = Data.sample(8 << 20)
        try server.directory.write(content, to: "large")
        try server.write("hello", to: "text")
        let stream = try await server.transport.stream(.get(server.url("/large")))
        for _ in 0..<6 { #expect(try await server.get("/text").text == "hello") }
        #expect(try await stream.body.reduce(into: Data()) { $0 += $1 } == content)
    }

    /// Both requests share one connection, whose flow control window the slow one must not exhaust (RFC 9113, section
    /// 5.2).
    @Test func `a slow reader of an HTTP/2 stream does not slow down another`() async throws {
        let server = try await FileServer(.http2) { $0.maximumConnectionsPerHost = 1 }
        let content = Data.sample(48 << 20)
        try server.directory.write(content, to: "large")
        let slow = try await server.transport.stream(.get(server.url("/large")))
        var pieces = slow.body.makeAsyncIterator()
        var begun = try #require(try await pieces.next())
        let fast = try await server.transport.stream(.get(server.url("/large")))
        #expect(fast.headers["X-Connection"] == slow.headers["X-Connection"])
        #expect(try await fast.body.reduce(into: Data()) { $0 += $1 } == content)
        while let piece = try await pieces.next() { begun += piece }
        #expect(begun == content)
    }
}
