import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@testable import Errand

/// Which of the settings of an endpoint, a service and a class applies.
struct `The precedence of settings` {
    /// A layer of settings, each of which can be told apart by its number.
    private static func layer(_ number: Int) -> RequestSettings {
        RequestSettings(
            baseURL: BaseURL("host\(number).example"), headers: ["X-Tag": "\(number)", "X-\(number)": "set"],
            session: Numbered(number: number), interceptors: [Numbered(number: number)],
            retryPolicy: RetryPolicy(backoff: .immediate, maximumAttempts: number),
            hook: RequestHook(clock: clocks[number]), decoder: Numbered(number: number),
            encoder: Numbered(number: number), acceptedStatusCodes: [number],
            acceptedContentTypes: [ContentType(stringLiteral: "text/\(number)")], errorDocument: documents[number],
            timeoutInterval: TimeInterval(number), resourceTimeout: .seconds(number), maximumBodySize: number,
            redirectPolicy: number == 1 ? .follow : .ignore, priority: priorities[number],
            cachePolicy: policies[number])
    }

    private static let clocks = [ManualClock(), ManualClock(), ManualClock(), ManualClock()]
    private static let documents: [any (Decodable & Sendable).Type] = [Int.self, Int.self, String.self, Bool.self]
    private static let priorities = [RequestPriority.normal, .low, .normal, .high]
    private static let policies: [URLRequest.CachePolicy] = [
        .useProtocolCachePolicy, .reloadIgnoringLocalCacheData, .returnCacheDataElseLoad, .returnCacheDataDontLoad,
    ]

