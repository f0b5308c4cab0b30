public import Errand

extension ErrandError.Code {
    /// The response to a WebSocket's handshake is invalid (RFC 6455, section 4.1), such as a wrong
    /// `Sec-WebSocket-Accept` or an extension that was not requested. A refusal with another status than 101 has
    /// the code `unacceptableStatusCode`.
    public static let webSocketHandshakeFailed = ErrandError.Code(rawValue: "webSocketHandshakeFailed")
    /// The server broke the WebSocket protocol (RFC 6455), and the WebSocket was closed.
    public static let webSocketProtocolViolated = ErrandError.Code(rawValue: "webSocketProtocolViolated")
    /// A message or a frame is longer than ``WebSocketOptions`` allows, and the WebSocket was closed.
    public static let webSocketMessageTooBig = ErrandError.Code(rawValue: "webSocketMessageTooBig")
    /// The WebSocket is closed. The error's `underlyingError`, if there is one, is the ``WebSocketClosure``.
    public static let webSocketClosed = ErrandError.Code(rawValue: "webSocketClosed")
}

extension ErrandError {
    /// Creates an error with `webSocketClosed` from a closure.
    init(_ closure: WebSocketClosure) {
        self.init(
            .webSocketClosed, reason: closure.code == .abnormal ? "closed by this side" : "closed with \(closure.code)",
            underlyingError: closure
        )
    }
}
