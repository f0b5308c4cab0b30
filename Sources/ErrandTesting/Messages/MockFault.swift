package import Errand

/// A fault in the response of a `MockServer`.
///
/// ```swift
/// server.on(.get, "/big") { _ in .json(data).with(fault: .closeInBody(after: 10)) }
/// ```
///
/// Counts are numbers of bytes, from 0; a negative count means 0, and one beyond the end means the end. Counts of the
/// head start at its first byte. Counts of the body include only the payload, without chunk sizes and line ends. The
/// cut comes immediately after the last counted byte, so `closeInBody(after: .max)` for a chunked body omits its end. A
/// client can distinguish a close (FIN, the end of the stream) from a reset (RST, an error, which may also discard
/// bytes that the client has not read yet).
///
/// Faults of a chunk's size and of trailer fields apply only to a `.chunked` body. Its chunks are counted from 0,
/// without empty ones. A number beyond them means the last chunk, of size 0, which ends the body. For a malformed head,
/// use ``MockResponse/raw``.
public enum MockFault: Sendable {
    /// A closure that runs between two pieces of a response. If it throws, the connection is closed.
    public typealias Pause = @Sendable () async throws -> Void

    /// Closes the connection without a response.
    case closeBeforeHead
    /// Closes the connection after this number of bytes of the head.
    case closeInHead(after: Int)
    /// Closes the connection after the head and this number of bytes of payload.
    case closeInBody(after: Int)

    /// Resets the connection without a response.
    case resetBeforeHead
    /// Resets the connection after this number of bytes of the head.
    case resetInHead(after: Int)
    /// Resets the connection after the head and this number of bytes of payload.
    case resetInBody(after: Int)

    /// Sends nothing, and keeps the connection open until the client closes it or the server stops.
    case stallBeforeHead
    /// Sends this number of bytes of the head, and then keeps the connection open as ``stallBeforeHead`` does.
    case stallInHead(after: Int)
    /// Sends the head and this number of bytes of payload, and then keeps the connection open as ``stallBeforeHead``
    /// does.
    case stallInBody(after: Int)

    /// Sends the complete response in pieces of this number of bytes, each in a separate write; less than 1 counts
    /// as 1. The pieces of a `.stream` body are counted without their framing.
    ///
    /// There is no built-in delay: `pause` runs between two pieces and controls when the next one is sent. It is
    /// cancelled when the client closes the connection. Without a pause, the pieces follow immediately, and the client
    /// may receive them joined.
    case drip(bytesAtATime: Int, pause: Pause = {})

    /// Sends the head. Then runs a pause before each chunk of a `.chunked` or `.stream` body, and before its end.
    ///
    /// Use it to test a stream of events: the pause controls when the client receives the next one.
    case pauseBeforeEachChunk(Pause)

    /// Declares a `Content-Length` that differs from the size of a `.sized` body by this number. The declared length is
    /// at least 0, and at most the largest `Int`.
    ///
    /// If it is larger, the connection is closed after the body. If it is smaller, the rest of the body follows the
    /// response on an open connection, where the client expects the next response.
    case wrongContentLength(by: Int)

    /// Closes the connection after the first byte of a chunk's size.
    case closeInChunkSize(chunk: Int)
    /// Sends `zz` in place of a chunk's size, which must be hexadecimal.
    case malformedChunkSize(chunk: Int)
    /// Declares a chunk size that differs from the actual one by this number, so that the following bytes are misread.
    case wrongChunkSize(chunk: Int, by: Int)
    /// Closes the connection this number of bytes after the line of the last chunk, within the trailer fields.
    case closeInTrailers(after: Int)
    /// Sends a line without a colon before the trailer fields.
    case malformedTrailer
}

extension MockFault {
    /// A position in a response.
    package enum Point {
        case head(Int)
        case body(Int)
        case chunkSize(Int)
        case trailers(Int)
    }

    /// The end of a response that is cut.
    package enum Ending {
        case close
        case reset
        /// Nothing more is sent until the client closes.
        case stall
    }

    /// The position of the cut and the end there; `nil` for a fault that sends the whole response.
    package var cut: (at: Point, then: Ending)? {
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

    /// The number that is added to the declared length.
    package var contentLengthError: Int {
        guard case .wrongContentLength(let error) = self else { return 0 }
        return error
    }
}

extension MockResponse {
    /// Returns the length that the response declares for its body.
    package func declaredLength(of data: Data) -> Int {
        let (length, overflows) = data.count.addingReportingOverflow(fault?.contentLengthError ?? 0)
        return overflows ? .max : max(length, 0)
    }
}
