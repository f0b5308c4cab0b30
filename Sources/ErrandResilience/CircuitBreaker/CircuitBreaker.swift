public import Errand

/// An interceptor that stops sending requests to a failing server, and tries again after a while.
///
/// ```swift
/// class LibraryAPI: APIBase {
///     static let circuitBreaker = CircuitBreaker(tripping: .consecutiveFailures(5), openDuration: .seconds(30))
///     override init() {
///         super.init()
///         interceptors = [Self.circuitBreaker]
///     }
/// }
/// ```
///
/// A circuit is closed at first, and requests pass. After too many failures, it opens: requests fail immediately with
/// `circuitOpen`, and nothing is sent. After ``openDuration``, the next request makes it half open. It passes as a
/// trial, like further requests up to the configured number, and the others still fail immediately. If all trials
/// succeed, the circuit closes; the first trial that fails opens it again. A trial that takes longer than the trial
/// timeout, a minute by default, no longer blocks others.
///
/// ``verdict(on:)`` decides whether an outcome is a failure, unless a closure replaces it. A cancelled request counts
/// as neither success nor failure; a cancelled trial makes room for another. A stream is judged by the head of its
/// response. An outcome that arrives after the circuit has changed is ignored.
///
/// A request for a new token passes in every state, because the trial request may wait for it.
///
/// All requests that list the same object share it, with a circuit for each name of the scope; by default, for each
/// origin. If there are many circuits, the breaker discards those that do not differ from a new one, and unused ones. A
/// circuit is unused if its last request and the end of its open time are at least ``openDuration`` ago, and at least
/// one second. A circuit with outcomes in its window or with a running trial is kept. A discarded circuit is closed
/// when it is needed again. After a retry interceptor, the breaker counts each attempt.
public final class CircuitBreaker: Interceptor {
    /// The meaning of an outcome for the server.
    public enum Verdict: Hashable, Sendable {
        /// The server works.
        case success
        /// The server fails.
        case failure
        /// The outcome says nothing about the server.
        case neither
    }

    /// The time for which a circuit stays open.
    public let openDuration: Duration
    /// Guards the circuits, and the transitions that are not reported yet.
    private let state: Locked<CircuitBreakerState>
    private let scope: LimitScope
    private let timeline: Timeline
    private let judge: @Sendable (Result<DataResponse, any Error>) -> Verdict
    private let onTransition: @Sendable ((circuit: String, from: CircuitState, to: CircuitState)) -> Void

    /// Creates a breaker whose circuits are all closed.
    ///
    /// - Parameters:
    ///   - tripping: The rule by which failures open a circuit.
    ///   - openDuration: The time for which a circuit stays open; a negative value counts as zero.
    ///   - trialRequests: The number of trials that must succeed before the circuit closes, and the maximum number of
    ///     concurrent trials; less than 1 counts as 1.
    ///   - trialTimeout: The time for which running trials block others; a minute by default, and a negative value
    ///     counts as zero. After that, the next request is the first of new trials, and no earlier trial counts.
    ///   - scope: The requests that share a circuit.
    ///   - clock: The clock for these times.
    ///   - judge: A closure that returns the meaning of an outcome for the server.
    ///   - onTransition: A closure that is called for each change of a circuit, one at a time and in order, on the
    ///     thread of a request that caused this or an overlapping change. It must be fast. It receives the name of the
    ///     circuit, which is an origin unless the breaker has another ``LimitScope``, the previous state and the new
    ///     state.
    public init(
        tripping: Tripping = .consecutiveFailures(5), openDuration: Duration = .seconds(30), trialRequests: Int = 1,
        trialTimeout: Duration = .seconds(60), scope: LimitScope = .origin,
        clock: any Clock<Duration> = ContinuousClock(),
        judge: @escaping @Sendable (Result<DataResponse, any Error>) -> Verdict = CircuitBreaker.verdict(on:),
        onTransition: @escaping @Sendable ((circuit: String, from: CircuitState, to: CircuitState)) -> Void = { _ in }
    ) {
        self.openDuration = max(openDuration.bounded, .zero)
        state = Locked(
            CircuitBreakerState(
                tripping: tripping, openDuration: max(openDuration.bounded, .zero), trials: max(trialRequests, 1),
                trialTimeout: max(trialTimeout.bounded, .zero)))
        self.scope = scope
        timeline = Timeline(clock)
        self.judge = judge
        self.onTransition = onTransition
    }

    /// As listed: it adds no credentials.
    public var placement: InterceptorPlacement { .asListed }

