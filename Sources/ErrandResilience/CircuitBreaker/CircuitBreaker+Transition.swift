import Errand

extension CircuitBreaker {
    /// The state of a circuit.
    public enum CircuitState: String, Hashable, Sendable {
        /// Requests pass.
        case closed
        /// Requests fail immediately.
        case open
        /// A trial request is running, or the next request is one.
        case halfOpen
    }

    /// A change of a circuit's state.
    public struct Transition: Hashable, Sendable, CustomStringConvertible {
        /// The name of the circuit: an origin, unless the breaker has another ``LimitScope``.
        public let account: String
        /// The previous state.
        public let from: CircuitState
        /// The new state.
        public let to: CircuitState

        /// The name and both states, such as `https://api.example.com: closed -> open`.
        public var description: String { "\(account): \(from.rawValue) -> \(to.rawValue)" }
    }

    /// The ``/Errand/ErrandError/underlyingError`` of an error with the code `circuitOpen`.
    public struct OpenCircuit: Error, Hashable, CustomStringConvertible {
        /// The time until the circuit allows a trial; `nil` while trials are running, whose results decide.
        public let retryAfter: Duration?

        /// The time until the next trial, or that a trial is running.
        public var description: String {
            retryAfter.map { "tries again in \($0.secondsText)" } ?? "a trial request is under way"
        }
    }
}
