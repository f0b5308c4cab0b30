/// The service that the requests of one API class are sent to, in a task and its children.
///
/// It reaches requests that a leaf starts itself without naming a service: the second request of a `flatMap`, the
/// request of a token refresh. Requests of other APIs are not affected, whose credentials another service must not see: those of
/// another API class, and those that go to another server by themselves.
struct ServiceScope: Sendable {
    static var current: ServiceScope? { TaskContext.current[ServiceScope.self] }

    /// What the service says, or why it says nothing valid.
    let settings: Result<Settings, any Error>
    /// The API class of the request that was scheduled, and where it goes by itself.
    private let api: ObjectIdentifier
    private let origin: Origin?

    init(_ service: some APIService, for request: APIBase) {
        settings = Result { try service.settings() }
        api = request.apiClass
        origin = request.baseURL.flatMap(Origin.init)
    }

    /// Whether a request is of the same API: of the same API class, and for the same server without the service.
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
    /// The class right below `APIBase`, which all requests of one API have in common.
    fileprivate var apiClass: ObjectIdentifier {
        var api: AnyClass = type(of: self)
        while let parent = _getSuperclass(api), parent != APIBase.self { api = parent }
        return ObjectIdentifier(api)
    }
}
