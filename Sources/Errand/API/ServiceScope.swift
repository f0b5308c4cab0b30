/// The service for the requests of a task and its child tasks.
///
/// It applies to requests that a leaf starts itself without naming a service, such as the second request of a `flatMap`
/// or a token refresh, unless they name another server. The service's credentials must not reach another server, and
/// the credentials for another server must not reach the service.
struct ServiceScope: Sendable {
    /// The scope of the current task.
    @TaskLocal static var current: ServiceScope?

    /// The settings of the service.
    let settings: RequestSettings
    /// The URLs of the scheduled request without the service, and their origins.
    private let urls: [URL]
    private let origins: [Origin]
    /// Converts the errors of a stream into the service's own, for the stream that is started in this scope; `nil` for
    /// the requests that it sends.
    var streamFailure: (@Sendable (any Error) -> any Error)?

    /// - Parameters:
    ///   - request: The request that is scheduled.
    ///   - server: The server that its endpoint names; `nil` without one.
    init(_ service: APIService<some Error>, for request: APIBase, server: URL? = nil) {
        settings = service.settings
        urls = [server, request.url, request.baseURL].compactMap(\.self)
        origins = urls.compactMap { Origin($0.withHTTPScheme) }
    }

    /// Returns `true` if a request names no server, or a server of the scheduled request.
    func includes(_ request: APIBase) -> Bool {
        guard let url = request.state.endpoint?.value.server ?? request.url ?? request.baseURL else { return true }
        return urls.contains(url) || Origin(url.withHTTPScheme).map(origins.contains) == true
    }

    /// Runs a pipeline in this scope.
    func run<Output, Failure>(_ pipeline: Pipeline<Output, Failure>) -> Pipeline<Output, Failure> {
        Pipeline { () async throws(Failure) in
            try await Self.$current.withValue(self) { await pipeline.result }.get()
        }
    }

    /// Starts a request in this scope.
    func start<Value>(_ body: () throws -> Value) rethrows -> Value {
        try Self.$current.withValue(self, operation: body)
    }
}

extension APIBase {
    /// Returns the pipeline that a closure starts, for a service.
    func pipeline<Output, Failure>(
        for service: APIService<some Error>, server: URL? = nil, _ start: () -> Pipeline<Output, Failure>
    ) -> Pipeline<Output, Failure> {
        let scope = ServiceScope(service, for: self, server: server)
        return scope.run(scope.start(start))
    }
}
