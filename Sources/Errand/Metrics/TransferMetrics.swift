/// Where the time of a transfer went, and what crossed the wire.
///
/// The moments count from when the request was given to the transport. What a transport cannot tell is nil:
/// `URLSession` on Linux tells the total and the bytes of the body alone.
public struct TransferMetrics: Hashable, Sendable {
    /// How long it waited for its turn, because of the caps on connections.
    public var queueing: Duration?
    /// When the name was resolved; about ``queueing`` on a connection that was there.
    public var nameLookup: Duration?
    /// When the connection stood.
    public var connect: Duration?
    /// When TLS stood; nil without TLS.
    public var secureConnect: Duration?
    /// When the first byte of the answer came.
    public var firstByte: Duration?
    /// When the answer was whole, or the transfer had failed.
    public var total: Duration = .zero

    /// The bytes sent: of the body, and of the head where the transport counts it.
    public var bytesSent: Int64 = 0
    /// The bytes received: of the body as it was on the wire, and of the head where the transport counts it.
    public var bytesReceived: Int64 = 0
    /// Whether it went over a connection that had been used before.
    public var isConnectionReused: Bool?
    /// `http/1.0`, `http/1.1`, `h2` or `h3`: the name that ALPN gives the protocol (RFC 7301).
    public var protocolName: String?
    /// The address and port at the other end: `127.0.0.1:8080`, `[::1]:8080`.
    public var remoteAddress: String?
    /// How many redirects were followed; the moments are those of the last request.
    public var redirects = 0

    /// Nothing known yet.
    public init() {}
}
