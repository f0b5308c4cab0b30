/// A fault of a connection to a ``MockServer``, before the first request or after the last.
///
/// ```swift
/// server.onConnection(inTurn: [.resetAtAccept, nil])
/// ```
///
/// With TLS, "the first bytes" are those of the ClientHello.
public enum MockConnectionFault: Hashable, Sendable {
    /// Closes the connection as soon as it is accepted.
    case closeAtAccept
    /// Resets the connection as soon as it is accepted.
    case resetAtAccept
    /// Reads nothing, and keeps the connection open until the client closes it or the server stops.
    case stallAtAccept

    /// Closes the connection when the first bytes arrive; with TLS, in the middle of the handshake.
    case closeAfterFirstBytes
    /// Resets the connection when the first bytes arrive.
    case resetAfterFirstBytes
    /// Does not respond to the first bytes or later ones, and keeps the connection open as ``stallAtAccept`` does.
    case stallAfterFirstBytes
    /// Responds to the first bytes with a plain `400 Bad Request`, as a server without TLS responds to a TLS handshake.
    case respondsInPlainText

    /// Serves the connection normally, but closes it without a TLS close_notify. A response that ends with the
    /// connection cannot be distinguished from one that was cut off. Many clients do not check this, including libcurl.
    /// Without TLS, this has no effect.
    case closeWithoutCloseNotify
}
