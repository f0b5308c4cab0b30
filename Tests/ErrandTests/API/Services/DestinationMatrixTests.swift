import ErrandTesting
import TestSupport
import Testing

@testable import Errand

/// Who starts which request, and where it goes: to the service, to the server of the API's class, or to another server.
@Suite(.hangGuard) struct `The destination of a request that a request to a service starts` {
    static let service = APIService(baseURL: "https://staging.example.com", headers: ["X-Tenant": "acme"])

    class API: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://production.example.com")
        }
    }

    class OtherAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://other.example.com")
        }
    }

    final class Leaf: API, Request {
        func start() -> Pipeline<Void, any Error> { sendRequest().map { _ in } }
    }

    final class OtherLeaf: OtherAPI, Request {
        func start() -> Pipeline<Void, any Error> { sendRequest().map { _ in } }
    }

    final class LeafWithoutServer: APIBase, Request {
        func start() -> Pipeline<Void, any Error> { sendRequest().map { _ in } }
    }

    /// The request that is sent to the service.
    enum Scheduled: String, CaseIterable {
        case leaf, leafWithURL, otherLeafWithURL, leafWithoutServer, endpoint, endpointWithURL
    }

    /// The code that starts the other request.
    enum Place: String, CaseIterable {
        case flatMap, `catch`, refresh, awaitedFields, interceptor, hookBefore, hookAfter, hookInterceptor

        var isHook: Bool { [.hookBefore, .hookAfter, .hookInterceptor].contains(self) }
    }

    /// The other request, by how its server is known.
    enum Started: String, CaseIterable {
        case withoutServer, ofTheClass, ofAnotherPath, ofAnotherClass, ofTheService, withURL, endpoint, endpointWithURL
        case endpointOfTheClass, endpointOfAnotherClass, ofAnotherService

        func send() async throws {
            switch self {
            case .withoutServer: try await LeafWithoutServer().start().value
            case .ofTheClass: try await Leaf().start().value
            case .ofAnotherPath:
                let leaf = Leaf()
                leaf.baseURL = URL(string: "https://production.example.com/auth")
                try await leaf.start().value
            case .ofAnotherClass: try await OtherLeaf().start().value
            case .ofTheService:
                let leaf = Leaf()
                leaf.baseURL = URL(string: "https://staging.example.com/v2")
                try await leaf.start().value
            case .withURL:
                let leaf = Leaf()
                leaf.url = URL(string: "https://other.example.com/file")
                try await leaf.start().value
            case .endpoint: try await Endpoint<Void>.get().schedule().value
            case .endpointWithURL:
                try await Endpoint<Void>.get(url: URL(string: "https://other.example.com/file")).schedule().value
            case .endpointOfTheClass: try await API().send(Endpoint<Void>.get()).value
            case .endpointOfAnotherClass: try await OtherAPI().send(Endpoint<Void>.get()).value
            case .ofAnotherService:
                try await Leaf().schedule(with: APIService(baseURL: "https://third.example.com")).value
            }
        }

        /// The host to which the request goes; `nil` if it fails, because it has no server or its server is not known.
        func host(after scheduled: Scheduled, _ place: Place) -> String? {
            switch self {
            case .withURL, .endpointWithURL: return "other"
            case .ofAnotherService: return "third"
            case .withoutServer, .endpoint: return place.isHook ? nil : "staging"
            case .ofTheService: return "staging"
            case .ofTheClass, .ofAnotherPath, .endpointOfTheClass:
                if place.isHook { return "production" }
                switch scheduled {
                case .leaf, .leafWithURL: return "staging"
                case .otherLeafWithURL, .endpoint, .endpointWithURL: return "production"
                case .leafWithoutServer: return place.isInInterceptor ? "production" : nil
                }
            case .ofAnotherClass, .endpointOfAnotherClass:
                if place.isHook { return "other" }
                return scheduled == .leafWithoutServer && !place.isInInterceptor ? nil : "other"
            }
        }
    }

    @Test(arguments: Scheduled.allCases, Place.allCases)
    func `is that of the table`(_ scheduled: Scheduled, _ place: Place) async throws {
        for started in Started.allCases {
            // The operators of an endpoint are those of its pipeline, which runs in the caller's own scope.
            if !place.isInInterceptor, !place.isHook, [.endpoint, .endpointWithURL].contains(scheduled) { continue }
            let network = HostNetwork()
            let failure = Locked<(any Error)?>(nil)
            await network.asTestNetwork {
                await send(scheduled, place) {
                    do { try await started.send() } catch { failure.withLock { $0 = error } }
                }
            }
            let expected = started.host(after: scheduled, place)
            let own = scheduled.host
            var hosts = network.sent.elements.map(\.host)
            let index = try #require(hosts.firstIndex(of: own), "\(started): \(hosts)")
            hosts.remove(at: index)
            #expect(hosts == [expected].compactMap(\.self), "\(started)")
            #expect((failure.withLock(\.self) == nil) == (expected != nil), "\(started)")
            // Credentials follow the server.
            for sent in network.sent.elements {
                #expect(!sent.hasTenant || sent.host == "staging", "\(started)")
            }
        }
    }

    /// The kinds of requests that are sent in another way than a response.
    enum Kind: String, CaseIterable {
        case stream, download, pages
    }

    @Test(arguments: Kind.allCases)
    func `is the same for streams, downloads and pages`(_ kind: Kind) async throws {
        let network = HostNetwork()
        let authentication = TokenAuthentication { _ in
            try await OtherLeaf().start().value
            try await Leaf().start().value
            return AccessToken("a")
        }
        try await network.asTestNetwork {
            switch kind {
            case .stream:
                let leaf = Streamed()
                leaf.interceptors = [authentication]
                for try await _ in leaf.startStream(with: Self.service) {}
            case .download:
                let leaf = Downloaded()
                leaf.interceptors = [authentication]
                let file = try await leaf.schedule(with: Self.service).value
                try FileManager.default.removeItem(at: file.url)
            case .pages:
                let pages = Pages(.pageNumber(size: 1)) { _ in
                    let leaf = Listed()
                    leaf.interceptors = [authentication]
                    return leaf.schedule(with: Self.service)
                }
                for try await _ in pages {}
            }
        }
        #expect(network.sent.elements.map(\.host) == ["other", "staging", "staging"])
        #expect(network.sent.elements.map(\.hasTenant) == [false, true, true])
    }

    final class Streamed: API, StreamingRequest {
        func startStream() -> ResponseStream { sendStream() }
    }

    final class Downloaded: API, Request {
        func start() -> Pipeline<DownloadedFile, any Error> {
            sendDownload(to: FileManager.default.temporaryDirectory.appending(path: UUID().uuidString))
        }
    }

    final class Listed: API, Request {
        func start() -> Pipeline<[Int], any Error> { sendRequest().decode([Int].self) }
    }

    @Test func `that is not known fails with both ways to say it`() async throws {
        let network = HostNetwork()
        let leaf = Wrapper()
        await network.asTestNetwork {
            let error = await expectFailure(.invalidSetting) { try await leaf.schedule(with: Self.service).value }
            let text = error?.description ?? ""
            for part in ["Wrapper", "GET https://production.example.com", "`baseURL`", "start(with:)", "`url`"] {
                #expect(text.contains(part), "\(text)")
            }
        }
        #expect(network.sent.elements.isEmpty)
    }

    final class Wrapper: APIBase, Request {
        func start() -> Pipeline<Void, any Error> { Leaf().start() }
    }

    /// Sends a request to the service, and performs work at a place of its code.
    private func send(_ scheduled: Scheduled, _ place: Place, _ work: @escaping @Sendable () async -> Void) async {
        var settings = RequestSettings()
        switch place {
        case .flatMap, .catch: break
        case .refresh:
            settings.interceptors = [
                TokenAuthentication { _ in
                    await work()
                    return AccessToken("a")
                }
            ]
        case .awaitedFields:
            settings.asynchronousHeaders = {
                await work()
                return [:]
            }
        case .interceptor: settings.interceptors = [Working(work: work)]
        case .hookBefore:
            settings.hook = RequestHook(willSend: { _ in
                await work()
                return nil
            })
        case .hookAfter: settings.hook = RequestHook(didEnd: { _ in await work() })
        case .hookInterceptor: settings.interceptors = [RequestHook(didEnd: { _ in await work() }).asInterceptor()]
        }
        let url = URL(string: "https://other.example.com/first")
        let leaf: APIBase
        switch scheduled {
        case .endpoint, .endpointWithURL:
            let url = scheduled == .endpoint ? nil : url
            return await ignoring { try await Self.service.send(.get(url: url, settings: settings)).value }
        case .leaf: leaf = Working.Leaf(place, work)
        case .leafWithURL:
            leaf = Working.Leaf(place, work)
            leaf.url = url
        case .otherLeafWithURL:
            leaf = Working.OtherLeaf(place, work)
            leaf.url = url
        case .leafWithoutServer:
            leaf = Working.Leaf(place, work)
            leaf.baseURL = nil
        }
        leaf.interceptors = settings.interceptors.elements
        leaf.asynchronousHeaders = settings.asynchronousHeaders
        leaf.hook = settings.hook
        await ignoring { try await Working.schedule(leaf, with: Self.service) }
    }

    private func ignoring(_ work: () async throws -> Void) async {
        do { try await work() } catch { Issue.record("the scheduled request failed: \(error)") }
    }
}

