public import Errand

extension ErrandError.Code {
    /// A ``RateLimit`` or a ``RetryAfterPause`` has too many requests waiting, or this one would wait or has waited too
    /// long for its turn. Nothing was sent.
    public static let rateLimited = ErrandError.Code(rawValue: "rateLimited")
    /// A ``ConcurrencyLimit`` has too many requests waiting, or this one timed out before its turn. Nothing was sent.
    public static let concurrencyLimited = ErrandError.Code(rawValue: "concurrencyLimited")
    /// A ``CircuitBreaker`` lets no request pass; the error's `underlyingError` is a ``CircuitBreaker/OpenCircuit``,
    /// which says when the next trial may begin, if that is known. Nothing was sent.
    public static let circuitOpen = ErrandError.Code(rawValue: "circuitOpen")
}

extension ErrandError {
    /// Creates the error of a request that a limit or a circuit breaker refused before it was sent. Its mark lets a
    /// cache use a stale response, and ``Failover`` send a body that can be read only once to the next server.
    static func refused(_ code: Code, reason: String, underlyingError: (any Error)? = nil) -> ErrandError {
        var error = ErrandError(code, reason: reason, underlyingError: underlyingError)
        error.isRefusedByLimit = true
        return error
    }
}
