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
/// Only classes derived from ``APIBase`` can conform, and of these only leaves should. Swift chooses the output and
/// ``start()`` at the class that declares the conformance, so a subclass cannot have another output.
public protocol Request<Output, Failure>: APIBase {
    /// The type of the result.
    associatedtype Output
    /// The type of the error.
    associatedtype Failure: Error

    /// Builds the request and returns its pipeline. Nothing is sent before the pipeline runs.
    func start() -> Pipeline<Output, Failure>
}

extension Request {
    /// Not a default: a leaf without a `start()` of the right type gets this message.
    @available(
        *, unavailable,
        message: "write `func start() -> Pipeline<Value, any Error> { sendRequest().decode(Value.self) }`"
    )
    public func start() -> Pipeline<Never, any Error> {
        // No program can call this, because it does not compile.
        fatalError("unavailable")
    }

    /// Builds the request for a service, and returns a pipeline that sends it each time it runs.
    ///
    /// Use it for operators that send the request again, such as `retry(_:)`; ``schedule(with:)`` sends it once.
    public func start<ServiceFailure>(
        with service: APIService<ServiceFailure>
    ) -> Pipeline<Output, ServiceFailure> {
        pipeline(for: service) { start() }.mapError { service.failure($0) }
    }
}

extension APIBase {
    /// Sends the request with a service, and returns its response as ``sendRequest()`` does.
    ///
    /// Use it for what a request with a type does not return, such as the header fields of its response.
    public final func sendRequest<Failure>(with service: APIService<Failure>) -> Pipeline<DataResponse, Failure> {
        pipeline(for: service) { sendRequest() }.mapError { service.failure($0) }
    }
}

extension Request where Output: Sendable {
    /// Builds the request so that it is sent once for all tasks that wait for its response.
    ///
    /// In contrast, the pipeline of ``start()`` sends the request each time it runs.
    public func schedule() -> ScheduledRequest<Output, Failure> {
        // The hook receives the outcome of the whole pipeline, including that of its operators.
        scheduled({ start() }, mapError: { $0 })
    }

    /// Builds the request for a service, such as staging, so that it is sent once for all tasks that wait for its
    /// response.
    ///
    /// ``RequestSettings`` documents how the settings of class and service combine. The service converts each failure
    /// into its own error.
    public func schedule<ServiceFailure>(
        with service: APIService<ServiceFailure>
    ) -> ScheduledRequest<Output, ServiceFailure> {
        // `ScheduledRequest` shares the run, and converts the errors after that: in a shared run, a cancelled task
        // fails immediately only if the type of the error can express cancellation. The service's own may not.
        scheduled({ pipeline(for: service) { start() } }, mapError: { service.failure($0) })
    }
}
