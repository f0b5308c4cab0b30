/// The time limits of a transfer: an idle limit and a total limit.
final class Deadline<C: Clock<Duration>>: Sendable where C.Instant: Sendable {
    private let clock: C
    private let idle: Duration
    private let total: Duration
    /// The time at which the transfer started.
    let start: C.Instant
    /// The time at which the total limit passes.
    private let end: C.Instant
    /// The time of the last activity.
    private let lastActivity: Locked<C.Instant>

    /// Creates a deadline that starts now.
    ///
    /// - Parameters:
    ///   - idle: The maximum time without activity.
    ///   - total: The maximum time for the whole transfer.
    init(idle: Duration, total: Duration, clock: C) {
        self.clock = clock
        self.idle = idle
        self.total = total
        start = clock.now
        end = start.advanced(by: total)
        lastActivity = Locked(start)
    }

    /// Records activity.
    func touch() {
        let now = clock.now
        lastActivity.withLock { $0 = now }
    }

    /// Runs `work` until the deadline. If the deadline passes, cancels the work and does not wait for it.
    ///
    /// - Parameter phase: The phase of the work, for the reason of the failure.
    /// - Throws: A ``TransportFailure`` with `timedOut`; an ``ErrandError`` with `cancelled`; errors from `work`.
    func bounding<Value: Sendable>(
        _ phase: TimeoutReason.Phase, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let promise = PipelinePromise<Value, any Error>()
        let working = Task {
            do { promise.resolve(with: .success(try await work())) } catch { promise.resolve(with: .failure(error)) }
        }
        let watching = Task {
            let limit = try await passes()
            promise.resolve(with: .failure(TransportFailure(timeout: TimeoutReason(limit, phase))))
        }
        defer {
            working.cancel()
            watching.cancel()
        }
        return try await promise.value
    }

    /// Waits until the first of the two limits passes.
    ///
    /// - Parameter isOurDoing: Returns `true` while the client itself causes the inactivity. That time does not count
    ///   as idle, if the client calls ``touch()`` at its end.
    /// - Returns: The limit that has passed.
    /// - Throws: `CancellationError` if the task is cancelled earlier.
    @discardableResult
    func passes(unless isOurDoing: () -> Bool = { false }) async throws -> TimeoutReason.Limit {
        while true {
            let now = clock.now
            let last = isOurDoing() ? now : lastActivity.withLock { $0 }
            let next = min(last.advanced(by: idle), end)
            if now >= next { return next < end ? .idle(idle) : .total(total) }
            try await clock.sleep(until: next, tolerance: nil)
        }
    }
}

/// The description of a timeout: which limit passed, its length, and the phase of the transfer.
///
/// For example `timed out after 60 s without a byte from the server`, or
/// `timed out after 0.7 s in all, while connecting to 127.0.0.1:8080`.
struct TimeoutReason: CustomStringConvertible {
    enum Limit {
        /// `URLRequest.timeoutInterval`: the maximum time without activity.
        case idle(Duration)
        /// `resourceTimeout`: the maximum time for the whole transfer.
        case total(Duration)
        /// `CurlConfiguration.connectTimeout`.
        case connecting(Duration)
    }

    /// The phase in which a transfer waits.
    enum Phase: Hashable {
        /// The request waits for a new connection, or for one that another request opens.
        case connectionLimit
        case nameLookup(host: String)
        case connection(address: String)
        case handshake
        /// The request has been sent or is being sent.
        case response
        /// The server sends bytes, but they complete no field of the response's head.
        case head
        /// The server sends bytes, but none of them belongs to the response's body.
        case body
        /// The request's body has not been read, or sending waits for its next bytes.
        case requestBody

        /// The phase as a part of the description; `nil` for a phase that ``missing`` describes.
        fileprivate var clause: String? {
            switch self {
            case .connectionLimit: "while waiting for a connection"
            case .nameLookup(let host): "while looking up the host name \"\(host)\""
            case .connection(let address): "while connecting to \(address)"
            case .handshake: "in the TLS handshake"
            case .response, .head, .body: nil
            case .requestBody: "while reading the request's body"
            }
        }

        /// What the server did not send.
        fileprivate var missing: String {
            switch self {
            case .head: "a complete header field from the server"
            case .body: "a byte of the response's body"
            default: "a byte from the server"
            }
        }
    }

    let limit: Limit
    let phase: Phase

    init(_ limit: Limit, _ phase: Phase) {
        self.limit = limit
        self.phase = phase
    }

    var description: String {
        switch (limit, phase.clause) {
        case (.idle(let length), let clause):
            "timed out after \(length.secondsText) \(clause ?? "without \(phase.missing)")"
        case (.connecting(let length), let clause):
            "timed out after \(length.secondsText) \(clause ?? "while connecting")"
        case (.total(let length), let clause?): "timed out after \(length.secondsText) in all, \(clause)"
        case (.total(let length), nil): "timed out after \(length.secondsText) in all"
        }
    }
}

extension TransportFailure {
    /// Creates a timeout failure with its reason.
    init(timeout: TimeoutReason, metrics: TransferMetrics? = nil) {
        self.init(URLError(.timedOut), reason: timeout.description, metrics: metrics)
    }
}
