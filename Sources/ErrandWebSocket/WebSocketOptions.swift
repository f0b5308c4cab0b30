public import Errand

/// The options of a WebSocket: its opening, limits, heartbeat and reconnection.
///
/// Sizes below 1 count as 1, and negative durations count as zero.
public struct WebSocketOptions: Sendable {
    /// The compression of the messages (RFC 7692).
    public struct Compression: Hashable, Sendable {
        /// Whether the server's compressor may refer to earlier messages; `true` by default. This makes messages
        /// smaller, but uses memory on both sides.
        public var serverKeepsContext = true
        /// Whether the client's compressor may refer to earlier messages; `true` by default.
        public var clientKeepsContext = true
        /// The base-2 logarithm of the window size in bytes of the server's compressor, from 9 to 15; 15 by default.
        /// A value outside this range counts as the nearest bound.
        public var serverMaximumWindowBits = 15
        /// The base-2 logarithm of the window size in bytes of the client's compressor, from 9 to 15; 15 by default.
        /// A value outside this range counts as the nearest bound.
        public var clientMaximumWindowBits = 15

        /// Creates a compression with contexts and windows of 32 KiB.
        public init() {}
    }

    /// The pings that distinguish an idle connection from a dead one.
    public struct Heartbeat: Hashable, Sendable {
        /// The interval of the check; 30 seconds by default. Less than a millisecond counts as a millisecond. If no
        /// byte was received since the last check, a ping is sent.
        public var interval: Duration
        /// The time within which the server must respond or send anything else; 10 seconds by default. Otherwise, the
        /// connection is lost, with ``/Errand/ErrandError/Code-swift.struct/timedOut``.
        ///
        /// While bytes of a message leave this system, however slowly, the server is alive, and the time begins again.
        /// So a ping that waits for the end of a long message does not end the connection.
        public var timeout: Duration

        /// Creates a heartbeat with an interval and a timeout.
        public init(interval: Duration = .seconds(30), timeout: Duration = .seconds(10)) {
            self.interval = interval
            self.timeout = timeout
        }
    }

    /// The subprotocols of the client, in order of preference (RFC 6455, section 1.9); empty by default.
    ///
    /// Each must be a token. The result of ``WebSocket/open()`` contains the one that the server has chosen.
    public var subprotocols: [String] = []
    /// The compression that the client offers; `nil` for none. By default, compression with contexts.
    public var compression: Compression? = Compression()
    /// The maximum size in bytes of a decompressed message from the server; 16 MiB by default.
    ///
    /// A longer message ends the connection with `webSocketMessageTooBig`.
    public var maximumMessageSize = 16 << 20
    /// The maximum payload in bytes of a frame from the server, before decompression; 16 MiB by default. Less than 125
    /// counts as 125, the maximum of a control frame.
    public var maximumFrameSize = 16 << 20
    /// The maximum payload in bytes of a sent frame; 32 KiB by default. Longer messages are split into fragments of
    /// this size.
    public var maximumFragmentSize = 32 << 10
    /// The size in bytes of the buffer for received messages; 256 KiB by default. While it is full, the socket is not
    /// read.
    ///
    /// The buffer accepts one message of any length. Each message counts with 64 bytes more than its size.
    public var incomingBufferSize = 256 << 10
    /// The heartbeat, which detects dead connections; `nil`, the default, for none.
    public var heartbeat: Heartbeat?
    /// The time within which the other side must respond to a close frame and close the connection; 10 seconds by
    /// default. After that, the connection is closed without it.
    public var closeTimeout = Duration.seconds(10)
    /// The rules for reconnecting after a lost connection; `nil`, the default, never reconnects.
    public var reconnection: WebSocketReconnection?
    /// The clock of the timeouts, the heartbeat and the waits.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Creates the default options.
    public init() {}
}

extension WebSocketOptions.Compression {
    /// ``serverMaximumWindowBits``, limited to its range.
    package var serverWindow: Int { min(max(serverMaximumWindowBits, 9), 15) }
    /// ``clientMaximumWindowBits``, limited to its range.
    package var clientWindow: Int { min(max(clientMaximumWindowBits, 9), 15) }

    /// The value for `Sec-WebSocket-Extensions` in the request (RFC 7692, section 7.1). It always contains
    /// `client_max_window_bits`, which allows the server to limit the client's window.
    var headerValue: String {
        var parts = ["permessage-deflate"]
        if !serverKeepsContext { parts.append("server_no_context_takeover") }
        if !clientKeepsContext { parts.append("client_no_context_takeover") }
        if serverWindow < 15 { parts.append("server_max_window_bits=\(serverWindow)") }
        parts.append(clientWindow < 15 ? "client_max_window_bits=\(clientWindow)" : "client_max_window_bits")
        return parts.joined(separator: "; ")
    }
}

/// The rules by which a WebSocket reconnects after its connection was lost.
///
/// It reconnects only after temporary failures: a connection that could not be opened, broke off or missed a heartbeat.
/// The same applies to a close with one of ``closeCodes`` and to a handshake that was refused with one of
/// ``statusCodes``. Any other end of a connection, such as a normal close or a protocol violation, ends the WebSocket.
public struct WebSocketReconnection: Sendable {
    /// The growth of the waits between attempts; by default exponential from one second, with full jitter.
    public var backoff: RetryPolicy.Backoff
    /// The longest wait; 30 seconds by default. A connection that lasted at least this long, and at least one second,
    /// resets the waits and the number of attempts.
    public var maximumWait: Duration
    /// The maximum number of consecutive reconnections; `nil`, the default, for no limit. With 0, the first lost
    /// connection ends the WebSocket.
    ///
    /// The default has no limit, because a WebSocket is often open as long as its program runs, and must survive an
    /// outage of hours. An ``/Errand/EventSource`` has a limit by default, because its loop is usually a part of one
    /// operation.
    public var maximumAttempts: Int?
    /// The close codes after which the WebSocket reconnects: 1001, 1011, 1012, 1013 and 1014 by default.
    public var closeCodes: Set<WebSocketCloseCode> = [
        .goingAway, .internalError, .serviceRestart, .tryAgainLater, .badGateway,
    ]
    /// The statuses of refused handshakes after which the WebSocket reconnects: 408, 425, 429, 500, 502, 503 and 504 by
    /// default.
    public var statusCodes: Set<Int> = [408, 425, 429, 500, 502, 503, 504]
    /// The source of random numbers from 0 to 1 for the jitter of the waits.
    public var random: @Sendable () -> Double = { .random(in: 0..<1) }

    /// Creates rules with these waits and this limit, and with the default close codes and statuses.
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
    func reconnects(after failure: any Error) -> Bool {
        guard let error = failure as? ErrandError else { return false }
        switch error.code {
        case .transportFailed, .timedOut: return true
        case .unacceptableStatusCode: return error.statusCode.map(statusCodes.contains) ?? false
        case .webSocketClosed:
            return (error.underlyingError as? WebSocketClosure).map { reconnects(after: $0) } ?? false
        default: return false
        }
    }

    /// Returns `true` if the WebSocket reconnects after this closure.
    func reconnects(after closure: WebSocketClosure) -> Bool { closeCodes.contains(closure.code) }
}
