/// How a WebSocket is opened, bounded and kept up.
///
/// Nonsense is set right: sizes below 1 are 1, and durations below zero are none.
public struct WebSocketOptions: Sendable {
    /// How the messages are compressed (RFC 7692).
    public struct Compression: Hashable, Sendable {
        /// Whether what the server sends may refer to its earlier messages, which makes them smaller and costs both sides
        /// memory; true by default.
        public var serverKeepsContext = true
        /// The same for what the client sends.
        public var clientKeepsContext = true
        /// The window of the server's compressor as a power of two, 9 to 15; 15 by default.
        public var serverMaximumWindowBits = 15
        /// The same for the client's.
        public var clientMaximumWindowBits = 15

        /// With contexts, and windows of 32 KiB.
        public init() {}
    }

    /// What tells a connection that is quiet from one that is dead.
    public struct Heartbeat: Hashable, Sendable {
        /// After how long without a byte from the server it is pinged; the check is made at this interval.
        public var interval: Duration
        /// How long the server may take to answer, or to send anything else. Then the connection is lost, with
        /// ``ErrandError/Code-swift.struct/timedOut``.
        public var timeout: Duration

        /// A ping after so long, to be answered within so long.
        public init(interval: Duration = .seconds(30), timeout: Duration = .seconds(10)) {
            self.interval = interval
            self.timeout = timeout
        }
    }

    /// The subprotocols that the client speaks, the one it likes best first (RFC 6455, section 1.9); none by default.
    ///
    /// Each is a token. Which one the server has taken, ``WebSocket/open()`` tells.
    public var subprotocols: [String] = []
    /// The compression that is offered; nil for none. With contexts by default.
    public var compression: Compression? = Compression()
    /// The most bytes that a message from the server may have, expanded; 16 MiB by default.
    ///
    /// A longer one ends the connection with ``ErrandError/Code-swift.struct/webSocketMessageTooBig``.
    public var maximumMessageSize = 16 << 20
    /// The most bytes that one frame from the server may have, as it is on the wire; 16 MiB by default.
    public var maximumFrameSize = 16 << 20
    /// The most bytes that are sent as one frame; a longer message is sent in fragments of this size. 32 KiB by default.
    public var maximumFragmentSize = 32 << 10
    /// How many bytes of messages may wait to be taken; then the socket is not read any more. 256 KiB by default.
    ///
    /// One message may be there however long it is.
    public var incomingBufferSize = 256 << 10
    /// What tells a quiet connection from a dead one; nil, the default, for nothing.
    public var heartbeat: Heartbeat?
    /// How long the other side may take to answer a close frame, and to close the connection after it; 10 seconds by
    /// default. After that it is cut.
    public var closeTimeout = Duration.seconds(10)
    /// When and how a lost connection is made anew; nil, the default, for never.
    public var reconnection: WebSocketReconnection?
    /// Who tells the time.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// The defaults.
    public init() {}
}

extension WebSocketOptions.Compression {
    var serverWindow: Int { min(max(serverMaximumWindowBits, 9), 15) }
    var clientWindow: Int { min(max(clientMaximumWindowBits, 9), 15) }

    /// How it is offered (RFC 7692, section 7.1): that the server may name the client's window is always said.
    var offer: String {
        var parts = ["permessage-deflate"]
        if !serverKeepsContext { parts.append("server_no_context_takeover") }
        if !clientKeepsContext { parts.append("client_no_context_takeover") }
        if serverWindow < 15 { parts.append("server_max_window_bits=\(serverWindow)") }
        parts.append(clientWindow < 15 ? "client_max_window_bits=\(clientWindow)" : "client_max_window_bits")
        return parts.joined(separator: "; ")
    }
}
