import Errand
import ErrandTesting
import TestSupport
import Testing

struct `An observed exchange` {
    private let recorder = ExchangeRecorder()

    private let transport = ScriptedTransport(200)

    /// Sends a request to which the response is 200.
    @discardableResult private func send(
        _ path: RequestPath, _ change: (Retried) -> Void = { _ in }
    ) async throws -> ObservedExchange? {
        let request = Retried(.never)
        request.session = transport
        request.path = path
        request.observers = [recorder]
        change(request)
        _ = try await request.start().value
        return recorder.entries.last?.exchange
    }

    @Test func `has the attributes of the conventions`() async throws {
        let exchange = try #require(try await send("/\(7, as: "id")/posts") { $0.query = ["page": 2] })
        #expect(exchange.name == "GET /users/{id}/posts")
        #expect(exchange.operation == "Retried")
        #expect(
            exchange.attributes == [
                "http.request.method": .text("GET"), "server.address": .text("api.example.com"),
                "server.port": .integer(443), "url.template": .text("/users/{id}/posts"),
                "url.full": .text("https://api.example.com/users/{id}/posts?page=REDACTED"),
            ])
        #expect(
            exchange.metricAttributes == [
                "http.request.method": .text("GET"), "server.address": .text("api.example.com"),
                "server.port": .integer(443), "url.template": .text("/users/{id}/posts"),
                "url.scheme": .text("https"),
            ])
    }

    @Test(arguments: [
        ("get", "GET /users", "GET"), ("PURGE", "HTTP /users", "_OTHER"), ("QUERY", "QUERY /users", "QUERY"),
        ("DELETE", "DELETE /users", "DELETE"),
    ])
    func `has a method of the known ones`(_ method: String, _ name: String, _ attribute: String) async throws {
        let exchange = try #require(try await send("") { $0.method = RequestMethod(rawValue: method) })
        #expect(exchange.name == name)
        #expect(exchange.attributes["http.request.method"] == .text(attribute))
        #expect(exchange.metricAttributes["http.request.method"] == .text(attribute))
        let original = attribute == "_OTHER" ? ExchangeAttribute.text(method) : nil
        #expect(exchange.attributes["http.request.method_original"] == original)
    }

    @Test(arguments: [
        ("http://[::1]:8080/a", "::1", 8_080, "http://[::1]:8080/REDACTED"),
        ("http://API.example.com/a", "api.example.com", 80, "http://api.example.com/REDACTED"),
        ("https://api.example.com:443", "api.example.com", 443, "https://api.example.com/REDACTED"),
    ])
    func `has the address of its server`(_ url: String, _ host: String, _ port: Int, _ full: String) async throws {
        let exchange = try #require(try await send("") { $0.url = URL(string: url) })
        #expect(exchange.attributes["server.address"] == .text(host))
        #expect(exchange.attributes["server.port"] == .integer(port))
        #expect(exchange.attributes["url.full"] == .text(full))
        #expect(exchange.name == "GET")
    }

    private static let secret = "s3cr3t"

    @Test(
        arguments: [
            "/\(secret)/a", "/\(secret, as: "id")", "/a-\(secret)-\(secret, as: "b")", RequestPath("/a/\(secret)"),
            ["a", secret], RequestPath(segments: ["a", secret]), RequestPath(escaping: secret),
            "/a/\(RequestPath(escaping: secret))", RequestPath("/a").appending(segment: secret),
            RequestPath("/a").appending("\(secret)/b"), "/a/\(RequestPath("x/\(secret)"))",
        ] as [RequestPath])
    func `has no value of a path, a query, a field or a body`(_ path: RequestPath) async throws {
        let summary = ExchangeSummary()
        let sent = try await send(path) { request in
            request.query = ["token": Self.secret, "": Self.secret]
            request.headers = ["X-Key": .init(stringLiteral: Self.secret), "Authorization": "Bearer \(Self.secret)"]
            request.method = .post
            request.body = .data(Data(Self.secret.utf8), type: .plainText)
            request.observers.append(summary)
        }
        let exchange = try #require(sent)
        let outcome = try #require(recorder.entries.last?.outcomes.first)
        let attributes = [
            exchange.attributes, exchange.metricAttributes, outcome.attributes, outcome.metricAttributes,
        ]
        let texts = attributes.flatMap { $0.flatMap { [$0, $1.description] } }
        for text in texts + [exchange.name, summary.description, summary.prometheusText] {
            #expect(!text.lowercased().contains(Self.secret))
        }
    }

    @Test func `of a complete URL has no value of it`() async throws {
        for url in [
            "https://user:s3cr3t@api.example.com/s3cr3t?s3cr3t#s3cr3t", "https://api.example.com?a%3Ds3cr3t=1&b=s3cr3t",
            "https://api.example.com?s3cr3t==", "https://api.example.com?s3cr3t=", "https://api.example.com?s3cr3t;v=1",
            "https://api.example.com?a%26s3cr3t=1",
        ] {
            let exchange = try #require(try await send("") { $0.url = URL(string: url) })
            #expect(!exchange.attributes.values.contains { $0.description.contains("s3cr3t") })
        }
    }

    @Test func `of an interceptor, a hook, a cache or a refusal does not exist`() async throws {
        struct Answering: Interceptor {
            func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
                DataResponse(statusCode: 204, headers: [:])
            }
        }
        struct Refusing: Interceptor {
            func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
                throw ErrandError(.invalidSetting, reason: "refused")
            }
        }
        let changes: [(Retried) -> Void] = [
            { $0.interceptors = [Answering()] }, { $0.interceptors = [Refusing()] },
            { $0.hook = RequestHook(willSend: { _ in DataResponse(statusCode: 204, headers: [:]) }) },
            { $0.path = "/\("")" }, { $0.headers = ["X": "\r\n"] },
        ]
        for change in changes { _ = try? await send("", change) }
        #expect(recorder.lines.isEmpty)
        let cache = TimedCache(for: .seconds(60), clock: ManualClock())
        let stubs = RouteStubs()
        stubs.on(.get, "/users", .status(200))
        for _ in 1...2 {
            try await send("") { request in
                request.interceptors = [cache]
                request.session = stubs
            }
        }
        #expect(recorder.lines == ["GET /users 0 -> 200"])
    }

    @Test func `is seen by the observers of class, endpoint and service, in this order`() async throws {
        struct Naming: ExchangeObserver {
            let name: String
            let names: Recorder<String>
            func began(_ exchange: ObservedExchange) -> any ExchangeObservation {
                names.record("\(name) \(exchange.operation ?? "-")")
                return Silent()
            }
        }
        struct Silent: ExchangeObservation {}
        let names = Recorder<String>()
        let service = APIService(
            baseURL: "api.example.com", session: ScriptedTransport(200),
            observers: [Naming(name: "service", names: names)])
        let settings = RequestSettings(observers: [Naming(name: "endpoint", names: names)])
        _ = try await service.send(.get("/a", settings: settings)).value
        #expect(names.elements == ["endpoint -", "service -"])
        let leaf = Retried(.never)
        leaf.observers = [Naming(name: "class", names: names)]
        _ = try await service.send(leaf).value
        #expect(names.elements.suffix(2) == ["class Retried", "service Retried"])
    }
}
