/// The timings and byte counts of a transfer.
///
/// Times are measured from the start of the transfer in the transport. A value that the transport does not provide is
/// `nil`. Over ``URLSessionTransport``, only the total time, the bytes of the bodies and the redirects are known, and
/// the bytes are those of the last request after redirects.
public struct TransferMetrics: Hashable, Sendable {
    /// The time until the request could use a connection: it waits because of the connection limits or, in some cases,
    /// for the addresses of its host. After redirects, it includes the time of the earlier requests.
    public var queueing: Duration?
    /// The time until the host name was resolved; on an existing connection, about the same as ``queueing``.
    public var nameLookup: Duration?
    /// The time until the connection was established.
    public var connect: Duration?
    /// The time until the TLS handshake was complete; `nil` without TLS.
    public var secureConnect: Duration?
    /// The time until the first byte of the response arrived.
    public var firstByte: Duration?
    /// The time until the response was complete or the transfer failed.
    public var total: Duration = .zero

    /// The number of bytes sent: the body, and the head if the transport counts it.
    public var bytesSent: Int64 = 0
    /// The number of bytes received: the body before content decoding, or after it with `URLSession`, and the head if
    /// the transport counts it.
    public var bytesReceived: Int64 = 0
    /// Whether the transfer used an existing connection.
    public var isConnectionReused: Bool?
    /// The ALPN name of the protocol (RFC 7301): `http/1.0`, `http/1.1`, `h2` or `h3`.
    public var protocolName: String?
    /// The IP address and port of the peer: `127.0.0.1:8080`, `[::1]:8080`.
    public var remoteAddress: String?
    /// The number of redirects. After redirects, the times are those of the last request, still measured from the start
    /// of the transfer.
    public var redirects = 0

    /// Creates metrics without values.
    public init() {}
}
