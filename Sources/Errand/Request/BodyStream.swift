/// A request body that is read from a stream while it is sent.
///
/// ```swift
/// bodyStream = BodyStream(InputStream(url: file)!, count: size)
/// ```
///
/// A stream can be read once: sending such a request again, by a retry say, fails with
/// ``ErrandError/Code-swift.struct/bodyStreamAlreadyOpened``.
public struct BodyStream {
    /// The stream, not yet opened. Errand opens, reads and closes it.
    public var stream: InputStream
    /// How many bytes it will give; nil when that is not known.
    ///
    /// A stream that gives more or fewer fails the request with ``ErrandError/Code-swift.struct/bodyCountMismatch``.
    public var count: Int?

    /// Taken by whoever reads the stream; copies of this value share it.
    let claim = StreamClaim()

    /// A body that `stream` will give.
    public init(_ stream: InputStream, count: Int? = nil) {
        self.stream = stream
        self.count = count
    }
}

/// The right to read a stream, which exists once.
final class StreamClaim: Sendable {
    private let isTaken = Locked(false)

    /// - Throws: ``ErrandError`` with `bodyStreamAlreadyOpened` for all but the first caller.
    func take() throws {
        let wasTaken = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return isTaken
        }
        if wasTaken { throw ErrandError(.bodyStreamAlreadyOpened, reason: "a stream can be read once") }
    }
}
