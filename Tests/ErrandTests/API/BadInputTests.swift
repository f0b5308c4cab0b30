import Errand
import TestSupport
import Testing

/// Each invalid value fails with its error code, and the transport receives no request.
struct `Bad input` {
    let transport = RecordingTransport()

    @Test func `a request without a base URL fails`() async {
        await expectRefusal(.missingBaseURL) { $0.baseURL = nil }
    }

    @Test(arguments: ["api.example.com", "/only/a/path", "mailto:someone@example.com", "ftp://example.com", "https://"])
    func `a request with an unusable base URL fails`(_ base: String) async {
        await expectRefusal(.invalidURL) { $0.baseURL = URL(string: base) }
    }

    @Test(arguments: ["/users?id=7", "/users#top", "https://elsewhere.example/users"])
    func `a request whose path has a query, fragment or host fails`(_ path: String) async {
        await expectRefusal(.invalidURL) { $0.path = RequestPath(path) }
    }

    @Test(arguments: ["a\rb", "a\nb", "a\r\nX-Injected: 1", "a\0b", "a\u{7F}b"])
    func `a header field value with a control character fails the request`(_ value: String) async {
        await expectRefusal(.invalidHeaderField) { $0.headers["X-Field"] = value }
        await expectRefusal(.invalidHeaderField) {
            $0.method = .post
            $0.body = .data(Data("x".utf8), type: ContentType(stringLiteral: "text/\(value)"))
        }
    }

    @Test(arguments: [
        "Host", "host", "Content-Type", "Content-Length", "Authorization", "User-Agent", "Range", "If-Range", "Referer",
    ])
    func `a field that has one value fails the request if it is set twice`(_ name: String) async {
        for values in [["a", "b"], ["a", "a"]] {
            await expectRefusal(.invalidHeaderField) { request in
                for value in values { request.headers.add(name, value) }
            }
            await expectRefusal(.invalidHeaderField) { request in
                request.asynchronousHeaders = { HeaderFields(values.map { HeaderFields.Field(name, $0) }) }
            }
        }
    }

    @Test(arguments: ["a, b", "a b", "a/b", "a?b", "user@a"])
    func `a Host field with more than a host fails the request`(_ value: String) async {
        await expectRefusal(.invalidHeaderField) { $0.headers["Host"] = value }
    }

    @Test(arguments: ["text/plain", "multipart/mixed; boundary=other", "multipart"])
    func `a Content-Type that does not fit a multipart body fails the request`(_ type: String) async {
        await expectRefusal(.invalidHeaderField) {
            $0.method = .post
            $0.headers["Content-Type"] = type
            $0.body = .multipart(MultipartForm([.text("a", "1")], boundary: "own"))
        }
    }

    @Test(arguments: [
        ("multipart/related", "multipart/related; boundary=own"),
        ("multipart/form-data; boundary=own", "multipart/form-data; boundary=own"),
        ("multipart/mixed; charset=utf-8", "multipart/mixed; charset=utf-8; boundary=own"),
    ])
    func `the boundary is added to an own type of a multipart body`(_ type: String, _ sent: String) throws {
        let request = APIBase()
        request.baseURL = URL(string: "https://api.example.com")
        request.method = .post
        request.headers["content-type"] = type
        request.body = .multipart(MultipartForm([.text("a", "1")], boundary: "own"))
        #expect(try request.buildURLRequest().value(forHTTPHeaderField: "Content-Type") == sent)
    }

    @Test func `the boundary is added to an own type of a multipart part`() async throws {
        let inner = Multipart.mixed([.init(.text("a"))], boundary: "inner")
        let body = RequestBody.multipart(
            .mixed([.init(.multipart(inner), headers: ["Content-Type": "multipart/related"])], boundary: "outer"))
        let request = APIBase()
        request.baseURL = URL(string: "https://api.example.com")
        request.method = .post
        request.body = body
        let sent = try #require(try request.buildURLRequest().httpBody)
        #expect(String(decoding: sent, as: UTF8.self).contains("Content-Type: multipart/related; boundary=inner\r\n"))
        request.body = .multipart(.mixed([.init(.multipart(inner), headers: ["Content-Type": "text/plain"])]))
        #expect(throws: ErrandError.self) { try request.buildURLRequest() }
    }

