/// Something that goes wrong while a ``MockServer`` answers.
///
/// ```swift
/// server.on(.get, "/big") { _ in .json(data).with(fault: .closeInBody(after: 10)) }
/// ```
///
/// Counts are bytes, from 0 up, and one beyond the end means the end. Those of the head count from its first byte;
/// those of the body count its payload, without chunk sizes and line ends. A cut falls right behind the last byte
/// counted, so `closeInBody(after: .max)` on a chunked body leaves out what ends it. The client can tell a close (FIN,
/// the end of the stream) from a reset (RST, an error, which may also destroy bytes it has not read yet).
public enum MockFault: Sendable {
    /// What runs between two pieces of an answer; when it throws, the connection is closed.
    public typealias Pause = @Sendable () async throws -> Void

    /// Closes instead of answering.
    case closeBeforeHead
    /// Closes after so many bytes of the head.
    case closeInHead(after: Int)
    /// Closes after the head and so many bytes of payload.
    case closeInBody(after: Int)

    /// Resets the connection instead of answering.
    case resetBeforeHead
    /// Resets the connection after the head and so many bytes of payload.
    case resetInBody(after: Int)

    /// Sends nothing, and holds the connection until the client closes it or the server stops.
    case stallBeforeHead
    /// Sends so many bytes of the head, then holds the connection as ``stallBeforeHead`` does.
    case stallInHead(after: Int)
    /// Sends the head and so many bytes of payload, then holds the connection as ``stallBeforeHead`` does.
    case stallInBody(after: Int)

    /// Sends the whole answer, but a few bytes at a time, each piece a write of its own.
    ///
    /// There is no clock in it: `pause` runs between two pieces and decides when the next one goes. It is cancelled
    /// when the client closes. Without it the pieces follow each other at once, and the client may see them joined.
    case drip(bytesAtATime: Int, pause: Pause = {})

    /// Sends the head, and then each chunk of a `.chunked` body, and at last its end, only after a pause of its own.
    ///
    /// This is how a stream of events is tested: the pause decides when the client gets the next one.
    case pauseBeforeEachChunk(Pause)

    /// Declares a `Content-Length` that differs from that of a `.sized` body by so much.
    ///
    /// When it is more than there is, the connection is closed after the body. When it is less, the rest of the body
    /// follows the answer on a connection that stays open, where a next answer is expected.
    case wrongContentLength(by: Int)
}

extension MockFault {
    /// A place in an answer.
    enum Point {
        case head(Int)
        case body(Int)
    }

    /// Where the answer is cut short and what comes then; nil for a fault that sends all of it.
    var cut: (at: Point, then: ResponseWriter.Step)? {
        switch self {
        case .closeBeforeHead: (.head(0), .close)
        case .closeInHead(let count): (.head(count), .close)
        case .closeInBody(let count): (.body(count), .close)
        case .resetBeforeHead: (.head(0), .reset)
        case .resetInBody(let count): (.body(count), .reset)
        case .stallBeforeHead: (.head(0), .stall)
        case .stallInHead(let count): (.head(count), .stall)
        case .stallInBody(let count): (.body(count), .stall)
        case .drip, .pauseBeforeEachChunk, .wrongContentLength: nil
        }
    }

    /// What is added to the length that the head declares.
    var contentLengthError: Int {
        guard case .wrongContentLength(let error) = self else { return 0 }
        return error
    }
}
