public import Errand

/// An interceptor that sends a request again if the response takes unusually long, and returns the first successful
/// response.
///
/// ```swift
/// class LibraryAPI: APIBase {
///     static let hedging = Hedging(after: .percentile(0.95))
///     override init() {
///         super.init()
///         interceptors = [Self.hedging]
///     }
/// }
/// ```
///
/// Hedging makes the slowest responses faster for some additional load; see "The Tail at Scale" (Dean and Barroso,
/// Communications of the ACM 56.2). When an attempt succeeds, the others are cancelled. An error, or a status code of
/// 408, 425, 429, 500 or higher, is a failure. After a failure, the request waits for the other running attempts; if
/// none succeeds, it returns the last outcome. A failure itself does not start another attempt: use a
/// ``/Errand/RetryPolicy`` for that.
///
/// Only requests with a safe method (RFC 9110, section 9.2.1) and a repeatable body are hedged. (Idempotent methods are
/// not enough: the second of two DELETEs would get 404.) WebSocket handshakes are not hedged. Each hedge takes a token
/// from the ``/Errand/RetryBudget``, so that a server that is slow for all requests does not get twice the load.
///
/// Each attempt passes through the interceptors after this one. List ``Coalescing`` and ``/Errand/HTTPCache`` before
/// it, because they would merge the attempts into one transfer. For a streamed response, the head decides. Progress
/// covers only the first attempt. All requests that list the same object share the measured latencies.
public final class Hedging: Interceptor {
    /// The rule for the time before a request is sent again.
    public struct Delay: Sendable {
        enum Rule: Sendable {
            case fixed(Duration)
            case percentile(Double, initial: Duration?)
        }

        let rule: Rule

        /// The same delay for each request; zero or less means immediately.
        public static func fixed(_ delay: Duration) -> Delay {
            Delay(rule: .fixed(max(delay.bounded, .zero)))
        }

        /// The time within which this share of the latest 256 responses arrived.
        ///
        /// - Parameters:
        ///   - share: A number from 0 to 1, to which other numbers are limited; NaN counts as 1. With 0.95, about one
        ///     request in twenty is sent again.
        ///   - initial: The delay while there are fewer than 20 responses. With `nil`, the default, no request is
        ///     hedged until then.
        public static func percentile(_ share: Double, initially initial: Duration? = nil) -> Delay {
            let share = share.isNaN ? 1 : min(max(share, 0), 1)
            return Delay(rule: .percentile(share, initial: initial.map { max($0.bounded, .zero) }))
        }
    }

    /// The maximum number of attempts, including the first.
    public let maximumAttempts: Int
    /// The budget that limits the additional load.
    public let budget: RetryBudget
    private let state: Locked<HedgingState>
    private let scope: LimitScope
    private let clock: any Clock<Duration>

    /// Creates the interceptor.
    ///
    /// - Parameters:
    ///   - delay: The time before a request is sent again.
    ///   - maximumAttempts: The maximum number of attempts, including the first; 2 by default, and less than 1 counts
    ///     as 1.
    ///   - budget: The budget that limits the additional load; by default, one hedge for ten requests.
    ///   - scope: The requests whose latencies are measured together; by default, those to one origin.
    ///   - clock: The clock for the delays.
    public init(
        after delay: Delay, maximumAttempts: Int = 2, budget: RetryBudget = RetryBudget(), scope: LimitScope = .origin,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.maximumAttempts = max(maximumAttempts, 1)
        self.budget = budget
        state = Locked(HedgingState(delay))
        self.scope = scope
        self.clock = clock
    }

    /// Returns the time after which a request to a URL is sent again; `nil` if it is not.
    public func delay(for url: URL) -> Duration? {
        let account = scope.name(TransportRequest(URLRequest(url: url)))
        return state.withLock { $0.delay(for: account) }
    }

    /// As listed: it adds no credentials.
    public var placement: InterceptorPlacement { .asListed }

    /// Sends the request, sends it again after the delay, and returns the first successful response.
    ///
    /// - Throws: The error of the last attempt if none succeeds; ``/Errand/ErrandError`` with `cancelled`.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        guard maximumAttempts > 1, request.canBeHedged else { return try await next(request) }
        let account = scope.name(request)
        let race = Race(request: request, next: next, clock: clock)
        let delay = state.withLock { $0.delay(for: account) }
        if delay != nil { budget.deposit() }
        let result = await race.run(delay: delay, maximumAttempts: maximumAttempts, budget: budget)
        state.withLock { state in
            for latency in result.latencies { state.add(latency, to: account) }
        }
        return try result.outcome.get()
    }
}

extension TransportRequest {
    fileprivate var canBeHedged: Bool {
        let isSafe = ["GET", "HEAD", "OPTIONS", "TRACE"].contains(urlRequest.httpMethod ?? "GET")
        return isSafe && canBeSentAgain && !opensWebSocket
    }
}

