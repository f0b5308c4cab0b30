/// Stops asking a server that fails, and tries again after a while.
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
/// A circuit is closed at first: requests pass. When too many of them fail it opens: requests fail at once with
/// ``ErrandError/Code-swift.struct/circuitOpen``, and nothing is sent. After ``openDuration`` it is half open with the
/// next request: that one, or so many as are asked for, pass as a trial, and the others still fail at once. When all
/// trials succeed it is closed; with the first that fails it is open again. A trial that takes longer than a minute, or as
/// long as you say, keeps the others out no longer.
///
/// What counts as a failure is said by ``verdict(on:)``, unless a closure says otherwise. A request that is cancelled
/// counts as neither, and as a trial makes room for another. The answer of a stream is judged by its head. An outcome
/// that comes after the circuit has changed does not count.
///
/// A request that an interceptor behind this one sends through the same circuit, such as one for a new token, is part of
/// the request that it is for: it passes, and does not count by itself.
///
/// All requests that list the same object share it, with a circuit for each account of the scope; by default, for each
/// origin. When there are many, a circuit that no request came to for ``openDuration``, and that is not open any more for as
/// long, is forgotten: it is closed when it is needed again. Behind a retry the breaker counts each attempt.
public final class CircuitBreaker: Interceptor {
    /// What an outcome says about the server.
    public enum Verdict: Hashable, Sendable {
        /// It works.
        case success
        /// It does not.
        case failure
        /// Nothing.
        case neither
    }

    /// How long a circuit stays open.
    public let openDuration: Duration
    /// Guards the circuits, and the transitions that are still to be told.
    private let state: Locked<CircuitBreakerState>
    private let scope: LimitScope
    private let timeline: Timeline
    private let judge: @Sendable (Result<DataResponse, any Error>) -> Verdict
    private let onTransition: @Sendable (Transition) -> Void

    /// A breaker with every circuit closed.
    ///
    /// - Parameters:
    ///   - tripping: How many failures open a circuit.
    ///   - openDuration: How long a circuit stays open; less than zero counts as zero.
    ///   - trialRequests: How many requests have to succeed before it closes, and may be under way until then; less than
    ///     1 counts as 1.
    ///   - trialTimeout: How long trials keep others from being tried; a minute by default, less than zero counts as zero. After
    ///     that, the next request is a new trial, and trials that are still under way do not count.
    ///   - scope: Which requests share a circuit.
    ///   - clock: Who tells the time.
    ///   - judge: What an outcome says about the server.
    ///   - onTransition: Told of each change of a circuit, one at a time and in order, on the thread of the request that
    ///     caused it; must be quick.
    public init(
        tripping: Tripping = .consecutiveFailures(5), openDuration: Duration = .seconds(30), trialRequests: Int = 1,
        trialTimeout: Duration = .seconds(60), scope: LimitScope = .origin,
        clock: any Clock<Duration> = ContinuousClock(),
        judge: @escaping @Sendable (Result<DataResponse, any Error>) -> Verdict = CircuitBreaker.verdict(on:),
        onTransition: @escaping @Sendable (Transition) -> Void = { _ in }
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

    /// Sends the request on, where the circuit lets it pass.
    ///
    /// - Throws: ``ErrandError`` with `circuitOpen` and an ``OpenCircuit``, when nothing was sent; what `next` throws.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        let account = scope.name(request)
        let passage = Passage(self, account: account)
        if passage.isUnderWay { return try await next(request) }
        let pass = try pass(for: request, account: account)
        do {
            let answer = try await passage.run { try await next(request) }
            leave(pass, judge(.success(answer)))
            return answer
        } catch {
            leave(pass, judge(.failure(error)))
            throw error
        }
    }

    /// How the circuit stands that requests to a URL belong to. One whose time is over is open until a request comes.
    public func state(of url: URL) -> CircuitState {
        let account = scope.name(TransportRequest(URLRequest(url: url)))
        return state.withLock { $0.state(of: account) }
    }

    private func pass(for request: TransportRequest, account: String) throws -> CircuitBreakerState.Pass {
        let now = timeline.now
        let entry = state.withLock { $0.enter(account, now: now) }
        tellTransitions()
        switch entry {
        case .pass(let pass): return pass
        case .refuse(let retryAfter):
            let circuit = OpenCircuit(retryAfter: retryAfter)
            throw ErrandError(.circuitOpen, reason: circuit.description, underlyingError: circuit)
                .with(request: request.urlRequest)
        }
    }

    private func leave(_ pass: CircuitBreakerState.Pass, _ verdict: Verdict) {
        let now = timeline.now
        state.withLock { $0.leave(pass, verdict, now: now) }
        tellTransitions()
    }

    /// Tells what has changed, in order: whoever finds another telling leaves it to that one.
    private func tellTransitions() {
        var transition = state.withLock { $0.beginTelling() }
        while let told = transition {
            onTransition(told)
            transition = state.withLock { $0.continueTelling() }
        }
    }
}

extension CircuitBreaker {
    /// What an outcome says about the server, unless the breaker is told otherwise.
    ///
    /// A status of 500 and above is a failure, and so are a transfer that broke off, timed out or never came about. Any
    /// other answer is a success, a 4xx too, unless a cache gave it. Whatever else goes wrong, cancellation among it,
    /// says nothing about the server.
    public static func verdict(on outcome: Result<DataResponse, any Error>) -> Verdict {
        switch outcome {
        case .success(let answer):
            guard answer.source == .network || answer.source == .revalidated else { return .neither }
            return answer.statusCode >= 500 ? .failure : .success
        case .failure(let error):
            if error.isCancellation { return .neither }
            let code = (error as? ErrandError)?.code ?? (error is URLError ? .transportFailed : nil)
            return code == .transportFailed || code == .timedOut ? .failure : .neither
        }
    }
}
