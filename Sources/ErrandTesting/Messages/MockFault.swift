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
///
/// Faults of chunks are those of a `.chunked` body, whose chunks count from 0, empty ones left out; one beyond them is
/// the last, of size 0, that ends the body. Any other body is sent as if there were no such fault. A head that makes no
/// sense is a ``MockResponse/raw``.
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
    /// Resets the connection after so many bytes of the head.
    case resetInHead(after: Int)
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

    /// Closes behind the first byte of a chunk's size.
    case closeInChunkSize(chunk: Int)
    /// Puts `zz` in the place of a chunk's size, which is to be hexadecimal.
    case malformedChunkSize(chunk: Int)
    /// Gives a chunk a size that differs from its own by so much; what follows is then in the wrong place.
    case wrongChunkSize(chunk: Int, by: Int)
    /// Closes after so many bytes behind the line of the last chunk, where the trailer fields are.
    case closeInTrailers(after: Int)
    /// Puts a line without a colon in front of the trailer fields.
    case malformedTrailer
}

extension MockFault {
    /// A place in an answer.
    enum Point {
        case head(Int)
        case body(Int)
        case chunkSize(Int)
        case trailers(Int)
    }

    /// How a response ends that is cut short.
    enum Ending {
        case close
        case reset
        /// Nothing more is sent until the client closes.
        case stall
    }

    /// Where the response is cut short and how it ends there; `nil` for a fault that sends all of it.
    var cut: (at: Point, then: Ending)? {
        switch self {
        case .closeBeforeHead: (.head(0), .close)
        case .closeInHead(let count): (.head(count), .close)
        case .closeInBody(let count): (.body(count), .close)
        case .resetBeforeHead: (.head(0), .reset)
        case .resetInHead(let count): (.head(count), .reset)
        case .resetInBody(let count): (.body(count), .reset)
        case .stallBeforeHead: (.head(0), .stall)
        case .stallInHead(let count): (.head(count), .stall)
        case .stallInBody(let count): (.body(count), .stall)
        case .closeInChunkSize(let chunk): (.chunkSize(chunk), .close)
        case .closeInTrailers(let count): (.trailers(count), .close)
        case .drip, .pauseBeforeEachChunk, .wrongContentLength, .malformedChunkSize, .wrongChunkSize, .malformedTrailer:
            nil
        }
    }

    /// The same fault, with a chunk beyond the last taken for the last, whose index is given.
    func ofLastChunk(_ last: Int) -> MockFault {
        switch self {
        case .malformedChunkSize(let chunk): .malformedChunkSize(chunk: chunk > last ? last : chunk)
        case .wrongChunkSize(let chunk, let error): .wrongChunkSize(chunk: chunk > last ? last : chunk, by: error)
        default: self
        }
    }

    /// What a chunk of this size says of it.
    func sizeLine(of chunk: Int, size: Int) -> String {
        switch self {
        case .malformedChunkSize(let faulty) where faulty == chunk: return "zz"
        case .wrongChunkSize(let faulty, let error) where faulty == chunk:
            let (wrong, overflows) = size.addingReportingOverflow(error)
            return String(overflows ? size : max(0, wrong), radix: 16)
        default: return String(size, radix: 16)
        }
    }

    /// What is added to the length that the head declares.
    var contentLengthError: Int {
        guard case .wrongContentLength(let error) = self else { return 0 }
        return error
    }
}
