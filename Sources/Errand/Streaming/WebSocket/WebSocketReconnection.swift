/// The rules by which a WebSocket reconnects after its connection was lost.
///
/// It reconnects only after temporary failures: a connection that could not be opened, broke off or missed a heartbeat.
/// The same applies to a close with one of ``closeCodes`` and to a handshake that was refused with one of
/// ``statusCodes``. Any other end of a connection, such as a normal close or a protocol violation, ends the WebSocket.
public struct WebSocketReconnection: Sendable {
    /// The growth of the waits; by default exponential from one second, with full jitter.
    public var backoff: RetryPolicy.Backoff
    /// The longest wait; 30 seconds by default. A connection that lasted at least this long, and at least one second,
    /// resets the number of attempts.
    public var maximumWait: Duration
    /// The maximum number of consecutive reconnections; `nil`, the default, for no limit. With 0, the first lost
    /// connection ends the WebSocket.
    ///
    /// A WebSocket is often open as long as its program runs, and waits out an outage of hours. An ``EventSource`` has
    /// a limit by default, because its loop is usually a part of one operation.
    public var maximumAttempts: Int?
    /// The close codes after which the WebSocket reconnects: 1001, 1011, 1012, 1013 and 1014 by default.
    public var closeCodes: Set<WebSocketCloseCode> = [
        .goingAway, .internalError, .serviceRestart, .tryAgainLater, .badGateway,
    ]
    /// The statuses of refused handshakes after which the WebSocket reconnects: 408, 425, 429, 500, 502, 503 and 504 by
    /// default.
    public var statusCodes: Set<Int> = [408, 425, 429, 500, 502, 503, 504]
    /// The source of random numbers from 0 to 1.
    public var random: @Sendable () -> Double = { .random(in: 0..<1) }

    /// Creates a policy with these waits.
    public init(
        backoff: RetryPolicy.Backoff = .exponential(base: .seconds(1)), maximumWait: Duration = .seconds(30),
        maximumAttempts: Int? = nil
    ) {
        self.backoff = backoff
        self.maximumWait = maximumWait
        self.maximumAttempts = maximumAttempts
    }

    /// The waits between attempts, from the first one on.
    var schedule: RetrySchedule { RetrySchedule(reconnecting: backoff, maximumWait: maximumWait) }

    /// Returns `true` if the WebSocket reconnects after this failure.
    func mayPass(_ failure: any Error) -> Bool {
        guard let error = failure as? ErrandError else { return false }
        switch error.code {
        case .transportFailed, .timedOut: return true
        case .unacceptableStatusCode: return error.statusCode.map(statusCodes.contains) ?? false
        case .webSocketClosed: return (error.underlyingError as? WebSocketClosure).map(mayPass) ?? false
        default: return false
        }
    }

    /// Returns `true` if the WebSocket reconnects after this closure.
    func mayPass(_ closure: WebSocketClosure) -> Bool { closeCodes.contains(closure.code) }
}
