extension CircuitBreaker {
    /// How a circuit stands.
    public enum CircuitState: String, Hashable, Sendable {
        /// Requests pass.
        case closed
        /// Requests fail at once.
        case open
        /// A trial is under way, or awaited.
        case halfOpen
    }

    /// A change of a circuit.
    public struct Transition: Hashable, Sendable, CustomStringConvertible {
        /// The account whose circuit it is: an origin, unless the breaker has another ``LimitScope``.
        public let account: String
        /// How it stood.
        public let from: CircuitState
        /// How it stands.
        public let to: CircuitState

        /// `https://api.example.com: closed -> open`.
        public var description: String { "\(account): \(from.rawValue) -> \(to.rawValue)" }
    }

    /// Why a request failed with ``ErrandError/Code-swift.struct/circuitOpen``; its ``ErrandError/underlyingError``.
    public struct OpenCircuit: Error, Hashable, CustomStringConvertible {
        /// How long the circuit stays open; nil while trials are under way, whose end decides.
        public let retryAfter: Duration?

        /// When a request will be let through.
        public var description: String {
            retryAfter.map { "tries again in \($0.secondsText)" } ?? "a trial request is under way"
        }
    }
}
