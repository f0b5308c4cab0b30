/// The service for the requests of a task and its child tasks, which a leaf or an endpoint was sent to.
///
/// Code of that request may start others without a service: in `flatMap`, in `catch`, or to refresh a token. Their
/// credentials must reach the server that they are for, and no other one:
///
/// 1. A request that names its server, with ``APIBase/url`` or as an ``Endpoint/url``, goes there.
/// 2. A request without a base URL goes to the service, and so does one with the base URL of the service or of the
///    scheduled request's class.
/// 3. A request with another base URL goes to its own server, without any setting of the service. So does one for the
///    server that the scheduled request names.
/// 4. If a leaf without a server is scheduled, nothing shows whether a base URL is that of its API. Then a request with
///    a base URL fails; see ``check(_:server:)``.
struct ServiceScope: Sendable {
    /// The scope of the current task.
    @TaskLocal static var current: ServiceScope?

    /// The destination of a request that is started in the scope.
    enum Destination: Equatable {
        /// The service, or the server that the request names; the settings of the service apply.
        case service
        /// The server of the request; no setting of the service applies.
        case own
        case unknown
    }

    /// The settings of the service.
    let settings: RequestSettings
    /// The base URLs that the service replaces: its own, and that of the scheduled request's class.
    private let bases: Servers
    /// The server that the scheduled request names.
    private let named: Servers
    /// The type of the scheduled leaf, if it has no server and its own code may start requests; otherwise `nil`.
    private var leafWithoutServer: APIBase.Type?
    /// Converts the errors of the stream that is started in this scope into the service's own; `nil` for other
    /// requests in this scope, such as those that the stream's readers send.
    var streamFailure: (@Sendable (any Error) -> any Error)?

    /// - Parameters:
    ///   - request: The request that is scheduled.
    ///   - server: The server that its endpoint names; `nil` without one.
    init(_ service: APIService<some Error>, for request: APIBase, server: URL? = nil) {
        settings = service.settings
        bases = Servers([settings.baseURL?.url, request.baseURL])
        named = Servers([server ?? request.url])
        // An object of the base class itself only sends endpoints.
        let isLeaf = type(of: request) != APIBase.self
        leafWithoutServer = isLeaf && request.url == nil && request.baseURL == nil ? type(of: request) : nil
    }

    /// Returns where a request goes.
    ///
    /// - Parameter server: The server that its endpoint names; `nil` without one.
    func destination(of request: APIBase, server: URL? = nil) -> Destination {
        if let server = server ?? request.url {
            return bases.contains(server) || named.contains(server) ? .service : .own
        }
        guard let base = request.baseURL else { return .service }
        if let own = settings.baseURL?.url, Servers([own]).contains(base) { return .service }
        if named.contains(base) { return .own }
        if bases.contains(base) { return .service }
        return leafWithoutServer == nil ? .own : .unknown
    }

    /// Fails for a request whose destination nothing shows.
    func check(_ request: APIBase, server: URL?) throws(ErrandError) {
        guard let leaf = leafWithoutServer, destination(of: request, server: server) == .unknown else { return }
        let reason = "\(leaf) starts it and has no `baseURL`: name its server by `start(with:)` or by `url`"
        throw ErrandError(.invalidSetting, reason: reason)
    }

    /// The scope for the requests of interceptors: the scheduled leaf has been sent, so its server is known.
    var ofInterceptors: ServiceScope {
        var scope = self
        scope.leafWithoutServer = nil
        return scope
    }

    /// Whether the scope differs for interceptors.
    var differsForInterceptors: Bool { leafWithoutServer != nil }

    /// Returns a pipeline whose runs have this scope.
    func applied<Output, Failure>(to pipeline: Pipeline<Output, Failure>) -> Pipeline<Output, Failure> {
        Pipeline { () async throws(Failure) in
            try await Self.$current.withValue(self) { await pipeline.result }.get()
        }
    }

    /// Starts a request in this scope.
    func start<Value>(_ body: () throws -> Value) rethrows -> Value {
        try Self.$current.withValue(self, operation: body)
    }
}

/// URLs and their origins. A URL without an origin, which is invalid, is compared as a whole.
private struct Servers: Sendable {
    private let urls: [URL]
    private let origins: [Origin]

    init(_ urls: [URL?]) {
        self.urls = urls.compactMap(\.self)
        origins = self.urls.compactMap { Origin($0.withHTTPScheme) }
    }

    func contains(_ url: URL) -> Bool {
        urls.contains(url) || Origin(url.withHTTPScheme).map(origins.contains) == true
    }
}

extension APIBase {
    /// Starts a request in the scope of a service, and returns its pipeline, which runs in that scope.
    func pipeline<Output, Failure>(
        for service: APIService<some Error>, server: URL? = nil, _ start: () -> Pipeline<Output, Failure>
    ) -> Pipeline<Output, Failure> {
        let scope = ServiceScope(service, for: self, server: server)
        return scope.applied(to: scope.start(start))
    }
}

extension RequestSettings {
    /// These settings, with hooks that run outside of the service in scope. The requests that a hook sends, such as to
    /// a log, are not requests of the API.
    var withHooksOutsideOfService: RequestSettings {
        var settings = self
        settings.hook = hook?.outsideOfService
        // Most lists have no hook, and are not copied.
        guard interceptors.elements.contains(where: { $0 is HookInterceptor }) else { return settings }
        settings.interceptors = interceptors.mapped { interceptor in
            guard let interceptor = interceptor as? HookInterceptor else { return interceptor }
            return HookInterceptor(hook: interceptor.hook.outsideOfService, reportsOutcome: interceptor.reportsOutcome)
        }
        return settings
    }
}

extension RequestHook {
    fileprivate var outsideOfService: RequestHook {
        RequestHook(
            clock: clock,
            willSend: { request in
                try await ServiceScope.$current.withValue(nil) { try await willSend(request) }
            },
            didEnd: { outcome in await ServiceScope.$current.withValue(nil) { await didEnd(outcome) } })
    }
}
