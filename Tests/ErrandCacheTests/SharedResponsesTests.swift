import ErrandResilience
import TestSupport
import Testing

@testable import Errand

/// Two users send the same request through one interceptor that shares responses. Neither gets the other's response,
/// whatever adds the credentials, in whatever list and order.
@Suite(.hangGuard) struct `A response is not shared with another user` {
    /// The interceptor that shares responses.
    enum Sharing: String, CaseIterable {
        case httpCache, timedCache, coalescing, wrappedCache

        func make() -> any Interceptor {
            switch self {
            case .httpCache: HTTPCache()
            case .timedCache: TimedCache(for: .seconds(60))
            case .coalescing: Coalescing()
            case .wrappedCache: Wrapper(wrapped: TimedCache(for: .seconds(60)))
            }
        }
    }

    /// What adds the credentials of a user.
    enum Adding: String, CaseIterable {
        case headers, awaitedFields, bearer, basic, keyInField, keyInQuery, digest, token, jar, custom, signature
        case customAfterLimit

        /// Returns the settings with the credentials.
        func settings(of user: String) throws -> RequestSettings {
            switch self {
            case .headers: return RequestSettings(headers: ["X-Key": user])
            case .awaitedFields: return RequestSettings(asynchronousHeaders: { ["X-Key": user] })
            case .bearer: return RequestSettings(interceptors: [BearerAuthentication(token: user)])
            case .basic: return RequestSettings(interceptors: [BasicAuthentication(user: user, password: "p")])
            case .keyInField: return RequestSettings(interceptors: [APIKeyAuthentication(user, in: .header("X-Key"))])
            case .keyInQuery: return RequestSettings(interceptors: [APIKeyAuthentication(user, in: .query("key"))])
            case .digest: return RequestSettings(interceptors: [DigestAuthentication(user: user, password: "p")])
            case .token: return RequestSettings(interceptors: [TokenAuthentication { _ in AccessToken(user) }])
            case .jar:
                let jar = CookieJar()
                try jar.setCookie("user=\(user)", for: #require(URL(string: "https://api.example.com/me")))
                return RequestSettings(interceptors: [jar])
            case .custom: return RequestSettings(interceptors: [Custom(user: user)])
            case .signature: return RequestSettings(interceptors: [Signature(user: user)])
            case .customAfterLimit:
                return RequestSettings(interceptors: [ConcurrencyLimit(8), Custom(user: user)])
            }
        }
    }

    /// The list of an interceptor.
    enum List: String, CaseIterable {
        case classList, endpointList, serviceList
    }

    /// One combination of lists.
    struct Case: CustomTestStringConvertible, Sendable {
        var sharing: Sharing
        var sharingList: List
        var addingList: List
        /// The order of the two in one list.
        var isSharingFirst: Bool

        static let all = Sharing.allCases.flatMap { sharing in
            List.allCases.flatMap { sharingList in
                List.allCases.flatMap { addingList in
                    [true, false].filter { $0 || sharingList == addingList }.map {
                        Case(sharing: sharing, sharingList: sharingList, addingList: addingList, isSharingFirst: $0)
                    }
                }
            }
        }

        var testDescription: String {
            let order = sharingList != addingList ? "" : isSharingFirst ? ", shared first" : ", shared last"
            return "\(sharing) in \(sharingList), credentials in \(addingList)\(order)"
        }

        /// Returns a request of a user through the interceptor.
        func request(of user: String, _ adding: Adding, _ sharing: any Interceptor, over server: any Transport)
            throws -> Pipeline<String, any Error>
        {
            var settings: [List: RequestSettings] = [addingList: try adding.settings(of: user)]
            let others = settings[sharingList]?.interceptors.elements ?? []
            settings[sharingList, default: RequestSettings()].interceptors =
                .adding(isSharingFirst ? [sharing] + others : others + [sharing])
            let api = APIBase()
            let own = settings[.classList] ?? RequestSettings()
            api.headers = own.headers
            api.asynchronousHeaders = own.asynchronousHeaders
            api.interceptors = own.interceptors.elements
            api.baseURL = URL(string: "https://api.example.com")
            var service = settings[.serviceList] ?? RequestSettings()
            service.session = server
            let endpoint = Endpoint.get("/me", settings: settings[.endpointList] ?? RequestSettings(), as: String.self)
            return api.pipeline(for: APIService(service)) { api.start(endpoint) }
        }
    }

