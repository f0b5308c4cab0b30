public import Errand

/// The requests that are limited together: all of them, those to one origin, or those with the same custom name.
///
/// ``RateLimit``, ``ConcurrencyLimit``, ``RetryAfterPause``, ``CircuitBreaker`` and ``Hedging`` keep separate state for
/// each name that a scope returns.
public struct LimitScope: Sendable {
    /// Returns the name of the group to which a request belongs.
    let name: @Sendable (TransportRequest) -> String

    /// All requests that pass through the interceptor: a limit for a whole service.
    public static let all = LimitScope { _ in "all" }

    /// Scheme, host and port (RFC 9110, section 4.3.1): a limit for each server.
    public static let origin = LimitScope { $0.urlRequest.origin?.description ?? "" }

    /// The origin, the method and the ``/Errand/TransportRequest/template``: a limit for each operation of each server.
    /// Requests without a template share the limit of their origin and method.
    public static let template = LimitScope { request in
        let method = request.urlRequest.httpMethod ?? "GET"
        return "\(origin.name(request)) \(method) \(request.template ?? "")"
    }

    /// Creates a scope in which requests with the same name share a limit, such as those of a tenant or an endpoint.
    ///
    /// A name may appear in errors and logs, so it must not contain a secret. The state of an idle name may be
    /// discarded.
    ///
    /// - Parameter name: A closure that is called for each request, on the thread that sends it. It must be fast.
    ///   Methods for a URL, such as ``CircuitBreaker/state(of:)``, call it with a request that has only the URL.
    public static func named(_ name: @escaping @Sendable (TransportRequest) -> String) -> LimitScope {
        LimitScope(name: name)
    }
}
