public import ErrandTesting

/// A fault while a ``MockServer`` reads the body of a request.
///
/// ```swift
/// server.onUpload(.post, "/files", .respond(.status(413), after: 0))
/// ```
///
/// Counts are numbers of bytes of the body, without chunk sizes and line ends, from 0; a negative count means 0, and
/// one beyond the end means the end. A request whose body is not read completely is recorded in
/// ``MockServer/requests`` with the part that was read, and its ``/ErrandTesting/MockRequest/isComplete`` is `false`.
/// Its handler is not called.
///
/// A client that waits for `100 Continue` receives it, except with ``ignoresExpectation`` or if the count is 0.
public enum MockUploadFault: Sendable {
    /// Responds before the whole body has arrived, closes for sending, and discards the rest.
    ///
    /// With `after: 0`, it rejects an expectation: the client receives for example 417 instead of `100 Continue`.
    case respond(MockResponse, after: Int)
    /// Closes the connection after this number of bytes. If more bytes are in transit, the client sees a reset.
    case close(after: Int)
    /// Resets the connection after this number of bytes.
    case reset(after: Int)
    /// Stops reading after this number of bytes, and keeps the connection open until the client closes it or the server
    /// stops.
    case stall(after: Int)
    /// Reads the whole body in pieces of this number of bytes, with a pause after each piece; less than 1 counts as 1.
    /// Then the request is handled normally.
    ///
    /// For the pause, see ``/ErrandTesting/MockFault/drip(bytesAtATime:pause:)``. It slows the client only when the
    /// buffers of the sockets are full, which may be after some megabytes.
    case slow(bytesAtATime: Int, pause: MockFault.Pause)
    /// Reads the whole body, but never sends `100 Continue`: the client must continue without it.
    case ignoresExpectation

    /// The number of bytes after which the fault first occurs; `nil` if it does not stop the reading.
    var count: Int? {
        switch self {
        case .respond(_, let count), .close(let count), .reset(let count), .stall(let count): max(0, count)
        case .slow(let count, _): max(1, count)
        case .ignoresExpectation: nil
        }
    }

    /// Whether the client receives `100 Continue`.
    var saysContinue: Bool { count != nil && count != 0 }
}
