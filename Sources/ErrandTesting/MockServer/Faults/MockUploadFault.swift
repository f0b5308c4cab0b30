/// Something that goes wrong while a ``MockServer`` reads the body of a request.
///
/// ```swift
/// server.onUpload(.post, "/files", .answer(.status(413), after: 0))
/// ```
///
/// Counts are bytes of the body, without chunk sizes and line ends, from 0 up; one beyond the end means the end. A
/// request whose reading is given up is among ``MockServer/requests`` all the same, with what there is of its body, and
/// ``MockRequest/isComplete`` is false. No handler is called for it.
///
/// A client that waits for `100 Continue` is told to go on, but not with ``ignoresExpectation`` nor where the count is 0.
public enum MockUploadFault: Sendable {
    /// Answers before all of the body has come, closes for sending, and drops what still comes.
    ///
    /// With `after: 0` this refuses an expectation: the client hears for example 417 instead of `100 Continue`.
    case answer(MockResponse, after: Int)
    /// Closes after so many bytes; where more are on their way, the client sees a reset all the same.
    case close(after: Int)
    /// Resets the connection after so many bytes.
    case reset(after: Int)
    /// Reads nothing more after so many bytes, and holds the connection until the client closes it or the server stops.
    case stall(after: Int)
    /// Reads all of it, but so many bytes at a time, with a pause behind each; then the request is answered as any other.
    ///
    /// What the pause is, see ``MockFault/drip(bytesAtATime:pause:)``. The client feels it once the buffers of the sockets
    /// are full, which may be after some megabytes.
    case slow(bytesAtATime: Int, pause: MockFault.Pause)
    /// Reads all of it, but never says `100 Continue`: the client has to go on by itself.
    case ignoresExpectation

    /// How many bytes are read before it happens first; nil when nothing does.
    var count: Int? {
        switch self {
        case .answer(_, let count), .close(let count), .reset(let count), .stall(let count): max(0, count)
        case .slow(let count, _): max(1, count)
        case .ignoresExpectation: nil
        }
    }

    /// Whether the client is told to send the body.
    var saysContinue: Bool { count != nil && count != 0 }
}
