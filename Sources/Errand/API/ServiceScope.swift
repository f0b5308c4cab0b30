/// The service for the requests of one API, in a task and its child tasks.
///
/// It applies to requests that a leaf starts itself without naming a service, such as the second request of a `flatMap`
/// or a token refresh. The origin decides: a request goes to this service if its own URL has the origin of the
/// scheduled request or of the service, or if it has no URL. The credentials of requests to other origins must not
/// reach this service.
struct ServiceScope: Sendable {
    static var current: ServiceScope? { TaskContext.current[ServiceScope.self] }

    /// The settings of the service, or the error that makes them invalid.
    let settings: Result<Settings, any Error>
    /// The origins of the scheduled request, without and with the service; `nil` for a URL without a valid one.
    private let origins: [Origin?]

    init(_ service: some APIService, for request: APIBase) {
        settings = Result { try service.settings() }
        let urls = [request.baseURL, request.url, (try? settings.get())?.baseURL]
        origins = urls.compactMap(\.self).map { Origin($0.withHTTPScheme) }
    }

    /// Returns `true` if a request has one of these origins without the service, or has no URL.
    func includes(_ request: APIBase) -> Bool {
        guard let url = request.baseURL ?? request.url else { return true }
        return origins.contains(Origin(url.withHTTPScheme))
    }

    /// Runs a pipeline in this scope.
    func run<Output, Failure>(_ pipeline: Pipeline<Output, Failure>) -> Pipeline<Output, Failure> {
        Pipeline { () async throws(Failure) in
            try await TaskContext.$current.withValue(TaskContext.current.inheriting(self)) { await pipeline.result }
                .get()
        }
    }

    /// Starts a request in this scope.
    func start<Value>(_ body: () throws -> Value) rethrows -> Value {
        try TaskContext.$current.withValue(TaskContext.current.inheriting(self), operation: body)
    }
}

extension APIBase {
    /// Returns the pipeline that a closure starts, for a service.
    func pipeline<Output, Failure>(
        for service: some APIService, _ start: () -> Pipeline<Output, Failure>
    ) -> Pipeline<Output, Failure> {
        let scope = ServiceScope(service, for: self)
        return scope.run(scope.start(start))
    }
}
