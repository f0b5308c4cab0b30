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
/// Only leaves conform: Swift picks the witness of ``start()`` once, at the class that declares the conformance, so a
/// subclass's own `start()` would not be the one that is called.
public protocol Request<Output, Failure> {
    /// What the request gives.
    associatedtype Output
    /// What it fails with.
    associatedtype Failure: Error

    /// Builds the request and says what comes of it. Nothing is sent before the pipeline is run.
    func start() -> Pipeline<Output, Failure>
}

extension Request where Output: Sendable {
    /// Builds the request, to be sent once however many wait for its response.
    ///
    /// Unlike ``start()``, whose pipeline sends each time it is run.
    public func schedule() -> Response<Output, Failure> {
        Response(start())
    }
}

extension Request where Self: APIBase, Output: Sendable {
    /// Builds the request for another service than the class names: staging, say, or a tenant's own host.
    ///
    /// Base URL, session and interceptors are the service's where it has them; its header fields are sent too, and give
    /// way to the request's own. Every failure becomes the service's own error.
    public func schedule<Terms: Service>(with service: Terms) -> Response<Output, Terms.Failure> {
        let previous = self.service
        self.service = service
        defer { self.service = previous }
        return Response(start()) { service.mapError($0) }
    }
}