    @Test(arguments: ["", "a b", "a:b", "a\r\nb", "a\nb", "a\0b", "ä"])
    func `a header field name that is not a token fails the request`(_ name: String) async {
        await expectRefusal(.invalidHeaderField) { $0.headers[name] = "value" }
    }

    @Test(arguments: ["", "GET /x", "GET\r\nX: 1", "GE\0T", "GÉT"])
    func `a method that is not a token fails the request`(_ method: String) async {
        await expectRefusal(.invalidMethod) { $0.method = RequestMethod(rawValue: method) }
    }

    @Test func `a Content-Length that differs from the body length fails the request`() async {
        await expectRefusal(.bodyCountMismatch) {
            $0.method = .post
            $0.body = .data(Data("four".utf8))
            $0.headers["Content-Length"] = "5"
        }
        await expectRefusal(.bodyCountMismatch) { $0.headers["Content-Length"] = "5" }
        await expectRefusal(.bodyCountMismatch) { $0.headers["Content-Length"] = "+3" }
        await expectRefusal(.bodyCountMismatch) {
            $0.method = .post
            $0.body = .stream(BodyStream(InputStream(data: Data("four".utf8)), count: 4))
            $0.headers["Content-Length"] = "5"
        }
    }

    @Test(arguments: ["/v1/../admin", "/./x", "/%2E%2e/x", ".."])
    func `a path that leaves the base URL fails the request`(_ path: String) async {
        await expectRefusal(.invalidURL) { $0.path = RequestPath(path) }
    }

    @Test func `a Transfer-Encoding field set by the request fails it`() async {
        await expectRefusal(.invalidHeaderField) { $0.headers["Transfer-Encoding"] = "chunked" }
    }

    @Test func `an error for invalid input contains the URL of the failed request`() async throws {
        let request = UsersRequest()
        request.session = transport
        _ = try await request.sendRequest().value
        request.path = "/bad?x"
        let error = await expectFailure(.invalidURL) { try await request.sendRequest().value }
        #expect(error?.url?.absoluteString == "https://jsonplaceholder.typicode.com/bad")
        let staged = await expectFailure(.invalidURL) { try await request.schedule(with: .placeholder).value }
        #expect(staged?.url?.host == "staging.example.com")
    }

    @Test func `a stream set in buildURLRequest cannot be sent twice`() async throws {
        final class Streaming: PlaceholderAPI {
            let stream = InputStream(data: Data("content".utf8))
            override func buildURLRequest() throws -> URLRequest {
                var request = try super.buildURLRequest()
                request.httpMethod = "POST"
                request.httpBodyStream = stream
                return request
            }
        }
        let request = Streaming()
        request.session = transport
        let (first, second) = (request.sendRequest(), request.sendRequest())
        _ = await first.result
        await expectFailure(.bodyStreamAlreadyOpened) { try await second.value }
        #expect(transport.sent.elements.count == 1)
    }

    @Test func `a class that sets a stream can send an endpoint with a change`() async throws {
        final class Streaming: PlaceholderAPI {
            override func buildURLRequest() throws -> URLRequest {
                var request = try super.buildURLRequest()
                request.httpBodyStream = InputStream(data: Data("content".utf8))
                return request
            }
        }
        let api = Streaming()
        api.session = transport
        let endpoint = Endpoint<Data>(.post, "/posts").prepare { $0.setValue("1", forHTTPHeaderField: "X-Change") }
        _ = try await api.send(endpoint).value
        let sent = try #require(transport.sent.elements.first)
        #expect(sent.urlRequest.value(forHTTPHeaderField: "X-Change") == "1")
        #expect(try await sent.bodyStream?.contents() == Data("content".utf8))
    }

    @Test func `a retry does not send a body stream twice, and fails with the failure of the first run`() async {
        let request = UsersRequest()
        request.method = .put
        request.dataTaskPipeline = request.stub(error: URLError(.networkConnectionLost))
        request.body = .stream(BodyStream(InputStream(data: Data("four".utf8)), count: 4))
        let error = await expectFailure(.transportFailed) { try await request.sendRequest().retry(2).value }
        #expect(error?.attempts == 1)
    }

