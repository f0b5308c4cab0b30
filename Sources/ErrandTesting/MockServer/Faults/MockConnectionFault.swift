/// Something that goes wrong with a connection to a ``MockServer`` before any request is read, or behind the last.
///
/// ```swift
/// server.onConnection(inTurn: [.resetAtAccept, nil])
/// ```
///
/// With TLS, what is said here of the first bytes is said of the ClientHello.
public enum MockConnectionFault: Hashable, Sendable {
    /// Closes it as soon as it is accepted.
    case closeAtAccept
    /// Resets it as soon as it is accepted.
    case resetAtAccept
    /// Reads nothing of what comes, and holds it until the client closes it or the server stops.
    case stallAtAccept

    /// Closes it when the first bytes have come: for a client of a server with TLS, in the middle of the handshake.
    case closeAfterFirstBytes
    /// Resets it when the first bytes have come.
    case resetAfterFirstBytes
    /// Says nothing to the first bytes, nor to what follows, and holds it as ``stallAtAccept`` does.
    case stallAfterFirstBytes
    /// Answers the first bytes with a plain `400 Bad Request`, whatever they are: how a server answers TLS that speaks
    /// none.
    case answersInPlainText

    /// Serves it as any other, but closes it without saying so in TLS (close_notify): an answer that ends with the
    /// connection cannot be told from one that was cut off. Many clients do not look, libcurl among them. Without TLS it
    /// does nothing.
    case closeWithoutNotice
}