    private struct Numbered: Transport, Interceptor, DataDecoder, DataEncoder {
        let number: Int
        var contentType: String? { nil }
        func send(_ request: TransportRequest) async throws -> DataResponse { DataResponse(statusCode: 200) }
        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse { try await next(request) }
        func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
            throw CocoaError(.coderInvalidValue)
        }
        func encode<Value: Encodable>(_ value: Value) throws -> Data { Data() }
    }

    /// The numbers of the layers from which the settings of each row of the table were taken.
    private struct Taken: Equatable {
        var destination: Set<Int>
        var others: Set<Int>
        var interceptors: [Int]
    }

    private func taken(_ settings: RequestSettings) -> Taken {
        let host = settings.baseURL?.url?.host()?.dropFirst(4).prefix(1)
        let session = (settings.session as? Numbered)?.number
        let hook = Self.clocks.firstIndex { $0 === settings.hook?.clock as? ManualClock }
        let document = Self.documents.lastIndex { $0 == settings.errorDocument }
        return Taken(
            destination: Set(
                [
                    host.flatMap { Int($0) }, session, hook, settings.retryPolicy?.maximumAttempts,
                ].map { $0 ?? 0 }),
            others: Set(
                [
                    (settings.decoder as? Numbered)?.number, (settings.encoder as? Numbered)?.number,
                    settings.acceptedStatusCodes?.ranges.first?.lowerBound,
                    settings.acceptedContentTypes.flatMap { Int($0[0].subtype) }, document,
                    settings.timeoutInterval.map { Int($0) }, settings.resourceTimeout.map { Int($0 / .seconds(1)) },
                    settings.maximumBodySize, Self.priorities.lastIndex { $0 == settings.priority },
                    Self.policies.lastIndex { $0 == settings.cachePolicy },
                ].map { $0 ?? 0 }),
            interceptors: settings.interceptors.elements.map { ($0 as? Numbered)?.number ?? 0 })
    }

    /// Endpoint 3, service 2, class 1; 0 where there are no settings.
    @Test(
        arguments: [
            ([3, 2, 1], [3], [3], [1, 3, 2]), ([0, 2, 1], [2], [1], [1, 2]), ([3, 0, 1], [3], [3], [1, 3]),
            ([3, 2, 0], [3], [3], [3, 2]), ([0, 2, 0], [2], [2], [2]), ([0, 0, 1], [1], [1], [1]),
            ([0, 0, 0], [0], [0], []),
        ] as [([Int], Set<Int>, Set<Int>, [Int])])
    func `follows the table`(_ layers: [Int], _ destination: Set<Int>, _ others: Set<Int>, _ interceptors: [Int]) {
        let settings = layers.map { $0 == 0 ? RequestSettings() : Self.layer($0) }
        let resolved = RequestSettings.resolved(endpoint: settings[0], service: settings[1], class: settings[2])
        #expect(
            taken(resolved) == Taken(destination: destination, others: others, interceptors: interceptors))
    }

    @Test func `the header fields of all layers apply`() {
        let resolved = RequestSettings.resolved(
            endpoint: Self.layer(3), service: Self.layer(2), class: Self.layer(1))
        #expect(resolved.headers["X-Tag"] == "3")
        #expect((1...3).allSatisfy { resolved.headers["X-\($0)"] == "set" })
        let without = RequestSettings.resolved(
            endpoint: RequestSettings(), service: Self.layer(2), class: Self.layer(1))
        #expect(without.headers["X-Tag"] == "1")
    }

    @Test func `interceptors that replace drop those before them`() {
        func numbers(_ endpoint: InterceptorList, _ service: InterceptorList) -> [Int] {
            let all = RequestSettings.resolved(
                endpoint: RequestSettings(interceptors: endpoint), service: RequestSettings(interceptors: service),
                class: Self.layer(1))
            return taken(all).interceptors
        }
        let (three, two) = ([Numbered(number: 3)], [Numbered(number: 2)])
        #expect(numbers(.replacing(three), .adding(two)) == [3, 2])
        #expect(numbers(.adding(three), .replacing(two)) == [2])
        #expect(numbers(.adding(three), .replacing([])) == [])
    }

    @Test func `asynchronous header fields of all layers apply`() async throws {
        let transport = RecordingTransport()
        let service = APIService(
            baseURL: "a.example", headers: ["X-Service": "static", "X-Class-Awaited": "static"], session: transport,
            asynchronousHeaders: { ["X-Service": "awaited", "X-Endpoint": "service", "X-Own": "service"] })
        let settings = RequestSettings(asynchronousHeaders: { ["X-Endpoint": "endpoint", "X-Own": "endpoint"] })
        try await service.send(.get("/", headers: ["X-Own": "own"], settings: settings)).value
        let sent = try #require(transport.sent.elements.last?.urlRequest)
        #expect(sent.value(forHTTPHeaderField: "X-Service") == "awaited")
        #expect(sent.value(forHTTPHeaderField: "X-Endpoint") == "endpoint")
        #expect(sent.value(forHTTPHeaderField: "X-Own") == "own")
    }

    @Test func `the settings are resolved once for each start`() async throws {
        final class Counting: APIBase, Request {
            nonisolated(unsafe) static var reads = 0
            override var retryPolicy: RetryPolicy? {
                get {
                    Self.reads += 1
                    return nil
                }
                set {}
            }
            func start() -> Pipeline<Data, any Error> { sendRequest().map(\.data) }
        }
        let request = Counting()
        request.baseURL = URL(string: "https://a.example")
        request.session = RecordingTransport()
        for count in 1...2 {
            let pipeline = request.start()
            #expect(Counting.reads == count)
            _ = try await pipeline.value
            #expect(Counting.reads == count)
        }
    }

    @Test func `the settings of a service apply to streams`() async throws {
        final class Streaming: APIBase, StreamingRequest {
            func startStream() -> ResponseStream { sendStream() }
        }
        let transport = RecordingTransport(response: DataResponse(statusCode: 200))
        let service = APIService(baseURL: "api.example.com", session: transport, timeoutInterval: 5)
        for try await _ in Streaming().startStream(with: service) {}
        #expect(try #require(transport.sent.elements.last).urlRequest.timeoutInterval == 5)
    }
}

/// A request to another server than that of its service gets nothing that could be a secret.
struct `The secrets of a service` {
    private let transport = RecordingTransport()
    private let journal = Recorder<String>()