    @Test func `a body stream that is already open fails the request`() async {
        await expectRefusal(.bodyStreamAlreadyOpened) {
            let stream = InputStream(data: Data("four".utf8))
            stream.open()
            $0.method = .post
            $0.body = .stream(BodyStream(stream))
        }
    }

    @Test func `a body stream cannot be sent twice`() async throws {
        let request = UsersRequest()
        request.method = .post
        request.session = transport
        request.body = .stream(BodyStream(InputStream(data: Data("four".utf8)), count: 4))
        let first = request.sendRequest()
        let second = request.sendRequest()
        _ = try await first.value
        let error = await expectFailure(.bodyStreamAlreadyOpened) { try await first.value }
        #expect(error?.attempts == 0)
        await expectFailure(.bodyStreamAlreadyOpened) { try await second.value }
        #expect(transport.sent.elements.count == 1)
    }

    @Test(arguments: [0, -1, TimeInterval.nan])
    func `an invalid timeout fails the request`(_ timeout: TimeInterval) async {
        await expectRefusal(.invalidTimeout) { $0.timeoutInterval = timeout }
    }

    @Test func `a body set in buildURLRequest replaces the body stream`() async throws {
        final class Twice: PlaceholderAPI {
            override func buildURLRequest() throws -> URLRequest {
                var request = try super.buildURLRequest()
                request.httpBody = Data("four".utf8)
                return request
            }
        }
        let request = Twice()
        request.session = transport
        request.method = .post
        request.body = .stream(BodyStream(InputStream(data: Data("four".utf8)), count: 4))
        _ = try await request.sendRequest().value
        let sent = try #require(transport.sent.elements.first)
        #expect(sent.bodyStream == nil)
        #expect(sent.urlRequest.httpBody == Data("four".utf8))
    }

    @Test func `a body that cannot be encoded fails the request`() async {
        let request = UsersRequest()
        request.method = .post
        request.body = .json([Double.nan])
        request.session = transport
        let error = await expectFailure(.bodyEncodingFailed) { try await request.sendRequest().value }
        #expect(error?.underlyingError is EncodingError)
        #expect(transport.sent.elements.isEmpty)
    }

    @Test func `an invalid header field set in buildURLRequest fails the request`() async {
        final class Injecting: PlaceholderAPI {
            override func buildURLRequest() throws -> URLRequest {
                var request = try super.buildURLRequest()
                request.allHTTPHeaderFields = ["X-Field": "a\r\nX-Injected: 1"]
                return request
            }
        }
        let request = Injecting()
        request.session = transport
        await expectFailure(.invalidHeaderField) { try await request.sendRequest().value }
        #expect(transport.sent.elements.isEmpty)
    }

    @Test(arguments: ["X-Field: a\r\nX-Injected", ""])
    func `an invalid header field set by an interceptor fails the request`(_ name: String) async {
        struct Injecting: Interceptor {
            let name: String

            func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
                var request = request
                request.urlRequest.allHTTPHeaderFields = [name: "1"]
                return try await next(request)
            }
        }
        let request = UsersRequest()
        request.session = transport
        request.interceptors = [Injecting(name: name)]
        let failures = [
            await expectFailure(.invalidHeaderField) { try await request.sendRequest().value },
            await expectFailure(.invalidHeaderField) { try await request.sendStream().open() },
        ]
        #expect(failures.map { $0?.attempts } == [0, 0])
        #expect(failures.map { $0?.url?.path } == ["/users", "/users"])
        #expect(transport.sent.elements.isEmpty)
    }

    /// Checks the failure over the transport and with a stub, which must not hide it.
    private func expectRefusal(
        _ code: ErrandError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ spoil: (UsersRequest) -> Void
    ) async {
        for isStubbed in [false, true] {
            let request = UsersRequest()
            request.session = transport
            if isStubbed { request.dataTaskPipeline = request.stubResponse() }
            spoil(request)
            let error = await expectFailure(code, sourceLocation: sourceLocation) {
                try await request.sendRequest().value
            }
            #expect(error?.attempts == 0, sourceLocation: sourceLocation)
            #expect(error?.description.contains("\r") == false, sourceLocation: sourceLocation)
        }
        #expect(transport.sent.elements.isEmpty, sourceLocation: sourceLocation)
    }
}
