/// The service for the requests of one API class, in a task and its child tasks.
///
/// It applies to requests that a leaf starts itself without naming a service, such as the second request of a `flatMap`
/// or a token refresh. Requests of other APIs are not affected, because their credentials must not reach this service.
/// These are requests of another API class, and requests whose own base URL has another origin.
struct ServiceScope: Sendable {
    static var current: ServiceScope? { TaskContext.current[ServiceScope.self] }

    /// The settings of the service, or the error that makes them invalid.
    let settings: Result<Settings, any Error>
    /// The API class of the scheduled request, and the origin of that class's base URL.
    private let api: ObjectIdentifier
    private let origin: Origin?

    init(_ service: some APIService, for request: APIBase) {
        settings = Result { try service.settings() }
        api = request.apiClass
        origin = request.baseURL.flatMap(Origin.init)
    }

    /// Returns `true` if a request belongs to the same API: the same API class, and the same origin without the
    /// service.
    func includes(_ request: APIBase) -> Bool {
        api == request.apiClass && origin == request.baseURL.flatMap(Origin.init)
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

    /// The direct subclass of `APIBase` from which all requests of the API derive.
    fileprivate var apiClass: ObjectIdentifier {
        var api: AnyClass = type(of: self)
        while let parent = _getSuperclass(api), parent != APIBase.self { api = parent }
        return ObjectIdentifier(api)
    }
}
