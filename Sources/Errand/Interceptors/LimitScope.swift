/// Which requests are limited together: all of them, those to one origin, or those of a name of your own.
///
/// ``RateLimit``, ``ConcurrencyLimit`` and ``CircuitBreaker`` keep one account for each name that a scope gives.
public struct LimitScope: Sendable {
    /// The name of the account that a request belongs to.
    let name: @Sendable (TransportRequest) -> String

    /// Every request that passes the interceptor: the limit of a whole service.
    public static let all = LimitScope { _ in "all" }

    /// Scheme, host and port (RFC 9110, section 4.3.1): a limit for each server.
    public static let origin = LimitScope { $0.urlRequest.origin?.description ?? "" }

    /// Requests of the same name share a limit: a tenant's, an endpoint's.
    ///
    /// A name may be shown in errors and logs, so it must hold no secret. An account that is idle is forgotten.
    ///
    /// - Parameter name: Called for each request, on the thread that sends it; must be quick.
    public static func named(_ name: @escaping @Sendable (TransportRequest) -> String) -> LimitScope {
        LimitScope(name: name)
    }
}