/// The attempts of one request. The first one that succeeds wins.
private struct Race {
    private enum Event: Sendable {
        case delayIsOver
        case ended(attempt: Int, Result<DataResponse, any Error>)
    }

    let request: TransportRequest
    let next: Next
    let clock: any Clock<Duration>

    /// - Returns: The outcome and the latencies: that of the successful attempt, and a lower bound for each attempt
    ///   that is still running. Without a successful response from the server, the list is empty.
    func run(
        delay: Duration?, maximumAttempts: Int, budget: RetryBudget
    ) async -> (outcome: Result<DataResponse, any Error>, latencies: [Duration]) {
        let timeline = Timeline(clock)
        return await withTaskGroup(of: Event.self) { group in
            /// The start times of the running attempts.
            var running: [Int: Duration] = [:]
            var sent = 0
            func send() {
                let number = sent
                let elapsed = timeline.now
                running[number] = elapsed
                sent += 1
                group.addTask { .ended(attempt: number, await outcome(of: number, after: elapsed)) }
                guard let delay, sent < maximumAttempts else { return }
                group.addTask {
                    // Cancellation is checked when the event is handled.
                    try? await clock.sleep(for: delay)
                    return .delayIsOver
                }
            }
            send()
            while let event = await group.next() {
                switch event {
                case .delayIsOver:
                    if !Task.isCancelled, budget.withdraw() { send() }
                case .ended(let number, let outcome):
                    let began = running.removeValue(forKey: number) ?? .zero
                    guard outcome.isSuccess || running.isEmpty else { continue }
                    group.cancelAll()
                    let now = timeline.now
                    let overtaken = running.values.map { now - $0 }
                    return (outcome, outcome.isFromServer ? [now - began] + overtaken : [])
                }
            }
            // Not reached: the end of the last running attempt returns above.
            return (.failure(ErrandError(.cancelled)), [])
        }
    }

    /// Makes one attempt. A later attempt has only the remaining time, and reports no progress.
    private func outcome(of attempt: Int, after elapsed: Duration) async -> Result<DataResponse, any Error> {
        var request = attempt == 0 ? request : request.after(elapsed)
        if attempt > 0 {
            request.uploadProgress = nil
            request.downloadProgress = nil
        }
        do {
            // The race does not wait for the end of an attempt that lost.
            return .success(try await waitingCancellably { [request] in try await next(request) })
        } catch {
            return .failure(error)
        }
    }
}

extension Result<DataResponse, any Error> {
    /// Whether a successful response came from the server, so that its latency counts.
    fileprivate var isFromServer: Bool {
        guard isSuccess, case .success(let response) = self else { return false }
        return response.source.isFromServer
    }

    fileprivate var isSuccess: Bool {
        guard case .success(let response) = self else { return false }
        return response.statusCode < 500 && !ErrandError.transientStatusCodes.contains(response.statusCode)
    }
}

/// The state of ``Hedging``: the latencies for each account, which is a name of the scope.
struct HedgingState: Sendable {
    /// The maximum number of accounts. If there are more, those used least recently are discarded.
    static let maximumAccounts = 64

    private let delay: Hedging.Delay
    private var windows = LeastRecentlyUsed<String, LatencyWindow>(limit: maximumAccounts)

    init(_ delay: Hedging.Delay) {
        self.delay = delay
    }

    /// Returns the time after which a request is sent again; `nil` if it is not.
    func delay(for account: String) -> Duration? {
        switch delay.rule {
        case .fixed(let delay): delay
        case .percentile(let share, let initial): windows.peek(account)?.quantile(share) ?? initial
        }
    }

    /// Records the latency of a response, or a lower bound of it if the attempt was cancelled.
    mutating func add(_ latency: Duration, to account: String) {
        guard case .percentile = delay.rule else { return }
        var window = windows.remove(account) ?? LatencyWindow()
        window.add(latency)
        windows.insert(window, for: account, cost: 1)
    }
}

/// A window of the most recent durations, and their quantiles.
struct LatencyWindow: Sendable {
    /// The number of durations in the window.
    static let capacity = 256
    /// The minimum number of durations for a quantile.
    static let minimumCount = 20

    private var durations: [Duration] = []
    /// The position of the next duration. In a full window, the oldest one is there.
    private var next = 0

    mutating func add(_ duration: Duration) {
        if durations.count < Self.capacity {
            durations.append(duration)
        } else {
            durations[next] = duration
        }
        next = (next + 1) % Self.capacity
    }

    /// Returns the duration that this share of the durations does not exceed (nearest-rank method); `nil` if there are
    /// too few.
    ///
    /// - Parameter share: A number from 0 to 1.
    func quantile(_ share: Double) -> Duration? {
        guard durations.count >= Self.minimumCount else { return nil }
        let rank = (share * Double(durations.count)).rounded(.up)
        return durations.sorted()[min(max(Int(rank) - 1, 0), durations.count - 1)]
    }
}