    @Test(arguments: Case.all, Adding.allCases)
    func `that asks later`(_ sharing: Case, _ adding: Adding) async throws {
        let server = EchoingServer()
        let shared = sharing.sharing.make()
        for _ in 0..<2 {
            for user in ["alice", "bob"] {
                let response = try await sharing.request(of: user, adding, shared, over: server).value
                #expect(response == user)
            }
        }
    }

    @Test(arguments: Case.all.filter { $0.sharing == .coalescing }, Adding.allCases)
    func `that asks at the same time`(_ sharing: Case, _ adding: Adding) async throws {
        let gate = Gate()
        let server = EchoingServer(gate: gate)
        let coalescing = Coalescing()
        let alice = try sharing.request(of: "alice", adding, coalescing, over: server)
        let bob = try sharing.request(of: "bob", adding, coalescing, over: server)
        async let first = alice.value
        try await gate.waitForArrivals(1)
        async let second = bob.value
        try await waitUntil { gate.arrivals == 2 || coalescing.waitingCount == 2 }
        gate.open()
        let responses = try await [first, second]
        #expect(responses == ["alice", "bob"])
    }

    @Test(arguments: [Sharing.httpCache, .timedCache])
    func `but with the same user, also if a signature comes after the cache`(_ sharing: Sharing) async throws {
        let server = EchoingServer()
        let shared = sharing.make()
        let sharing = Case(sharing: sharing, sharingList: .classList, addingList: .serviceList, isSharingFirst: true)
        for adding in [Adding.bearer, .signature, .custom, .jar] {
            let before = server.count
            for _ in 0..<2 { _ = try await sharing.request(of: "\(adding)", adding, shared, over: server).value }
            // A jar is a new one for each request here.
            #expect(server.count - before == (adding == .jar && sharing.sharing == .timedCache ? 2 : 1), "\(adding)")
        }
    }

    @Test func `and a limit or a log after the cache sees only what is sent`() async throws {
        let (server, log) = (EchoingServer(), Recorder<String>())
        let hook = RequestHook(willSend: { request in
            log.record(request.description)
            return nil
        })
        let service = APIService(
            baseURL: "https://api.example.com", session: server,
            interceptors: [TimedCache(for: .seconds(60)), hook.asInterceptor(), BearerAuthentication(token: "alice")])
        for _ in 0..<3 { _ = try await service.send(.get("/me", as: String.self)).value }
        #expect(log.elements.count == 1)
        #expect(server.count == 1)
    }
}

/// An interceptor of a user that adds a field, and does not state its placement.
private struct Custom: Interceptor {
    let user: String

    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        var request = request
        request.urlRequest.setValue(user, forHTTPHeaderField: "X-Key")
        return try await next(request)
    }
}

/// An interceptor that signs each request differently, and so must come after a cache.
private struct Signature: Interceptor {
    let user: String
    private let number = Counter()

    init(user: String) {
        self.user = user
    }

    var placement: InterceptorPlacement { .signing(user: user) }

    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        var request = request
        number.increase()
        request.urlRequest.setValue("\(user) \(number.count)", forHTTPHeaderField: "Signature")
        return try await next(request)
    }
}

/// An interceptor of a user that calls another one, and does not state its placement.
private struct Wrapper: Interceptor {
    let wrapped: any Interceptor

    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        try await wrapped.intercept(request, next: next)
    }
}

/// A server that responds with the user whose credentials it receives, for other requests to store.
private final class EchoingServer: Transport {
    private let gate: Gate?
    private let sent = Recorder<Void>()

    init(gate: Gate? = nil) {
        self.gate = gate
    }

    var count: Int { sent.elements.count }

    func send(_ request: TransportRequest) async throws -> DataResponse {
        sent.record(())
        try await gate?.pass()
        var user = request.digestCredential?.user ?? request.urlRequest.url?.query()?.dropFirst(4).description
        for (name, value) in request.urlRequest.allHTTPHeaderFields ?? [:] {
            switch name {
            case "X-Key": user = value
            case "Signature": user = value.split(separator: " ").first.map(String.init)
            case "Cookie": user = String(value.dropFirst(5))
            case "Authorization" where value.hasPrefix("Bearer "): user = String(value.dropFirst(7))
            case "Authorization":
                let pair = Data(base64Encoded: String(value.dropFirst(6))) ?? Data()
                user = String(String(decoding: pair, as: UTF8.self).dropLast(2))
            default: break
            }
        }
        return DataResponse(
            statusCode: 200, headers: ["Cache-Control": "max-age=60"], data: Data((user ?? "nobody").utf8),
            url: request.urlRequest.url)
    }
}