extension `The destination of a request that a request to a service starts`.Place {
    /// Whether the request is started while the scheduled one is sent.
    var isInInterceptor: Bool { [.refresh, .awaitedFields, .interceptor].contains(self) }
}

extension `The destination of a request that a request to a service starts`.Scheduled {
    /// The host to which the scheduled request goes.
    var host: String {
        switch self {
        case .leaf, .leafWithoutServer, .endpoint: "staging"
        case .leafWithURL, .otherLeafWithURL, .endpointWithURL: "other"
        }
    }
}

/// An interceptor, and leaves, that perform work.
private struct Working: Interceptor {
    typealias Suite = `The destination of a request that a request to a service starts`

    let work: @Sendable () async -> Void

    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        await work()
        return try await next(request)
    }

    final class Leaf: Suite.API, Request {
        let place: Suite.Place
        let work: @Sendable () async -> Void

        init(_ place: Suite.Place, _ work: @escaping @Sendable () async -> Void) {
            self.place = place
            self.work = work
        }

        func start() -> Pipeline<Void, any Error> { Working.operating(place, work, on: sendRequest()) }
    }

    final class OtherLeaf: Suite.OtherAPI, Request {
        let place: Suite.Place
        let work: @Sendable () async -> Void

        init(_ place: Suite.Place, _ work: @escaping @Sendable () async -> Void) {
            self.place = place
            self.work = work
        }

        func start() -> Pipeline<Void, any Error> { Working.operating(place, work, on: sendRequest()) }
    }

    static func operating(
        _ place: Suite.Place, _ work: @escaping @Sendable () async -> Void, on run: Pipeline<DataResponse, any Error>
    ) -> Pipeline<Void, any Error> {
        let working = Pipeline<Void, any Error> { () async throws(any Error) in await work() }
        return switch place {
        case .flatMap: run.flatMap { _ in working }
        case .catch: run.flatMap { _ in Pipeline<Void, any Error>.fail(CancellationError()) }.catch { _ in working }
        default: run.map { _ in }
        }
    }

    static func schedule(_ leaf: APIBase, with service: APIService<any Error>) async throws {
        if let leaf = leaf as? Leaf { try await leaf.schedule(with: service).value }
        if let leaf = leaf as? OtherLeaf { try await leaf.schedule(with: service).value }
    }
}

/// A network that records the hosts of all requests.
private final class HostNetwork: TestNetwork {
    let sent = Recorder<(host: String, hasTenant: Bool)>()

    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        let host = request.urlRequest.url?.host()?.split(separator: ".").first.map(String.init) ?? ""
        sent.record((host, request.urlRequest.value(forHTTPHeaderField: "X-Tenant") != nil))
        return DataResponse(statusCode: 200, data: Data("[]".utf8), url: request.urlRequest.url)
    }

    func webSocketStub(for request: TransportRequest) throws -> (any Transport)? { nil }
}