    private struct Noting: Interceptor {
        let journal: Recorder<String>
        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            journal.record(request.description)
            return try await next(request)
        }
    }

    private func service(_ baseURL: BaseURL?) -> APIService<any Error> {
        APIService(
            baseURL: baseURL, headers: ["X-Static": "secret"], session: transport,
            interceptors: [Noting(journal: journal)], timeoutInterval: 5,
            asynchronousHeaders: { ["Authorization": "secret"] })
    }

    private final class Leaf: APIBase, Request {
        func start() -> Pipeline<Void, any Error> { sendRequest().decode(Void.self) }
    }

    @Test(
        arguments: [
            ("https://a.example/v1", nil, true), ("https://a.example/v1", "https://a.example/other", true),
            ("https://a.example/v1", "HTTPS://A.example:443/other", true),
            ("https://a.example", "http://a.example", false), ("https://a.example", "https://a.example:8443", false),
            ("https://a.example", "https://b.example", false),
            ("https://a.example", "https://a.example.b.example", false),
            (nil, "https://b.example", true),
        ] as [(String?, String?, Bool)])
    func `go only to its origin`(_ base: String?, _ server: String?, _ isSent: Bool) async throws {
        let service = service(base.map { BaseURL($0) })
        let url = server.flatMap { URL(string: $0) }
        let own = RequestSettings(baseURL: url.map { BaseURL($0) })
        try await service.send(.get(url: url)).value
        try await service.send(.get(settings: own)).value
        for try await _ in Endpoint<Void>(.get, url: url).startStream(with: service) {}
        let leaf = Leaf()
        leaf.url = url
        try await leaf.schedule(with: service).value
        #expect(transport.sent.elements.count == 4)
        for request in transport.sent.elements {
            #expect(request.urlRequest.value(forHTTPHeaderField: "X-Static") == (isSent ? "secret" : nil))
            #expect(request.urlRequest.value(forHTTPHeaderField: "Authorization") == (isSent ? "secret" : nil))
            #expect(request.urlRequest.timeoutInterval == 5)
        }
        #expect(journal.elements.count == (isSent ? 4 : 0))
    }

    @Test(arguments: [false, true])
    func `of a class do not go to another server that an endpoint names`(_ hasURL: Bool) async throws {
        let api = Leaf()
        let own = URL(string: "https://a.example")
        (api.url, api.baseURL) = hasURL ? (own, nil) : (nil, own)
        api.session = transport
        api.headers = ["X-Static": "secret"]
        api.query = ["key": "secret"]
        api.interceptors = [Noting(journal: journal)]
        api.asynchronousHeaders = { ["Authorization": "secret"] }
        try await api.send(.get(url: URL(string: "https://b.example/x"), headers: ["X-Own": "own"])).value
        let sent = try #require(transport.sent.elements.last?.urlRequest)
        #expect(sent.value(forHTTPHeaderField: "X-Static") == nil)
        #expect(sent.value(forHTTPHeaderField: "Authorization") == nil)
        #expect(sent.value(forHTTPHeaderField: "X-Own") == "own")
        #expect(sent.url?.query(percentEncoded: true) == nil)
        #expect(journal.elements.isEmpty)
        // They do not keep the endpoint's own asynchronous field from being sent either.
        let awaited = RequestSettings(asynchronousHeaders: { ["X-Static": "awaited"] })
        try await api.send(.get(url: URL(string: "https://b.example/x"), settings: awaited)).value
        #expect(transport.sent.elements.last?.urlRequest.value(forHTTPHeaderField: "X-Static") == "awaited")
        try await api.send(.get("/x")).value
        #expect(transport.sent.elements.last?.urlRequest.value(forHTTPHeaderField: "Authorization") == "secret")
        #expect(transport.sent.elements.last?.urlRequest.url?.query(percentEncoded: true) == "key=secret")
    }

    @Test func `of a class do not keep asynchronous fields from another server that has a field of the same name`()
        async throws
    {
        final class Starting: APIBase, Request {
            let next: Pipeline<Void, any Error>

            init(_ next: @escaping @Sendable () -> ScheduledRequest<Void, any Error>) {
                self.next = Pipeline { () async throws(any Error) in try await next().value }
                super.init()
                baseURL = URL(string: "https://b.example")
            }

            func start() -> Pipeline<Void, any Error> { sendRequest().flatMap { [next] _ in next } }
        }
        let transport = transport
        let starting = Starting {
            let api = Leaf()
            api.baseURL = URL(string: "https://a.example")
            api.headers = ["X-Static": "secret"]
            return api.send(.get(url: URL(string: "https://b.example/x")))
        }
        let service = APIService(
            baseURL: "b.example", headers: ["X-Static": "service"], session: transport,
            asynchronousHeaders: { ["X-Static": "awaited"] })
        try await starting.schedule(with: service).value
        let sent = transport.sent.elements.map { $0.urlRequest.value(forHTTPHeaderField: "X-Static") }
        #expect(sent == ["awaited", "awaited"])
    }
}
