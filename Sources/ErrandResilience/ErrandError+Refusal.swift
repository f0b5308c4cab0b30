public import Errand

extension ErrandError.Code {
    /// A ``RateLimit`` or a ``RetryAfterPause`` has too many requests waiting, or this one would wait too long for its
    /// turn. Nothing was sent.
    public static let rateLimited = ErrandError.Code(rawValue: "rateLimited")
    /// A ``ConcurrencyLimit`` has too many requests waiting, or this one timed out before its turn. Nothing was sent.
    public static let concurrencyLimited = ErrandError.Code(rawValue: "concurrencyLimited")
    /// A ``CircuitBreaker`` is open; the error's `underlyingError` is a ``CircuitBreaker/OpenCircuit``, which says when
    /// it lets a request through again. Nothing was sent.
    public static let circuitOpen = ErrandError.Code(rawValue: "circuitOpen")
}

extension ErrandError {
    /// Creates the error of a request that a limit refused before it was sent.
    static func refused(_ code: Code, reason: String, underlyingError: (any Error)? = nil) -> ErrandError {
        var error = ErrandError(code, reason: reason, underlyingError: underlyingError)
        error.isRefusedByLimit = true
        return error
    }
}