    /// Sends the request if the circuit lets it pass.
    ///
    /// - Throws: ``/Errand/ErrandError`` with `circuitOpen` and an ``OpenCircuit`` if nothing was sent, or the error of
    ///   `next`.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        // A trial request may wait for the token that this request gets.
        if ProviderCall.isActive { return try await next(request) }
        let pass = try pass(for: request, account: scope.name(request))
        do {
            let response = try await next(request)
            leave(pass, judge(.success(response)))
            return response
        } catch {
            leave(pass, judge(.failure(error)))
            throw error
        }
    }

    /// Returns the state of the circuit for requests to a URL. After ``openDuration``, it stays open until the next
    /// request.
    public func state(of url: URL) -> CircuitState {
        let account = scope.name(TransportRequest(URLRequest(url: url)))
        return state.withLock { $0.state(of: account) }
    }

    /// Returns the permission to send the request, or throws if its circuit refuses it.
    ///
    /// - Parameter account: The name of the circuit.
    private func pass(for request: TransportRequest, account: String) throws -> CircuitBreakerState.Pass {
        let now = timeline.now
        let entry = state.withLock { $0.enter(account, now: now) }
        reportTransitions()
        switch entry {
        case .pass(let pass): return pass
        case .refuse(let retryAfter):
            let circuit = OpenCircuit(retryAfter: retryAfter)
            throw ErrandError.refused(.circuitOpen, reason: circuit.description, underlyingError: circuit)
                .with(request: request.urlRequest)
        }
    }

    /// Reports the outcome of a request to its circuit.
    private func leave(_ pass: CircuitBreakerState.Pass, _ verdict: Verdict) {
        let now = timeline.now
        state.withLock { $0.leave(pass, verdict, now: now) }
        reportTransitions()
    }

    /// Reports the transitions in order. If another task is reporting, it leaves them to that task.
    private func reportTransitions() {
        var transition = state.withLock { $0.beginReporting() }
        while let next = transition {
            onTransition((next.account, next.from, next.to))
            transition = state.withLock { $0.continueReporting() }
        }
    }
}

extension CircuitBreaker {
    /// Returns the default meaning of an outcome for the server.
    ///
    /// A status of 500 and above is a failure, and so is a transfer that was interrupted, timed out or could not start.
    /// Any other response, including a 4xx, is a success. A response from a cache and all other errors, including
    /// cancellation, say nothing about the server.
    public static func verdict(on outcome: Result<DataResponse, any Error>) -> Verdict {
        switch outcome {
        case .success(let response):
            guard response.source.isFromServer else { return .neither }
            return response.statusCode >= 500 ? .failure : .success
        case .failure(let error):
            if error.isCancellation || (error as? ErrandError)?.isTokenFailure == true { return .neither }
            return error.isNetworkFailure ? .failure : .neither
        }
    }

    /// The rule by which failures open a circuit.
    public struct Tripping: Sendable {
        enum Rule: Sendable {
            case consecutive(Int)
            case ratio(Double, window: Duration, minimumCount: Int)
        }

        let rule: Rule

        /// Opens after a number of consecutive failures; less than 1 counts as 1.
        public static func consecutiveFailures(_ count: Int) -> Tripping {
            Tripping(rule: .consecutive(max(count, 1)))
        }

        /// Opens at a failure if the ratio of failures to outcomes in a time window is `ratio` or higher.
        ///
        /// The window slides in tenths: an outcome counts for at least nine tenths of the window, and at most the whole
        /// window.
        ///
        /// - Parameters:
        ///   - ratio: The ratio of failures, greater than 0 and at most 1. A value outside this range counts as the
        ///     nearest one in it, and NaN as 1.
        ///   - window: The length of the window; less than a microsecond counts as a microsecond.
        ///   - minimumCount: The minimum number of outcomes; less than 1 counts as 1.
        public static func failureRatio(
            _ ratio: Double, over window: Duration, minimumCount: Int
        ) -> Tripping {
            let ratio = ratio.isNaN ? 1 : min(max(ratio, 0), 1)
            let window = max(window.bounded, .microseconds(1))
            return Tripping(rule: .ratio(ratio, window: window, minimumCount: max(minimumCount, 1)))
        }
    }

    /// The state of a circuit.
    public enum CircuitState: String, Hashable, Sendable {
        /// Requests pass.
        case closed
        /// Requests fail immediately.
        case open
        /// A trial request is running, or the next request is one.
        case halfOpen
    }

    /// The ``/Errand/ErrandError/underlyingError`` of an error with the code `circuitOpen`.
    public struct OpenCircuit: Error, Hashable, CustomStringConvertible {
        /// The time until the circuit allows a trial; `nil` while trials are running, whose results decide.
        public let retryAfter: Duration?

        /// The time until the next trial, or that a trial is running.
        public var description: String {
            retryAfter.map { "tries again in \($0.waitText)" } ?? "a trial request is under way"
        }
    }
}
