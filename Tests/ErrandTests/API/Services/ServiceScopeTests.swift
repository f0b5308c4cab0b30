import ErrandTesting
import TestSupport
import Testing

@testable import Errand

/// The requests to which a service applies.
extension `A service` {
    final class Foreign: APIBase, Request {
        override init() {
            super.init()
            url = URL(string: "https://elsewhere.example.com/foreign")
        }
        func start() -> Pipeline<String, any Error> { sendRequest().decodeText() }
    }

    @Test func `a service also applies to requests of the same API that a request starts`() async throws {
        final class First: LibraryAPI, Request {
            func start() -> Pipeline<String, any Error> {
                sendRequest().flatMap { _ in Second().start() }
                    .flatMap { _ in Pipeline.deferred { Second().start() } }
                    .flatMap { _ in
                        let foreign = Foreign()
                        foreign.dataTaskPipeline = foreign.stubResponse()
                        return foreign.start()
                    }
            }
        }
        let transport = RecordingTransport()
        let staging = APIService(baseURL: "staging.example.com", session: transport)
        _ = try await First().schedule(with: staging).value
        #expect(
            transport.sent.elements.map(\.description) == [
                "GET https://staging.example.com", "GET https://staging.example.com/second",
                "GET https://staging.example.com/second",
            ])
    }

    @Test func `a service also applies to a request of another class without a server`() async throws {
        final class Author: APIBase, Request {
            func start() -> Pipeline<Int, any Error> {
                path = "/author"
                return sendRequest().map(\.statusCode)
            }
        }
        final class First: LibraryAPI, Request {
            func start() -> Pipeline<Int, any Error> {
                sendRequest().flatMap { _ in Pipeline.deferred { Author().start() } }
            }
        }
        let transport = RecordingTransport()
        let staging = APIService(baseURL: "staging.example.com", session: transport)
        _ = try await First().schedule(with: staging).value
        #expect(
            transport.sent.elements.map(\.description) == [
                "GET https://staging.example.com", "GET https://staging.example.com/author",
            ])
    }

    @Test func `no setting of a service is sent to another server that a request of the same class sets`() async throws
    {
        final class First: LibraryAPI, Request {
            let elsewhere: RecordingTransport

            init(_ elsewhere: RecordingTransport) {
                self.elsewhere = elsewhere
            }

            func start() -> Pipeline<String, any Error> {
                sendRequest().flatMap { [elsewhere] _ in
                    Pipeline.deferred {
                        let second = Second()
                        second.url = URL(string: "https://elsewhere.example.com/page")
                        second.session = elsewhere
                        return second.start()
                    }
                }
            }
        }
        let elsewhere = RecordingTransport()
        let staging = APIService(
            baseURL: "staging.example.com", headers: ["X-Tenant": "acme"], session: RecordingTransport())
        _ = try await First(elsewhere).schedule(with: staging).value
        let sent = try #require(elsewhere.sent.elements.first?.urlRequest)
        #expect(sent.url?.absoluteString == "https://elsewhere.example.com/page/second")
        #expect(sent.value(forHTTPHeaderField: "X-Tenant") == nil)
    }

    @Test(
        arguments: [
            (nil, nil, nil, true), (nil, nil, "https://b.example", false), (nil, nil, "wss://b.example", false),
            (nil, "https://a.example/v1", nil, true), (nil, "https://a.example/v1", "https://a.example/v2", true),
            (nil, "https://a.example", "wss://a.example", true), (nil, "wss://a.example", "https://a.example", true),
            (nil, "wss://a.example", "wss://b.example", false),
            ("https://z.example/upload", "https://a.example", "https://a.example", true),
            ("https://z.example/upload", "https://a.example", "https://b.example", false),
            (nil, "ftp://a.example", "ftp://a.example", true), (nil, "ftp://a.example", "ftp://b.example", false),
            (nil, "https://a.example", "https://staging.example.com/v2", true),
        ] as [(String?, String?, String?, Bool)])
    func `a service applies to requests without a server, or with its own or a server of the first request`(
        _ url: String?, _ base: String?, _ second: String?, _ isIncluded: Bool
    ) {
        let leaf = APIBase()
        leaf.url = url.flatMap(URL.init(string:))
        leaf.baseURL = base.flatMap(URL.init(string:))
        let request = APIBase()
        request.baseURL = second.flatMap(URL.init(string:))
        let scope = ServiceScope(APIService(baseURL: "staging.example.com"), for: leaf)
        #expect(scope.destination(of: request) == (isIncluded ? .service : .own))
        #expect(scope.destination(of: leaf) == .service)
    }

    @Test func `a service also applies to the request that refreshes a token`() async throws {
        final class TokenRequest: LibraryAPI, Request {
            func start() -> Pipeline<String, any Error> {
                path = "/token"
                interceptors = []
                return sendRequest().decodeText()
            }
        }
        final class Guarded: LibraryAPI, Request {
            func start() -> Pipeline<String, any Error> { sendRequest().decodeText() }
        }
        let transport = RecordingTransport()
        let request = Guarded()
        request.interceptors = [
            TokenAuthentication { _ in
                _ = try await TokenRequest().start().value
                return AccessToken("new")
            }
        ]
        _ = try await request.schedule(with: APIService(baseURL: "staging.example.com", session: transport)).value
        #expect(
            transport.sent.elements.map(\.description) == [
                "GET https://staging.example.com/token", "GET https://staging.example.com",
            ])
    }
}
