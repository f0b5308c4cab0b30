import Errand
import TestSupport
import Testing

extension `httpbin` {
    struct `Redirects` {
        @Test(arguments: TransportUnderTest.allCases, ["redirect", "relative-redirect", "absolute-redirect"])
        func `a chain of redirects is followed to its end`(
            _ transport: TransportUnderTest, _ kind: String
        ) async throws {
            let end = try HTTPBin.shared.url.absoluteString + "/get"
            let request = try WholeRequest("/\(kind)/5", transport.make())
            let pipeline = request.start()
            #expect(try await pipeline.decode(Echo.self).value.url == end)
            let response = try await pipeline.value
            #expect(response.url?.absoluteString == end)
            #expect(response.attempts == 1)
            if transport == .curl { #expect(response.metrics?.redirects == 5) }
        }

        @Test(arguments: TransportUnderTest.allCases, ["relative-redirect", "absolute-redirect"])
        func `twenty redirects are followed, and the twenty-first fails`(
            _ transport: TransportUnderTest, _ kind: String
        ) async throws {
            let session = transport.make()
            #expect(try await WholeRequest("/\(kind)/20", session).start().value.statusCode == 200)
            let error = await expectFailure(.transportFailed) {
                try await WholeRequest("/\(kind)/21", session).start().value
            }
            #expect((error?.underlyingError as? URLError)?.code == .httpTooManyRedirects)
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `an ignored redirect is returned as the response`(_ transport: TransportUnderTest) async throws {
            let request = try WholeRequest("/relative-redirect/3", transport.make())
            request.redirectPolicy = .ignore
            request.accepted = 302..<303
            let response = try await request.start().value
            #expect(response.headers[.location] == "/relative-redirect/2")
            #expect(response.url?.path == "/relative-redirect/3")
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `the redirect policy decides for each redirect`(_ transport: TransportUnderTest) async throws {
            let redirects = Locked<[String]>([])
            let request = try WholeRequest("/absolute-redirect/5", transport.make())
            request.redirectPolicy = .decide { response, next in
                let path = next.url?.path ?? ""
                redirects.withLock { $0.append("\(response.statusCode) \(path)") }
                return path != "/absolute-redirect/2"
            }
            request.accepted = 302..<303
            let response = try await request.start().value
            #expect(response.url?.path == "/absolute-redirect/3")
            #expect(
                redirects.withLock { $0 } == [
                    "302 /absolute-redirect/4", "302 /absolute-redirect/3", "302 /absolute-redirect/2",
                ])
        }

        /// The method after a redirect with this status.
        struct Turn: Sendable, CustomTestStringConvertible {
            var status: Int
            var method: RequestMethod
            var next: RequestMethod

            var testDescription: String { "\(method) \(status)" }

            static let all = [
                Turn(status: 301, method: .post, next: .get), Turn(status: 302, method: .post, next: .get),
                Turn(status: 303, method: .post, next: .get), Turn(status: 307, method: .post, next: .post),
                Turn(status: 308, method: .post, next: .post), Turn(status: 301, method: .put, next: .put),
                Turn(status: 302, method: .patch, next: .patch), Turn(status: 303, method: .put, next: .get),
                Turn(status: 307, method: .delete, next: .delete), Turn(status: 308, method: .put, next: .put),
            ]
        }

        @Test(arguments: TransportUnderTest.allCases, Turn.all)
        func `a redirect keeps or changes method and body as its status requires`(
            _ transport: TransportUnderTest, _ turn: Turn
        ) async throws {
            let book = Book(title: "Malafrena", year: 1979, tags: [])
            let request = try EchoRequest("/redirect-to", transport.make())
            request.query = ["url": "/anything/there?page=2", "status_code": turn.status]
            request.method = turn.method
            request.body = .json(book).withAnyMethod()
            let echo = try await request.start().value
            #expect(echo.method == turn.next.rawValue)
            #expect(echo.args == ["page": ["2"]])
            #expect(echo.json == (turn.next == .get ? nil : book))
            #expect(echo.headers[.contentType] == (turn.next == .get ? nil : "application/json"))
            #expect(echo.headers[.contentLength] == nil || turn.next != .get)
        }

        @Test(arguments: TransportUnderTest.allCases, [307, 308])
        func `a read-once stream is not sent again after a redirect`(
            _ transport: TransportUnderTest, _ status: Int
        ) async throws {
            let request = try EchoRequest("/redirect-to", transport.make())
            request.query = ["url": "/anything", "status_code": status]
            request.method = .post
            request.body = .stream(BodyStream(InputStream(data: Data("once".utf8))))
            switch transport {
            case .curl: await expectFailure(.bodyStreamAlreadyOpened) { try await request.start().value }
            // `URLSession` has read the whole stream before it sends it, and still has it.
            case .urlSession: #expect(try await request.start().value.data == Data("once".utf8))
            }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `every form of Location is resolved`(_ transport: TransportUnderTest) async throws {
            let server = try HTTPBin.shared
            let authority = try #require(server.url.absoluteString.split(separator: "/").last)
            let session = transport.make()
            for location in [
                "/get?a=b%20c", "get?a=b%20c", "../get?a=b%20c", "./get?a=b%20c", "//\(authority)/get?a=b%20c",
                "HTTP://\(authority)/get?a=b%20c", "/get?a=b%20c#fragment",
            ] {
                let request = try EchoRequest("/redirect-to", session)
                request.query = ["url": location]
                #expect(try await request.start().value.args == ["a": ["b c"]], "\(location)")
            }
        }

        @Test(
            arguments: TransportUnderTest.allCases, ["ftp://127.0.0.1/", "file:///etc/hostname", "mailto:a@b.invalid"])
        func `a redirect to a URL that is not HTTP fails the request`(
            _ transport: TransportUnderTest, _ location: String
        ) async throws {
            let request = try WholeRequest("/redirect-to", transport.make())
            request.query = ["url": location]
            let error = await expectFailure(.transportFailed) { try await request.start().value }
            #expect((error?.underlyingError as? URLError)?.code == .unsupportedURL)
        }

        /// The fields that identify the sender of a request.
        private func identified(_ path: RequestPath, _ transport: TransportUnderTest) throws -> EchoRequest {
            let request = try EchoRequest(path, transport.make())
            request.headers = [.cookie: "session=1", "X-Api-Key": "key", .acceptLanguage: "gsw"]
            request.interceptors = [BasicAuthentication(user: "ursula", password: "hunter2")]
            return request
        }

        @Test(arguments: TransportUnderTest.allCases, [302, 307])
        func `credentials are not sent to another origin`(_ transport: TransportUnderTest, _ status: Int) async throws {
            let server = try HTTPBin.shared
            let request = try identified("/redirect-to", transport)
            request.query = ["url": "\(server.otherURL.absoluteString)/get", "status_code": status]
            let echo = try await request.start().value
            #expect(echo.url == "\(server.otherURL.absoluteString)/get")
            #expect(echo.headers[.acceptLanguage] == "gsw")
            for name in ["Authorization", "Cookie", "X-Api-Key"] { #expect(echo.headers[name] == nil) }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `credentials are not sent after a redirect back to their origin`(
            _ transport: TransportUnderTest
        ) async throws {
            let server = try HTTPBin.shared
            var home = URLComponents()
            home.path = "/redirect-to"
            home.queryItems = [URLQueryItem(name: "url", value: "\(server.url.absoluteString)/get")]
            let request = try identified("/redirect-to", transport)
            request.query = ["url": "\(server.otherURL.absoluteString)\(home.string ?? "")"]
            let echo = try await request.start().value
            #expect(echo.url == "\(server.url.absoluteString)/get")
            for name in ["Authorization", "Cookie", "X-Api-Key"] { #expect(echo.headers[name] == nil) }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `credentials are sent to redirects within their origin`(_ transport: TransportUnderTest) async throws {
            let echo = try await identified("/relative-redirect/2", transport).start().value
            #expect(echo.headers[.authorization] == "Basic dXJzdWxhOmh1bnRlcjI=")
            #expect(echo.headers[.cookie] == "session=1")
            #expect(echo.headers["X-Api-Key"] == "key")
        }
    }
}
