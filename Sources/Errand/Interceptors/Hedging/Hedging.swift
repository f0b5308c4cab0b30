/// Sends a request once more when its response takes unusually long, and returns the response that comes first.
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
/// This makes the slowest responses faster, at the price of some extra load; see "The Tail at Scale" (Dean and Barroso,
/// Communications of the ACM 56.2). The other attempts are cancelled when one has succeeded. A status of 408, 425, 429 or from 500
/// on and an error are no success: while other attempts are under way, those are waited for, and the outcome that comes last is
/// the request's. A failure does not send the request once more; that is the work of a ``RetryPolicy``.
///
/// Only requests with a safe method (RFC 9110, section 9.2.1) and a body that can be sent again are hedged, and no handshakes of
/// WebSockets: the second of two DELETEs would get 404. Each hedge takes a token of the ``RetryBudget``, so that a server that is slow for
/// all does not get twice the load.
///
/// Each attempt passes the interceptors after this one. List ``Coalescing`` and ``HTTPCache`` before it, which would otherwise make one
/// transfer of both attempts. Of a streamed response the head decides. Progress is counted for the first
/// attempt alone. All requests that list the same object share what it knows of the latencies.
public final class Hedging: Interceptor {
    /// How long a request waits before it is sent once more.
    public struct Delay: Sendable {
        enum Rule: Sendable {
            case fixed(Duration)
            case percentile(Double, initial: Duration?)
        }

        let rule: Rule

        /// The same delay for each request; zero or less is at once.
        public static func fixed(_ delay: Duration) -> Delay {
            Delay(rule: .fixed(max(delay.bounded, .zero)))
        }

        /// The time in which such a share of the latest 256 responses came.
        ///
        /// - Parameters:
        ///   - share: From 0 to 1: 0.95 sends about every twentieth request once more. Others count as the nearest of these,
        ///     and no number at all as 1.
        ///   - initial: The delay while there are fewer than 20 responses; `nil`, the default, sends nothing twice then.
        public static func percentile(_ share: Double, initially initial: Duration? = nil) -> Delay {
            let share = share.isNaN ? 1 : min(max(share, 0), 1)
            return Delay(rule: .percentile(share, initial: initial.map { max($0.bounded, .zero) }))
        }
    }

    /// How often a request is sent at most, the first time included.
    public let maximumAttempts: Int
    /// What limits the extra load.
    public let budget: RetryBudget
    private let state: Locked<HedgingState>
    private let scope: LimitScope
    private let clock: any Clock<Duration>

    /// Creates the interceptor.
    ///
    /// - Parameters:
    ///   - delay: How long a request waits before it is sent once more.
    ///   - maximumAttempts: How often a request is sent at most; 2 by default, and less than 1 counts as 1.
    ///   - budget: What limits the extra load: by default, one hedge for ten requests.
    ///   - scope: Which requests are compared with each other; by default, those to one origin.
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

    /// After how long a request to a URL would be sent once more; `nil` for never.
    public func delay(for url: URL) -> Duration? {
        let account = scope.name(TransportRequest(URLRequest(url: url)))
        return state.withLock { $0.delay(for: account) }
    }

    /// Sends the request, once more after the delay, and returns what comes first.
    ///
    /// - Throws: What the last attempt throws, if none succeeds; ``ErrandError`` with `cancelled`.
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

/// The attempts of one request, of which the first that succeeds is taken.
private struct Race {
    private enum Event: Sendable {
        case delayIsOver
        case ended(attempt: Int, Result<DataResponse, any Error>)
    }

    let request: TransportRequest
    let next: Next
    let clock: any Clock<Duration>

    /// - Returns: The outcome; and how long the successful attempt took, and those that were overtaken at least.
    func run(
        delay: Duration?, maximumAttempts: Int, budget: RetryBudget
    ) async -> (outcome: Result<DataResponse, any Error>, latencies: [Duration]) {
        let stopwatch = Stopwatch(clock)
        return await withTaskGroup(of: Event.self) { group in
            /// When each attempt began; those under way.
            var running: [Int: Duration] = [:]
            var sent = 0
            func send() {
                let number = sent
                let elapsed = stopwatch.elapsed
                running[number] = elapsed
                sent += 1
                group.addTask { .ended(attempt: number, await outcome(of: number, after: elapsed)) }
                guard let delay, sent < maximumAttempts else { return }
                group.addTask {
                    // A cancelled wait is found out below.
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
                    let now = stopwatch.elapsed
                    let overtaken = running.values.map { now - $0 }
                    return (outcome, outcome.isFromServer ? [now - began] + overtaken : [])
                }
            }
            return (.failure(ErrandError(.cancelled)), [])
        }
    }

    private func outcome(of attempt: Int, after elapsed: Duration) async -> Result<DataResponse, any Error> {
        var request = attempt == 0 ? request : request.after(elapsed)
        if attempt > 0 {
            request.uploadProgress = nil
            request.downloadProgress = nil
        }
        do {
            // Nobody waits for the end of an attempt that was overtaken.
            return .success(try await waitingCancellably { [request] in try await next(request) })
        } catch {
            return .failure(error)
        }
    }
}

extension Result<DataResponse, any Error> {
    /// Whether the time that a successful response took is the server's.
    fileprivate var isFromServer: Bool {
        guard isSuccess, case .success(let response) = self else { return false }
        return response.source == .network || response.source == .revalidated
    }

    fileprivate var isSuccess: Bool {
        guard case .success(let response) = self else { return false }
        return response.statusCode < 500 && !ErrandError.transientStatusCodes.contains(response.statusCode)
    }
}
