/// A request that can be started: the leaf of a hierarchy of API classes.
///
/// ```swift
/// final class UsersRequest: PlaceholderAPI, Request {
///     func start() -> Pipeline<[User], any Error> {
///         sendRequest().decode([User].self)
///     }
/// }
/// ```
///
/// Only leaves conform: Swift picks the implementation of ``start()`` at the class that declares the conformance, so that of
/// a subclass would not be called.
public protocol Request<Output, Failure> {
    /// What the request returns.
    associatedtype Output
    /// What it fails with.
    associatedtype Failure: Error

    /// Builds the request and says what it returns. Nothing is sent before the pipeline is run.
    func start() -> Pipeline<Output, Failure>
}

extension Request where Output: Sendable {
    /// Builds the request, to be sent once for all tasks that wait for its response.
    ///
    /// Unlike ``start()``, whose pipeline sends each time it is run.
    public func schedule() -> ScheduledRequest<Output, Failure> {
        ScheduledRequest(start())
    }
}

extension Request where Self: APIBase, Output: Sendable {
    /// Builds the request for a service, such as staging, to be sent once for all tasks that wait for its response.
    ///
    /// ``APIService`` says which settings of class and service count. Every failure becomes the service's own error.
    public func schedule<Destination: APIService>(
        with service: Destination
    ) -> ScheduledRequest<Output, Destination.Failure> {
        // Mapped after sharing: a waiter that is cancelled fails at once, whatever the service's error can express.
        ScheduledRequest(pipeline(for: service)) { service.failure($0) }
    }

    /// Builds the request for a service, as a pipeline that sends each time it is run.
    ///
    /// Use it where an operator has to send again, such as `retry(_:)`; ``schedule(with:)`` sends once.
    public func start<Destination: APIService>(with service: Destination) -> Pipeline<Output, Destination.Failure> {
        pipeline(for: service).mapError { service.failure($0) }
    }

    private func pipeline(for service: some APIService) -> Pipeline<Output, Failure> {
        let scope = ServiceScope(service, for: self)
        return scope.run(scope.start { start() })
    }
}
