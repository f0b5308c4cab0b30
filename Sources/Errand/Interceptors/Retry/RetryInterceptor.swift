/// Sends requests again that failed, as often and after as long as a ``Retrier`` says.
///
/// ```swift
/// request.interceptors = [RetryInterceptor(RetryPolicy.exponential(base: .milliseconds(100)))]
/// request.interceptors = [RetryInterceptor { _ in OnceAfterConflict() }]
/// ```
///
/// For a ``RetryPolicy`` alone, ``APIBase/retryPolicy`` or ``RequestSettings/retryPolicy`` is shorter, and puts it in front of
/// all other interceptors, so that each attempt passes them. Unlike `retry(_:)` of a pipeline, which repeats all operators
/// before it, this sees each response before it is validated and decoded.
///
/// An answer that is followed by another attempt is let go of before the wait: the connection of a stream is closed. A
/// stream is sent for again only as long as its head was not given to the caller. With a
/// ``TransportRequest/resourceTimeout``, all attempts and waits share it. Cancelling ends a wait at once with
/// ``ErrandError/Code-swift.struct/cancelled``.
public struct RetryInterceptor: Interceptor {
    private let factory: any RetrierFactory
    private let clock: any Clock<Duration>

    /// Asks the retriers of a factory.
    ///
    /// - Parameters:
    ///   - factory: Makes one for each request.
    ///   - clock: Who tells the time between attempts.
    public init(_ factory: some RetrierFactory, clock: any Clock<Duration> = ContinuousClock()) {
        self.factory = factory
        self.clock = clock
    }

    /// Asks a policy, by the policy's own clock.
    public init(_ policy: RetryPolicy) {
        self.init(policy, clock: policy.clock)
    }

    /// Asks the retriers that a closure makes, one for each request.
    public init(
        clock: any Clock<Duration> = ContinuousClock(),
        _ makeRetrier: @escaping @Sendable (TransportRequest) -> any Retrier
    ) {
        self.init(ClosureFactory(make: makeRetrier), clock: clock)
    }

    /// Sends, and sends again.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        var attempt = Attempt(request: factory.prepare(request), clock: clock, next: next)
        let retrier = factory.makeRetrier(for: attempt.request)
        while true {
            switch try await attempt.run(asking: retrier) {
            case .done(let answer): return answer
            case .again(let wait): try await attempt.pause(for: wait)
            }
        }
    }
}

private struct ClosureFactory: RetrierFactory {
    let make: @Sendable (TransportRequest) -> any Retrier

    func makeRetrier(for request: TransportRequest) -> any Retrier { make(request) }
}

/// The attempts of one request, one after the other.
private struct Attempt {
    /// What comes of one. The answer that is not taken is gone by then, and with it its connection.
    enum Step {
        case done(DataResponse)
        case again(after: Duration)
    }

    private(set) var request: TransportRequest
    private let next: Next
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch
    /// How long all of it may take.
    private let limit: Duration?
    private var number = 0

    init(request: TransportRequest, clock: any Clock<Duration>, next: Next) {
        self.request = request
        self.next = next
        self.clock = clock
        stopwatch = Stopwatch(clock)
        limit = request.resourceTimeout?.bounded
    }

    private var timeLeft: Duration? { limit.map { $0 - stopwatch.elapsed } }

    /// Sends once, and asks what to do where that failed.
    mutating func run(asking retrier: any Retrier) async throws -> Step {
        number += 1
        // A wait ends in time by the clock, but a machine may be late.
        if number > 1 { request.resourceTimeout = timeLeft.map { max($0, .milliseconds(1)) } }
        let result: Result<DataResponse, any Error>
        do { result = .success(try await next(request)) } catch { result = .failure(error) }
        guard let outcome = failedOutcome(of: result) else { return .done(try result.get()) }
        switch try await decision(of: retrier, after: outcome) {
        case .retry(let wait): return .again(after: wait)
        case .stop(let reason):
            switch result {
            case .success(let answer): return .done(answer.noting(reason))
            case .failure(let error): throw error.noting(reason)
            }
        }
    }

    /// Waits, as far as there is something to wait for.
    func pause(for wait: Duration) async throws {
        do {
            if wait > .zero { try await clock.sleep(for: wait.bounded) }
            try Task.checkCancellation()
        } catch let error where error.isCancellation {
            throw cancelled
        }
    }

    /// What a retrier is told; nil where there is nothing to ask.
    private func failedOutcome(of result: Result<DataResponse, any Error>) -> Result<DataResponse, any Error>? {
        switch result {
        case .success(let answer): answer.statusCode >= 400 ? .success(answer.withoutStream) : nil
        case .failure(let error): error.isCancellation || Task.isCancelled ? nil : .failure(error)
        }
    }

    private func decision(
        of retrier: any Retrier, after outcome: Result<DataResponse, any Error>
    ) async throws -> RetryDecision {
        let attempt = FailedAttempt(request: request, number: number, outcome: outcome, timeLeft: timeLeft)
        let decision: RetryDecision
        do {
            decision = try await waitingCancellably { await retrier.decide(after: attempt) }
        } catch {
            throw cancelled
        }
        guard case .retry(let wait) = decision else { return decision }
        guard request.canBeSentAgain else { return .bodyIsGone }
        guard timeLeft.map({ $0 > max(wait, .zero) }) ?? true else { return .noTimeIsLeft }
        return decision
    }

    private var cancelled: ErrandError {
        ErrandError(.cancelled).with(request: request.urlRequest, attempts: number)
    }
}
