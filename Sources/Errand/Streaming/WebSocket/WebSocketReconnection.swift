/// When a WebSocket that was lost is opened anew, and after how long.
///
/// Only what may pass is tried again: a connection that could not be made or broke off, one that went quiet under the
/// heartbeat, a close with one of ``closeCodes``, and a handshake that was refused with one of ``statusCodes``. Whatever else
/// ends a connection, such as a close in good order or a breach of the protocol, ends the WebSocket.
public struct WebSocketReconnection: Sendable {
    /// How the waits grow; from one second on, doubled and with full jitter, by default.
    public var backoff: RetryPolicy.Backoff
    /// The longest wait; 30 seconds by default. A connection that lasted as long begins the count of attempts anew.
    public var maximumWait: Duration
    /// How often in a row it connects again; nil, the default, for as often as it takes. With 0, the first loss is the end.
    public var maximumAttempts: Int?
    /// The codes of a close after which the connection is made anew: 1001, 1011, 1012, 1013 and 1014 by default.
    public var closeCodes: Set<WebSocketCloseCode> = [
        .goingAway, .internalError, .serviceRestart, .tryAgainLater, .badGateway,
    ]
    /// The refusals after which it is tried again: 408, 425, 429, 500, 502, 503 and 504 by default.
    public var statusCodes: Set<Int> = [408, 425, 429, 500, 502, 503, 504]
    /// Where chance comes from: numbers from 0 to 1.
    public var random: @Sendable () -> Double = { .random(in: 0..<1) }

    /// A policy that waits like this.
    public init(
        backoff: RetryPolicy.Backoff = .exponential(base: .seconds(1)), maximumWait: Duration = .seconds(30),
        maximumAttempts: Int? = nil
    ) {
        self.backoff = backoff
        self.maximumWait = maximumWait
        self.maximumAttempts = maximumAttempts
    }

    /// The waits between attempts, from the first on.
    var schedule: RetrySchedule { RetrySchedule(reconnecting: backoff, maximumWait: maximumWait) }

    /// Whether what ended a connection may pass.
    func mayPass(_ failure: any Error) -> Bool {
        guard let error = failure as? ErrandError else { return false }
        switch error.code {
        case .transportFailed, .timedOut: return true
        case .unacceptableStatusCode: return error.statusCode.map(statusCodes.contains) ?? false
        case .webSocketClosed: return (error.underlyingError as? WebSocketClosure).map(mayPass) ?? false
        default: return false
        }
    }

    /// Whether a connection that was closed like this is made anew.
    func mayPass(_ closure: WebSocketClosure) -> Bool { closeCodes.contains(closure.code) }
}
