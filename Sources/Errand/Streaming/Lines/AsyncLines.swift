extension AsyncSequence where Element == Data {
    /// The lines of a text in UTF-8, one by one as they come.
    ///
    /// ```swift
    /// for try await line in request.sendStream().lines() { print(line) }
    /// ```
    ///
    /// A line ends with LF, CR or CRLF, and is given without its end; one ended by CR is given before it is known whether
    /// an LF follows. Empty lines are lines. The last line may lack its end. Line ends and characters may be split over
    /// pieces in any way. Bytes that are no UTF-8 become U+FFFD, and a byte order mark stays where it is.
    ///
    /// A line that is too long fails with ``ErrandError/Code-swift.struct/elementTooLarge``, and ends the stream. Cancelling
    /// the task that reads, or leaving the loop, ends the transfer.
    ///
    /// - Parameter maximumLength: The most bytes of a line, its end not counted; 1 MiB by default. It is also how much of
    ///   an unfinished line is kept. Less than zero counts as zero.
    public func lines(maximumLength: Int = 1 << 20) -> AsyncLines<Self> {
        AsyncLines(base: self, maximumLength: maximumLength)
    }
}

/// The lines of a body, as `lines(maximumLength:)` gives them.
public struct AsyncLines<Base: AsyncSequence>: AsyncSequence where Base.Element == Data {
    /// A line without its end.
    public typealias Element = String

    let base: Base
    let maximumLength: Int

    /// Begins to read the body.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(lines: ParsingIterator(base.makeAsyncIterator(), TextLineParser(maximumLength: maximumLength)))
    }

    /// Goes from line to line; to be used by one task at a time.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var lines: ParsingIterator<Base.AsyncIterator, TextLineParser>

        /// The next line; nil behind the last, and for good after an error.
        ///
        /// - Throws: What the body throws; ``ErrandError`` with `elementTooLarge`, or with `cancelled`.
        public mutating func next() async throws -> String? {
            try await lines.next()
        }
    }
}

extension AsyncLines: Sendable where Base: Sendable {}

/// Lines as text; one that is too long ends them.
private struct TextLineParser: PieceParser {
    private let maximumLength: Int
    private var splitter: LineSplitter

    init(maximumLength: Int) {
        self.maximumLength = maximumLength
        splitter = LineSplitter(maximumLength: maximumLength)
    }

    mutating func append(_ piece: Data) {
        splitter.append(piece)
    }

    mutating func next() throws(ErrandError) -> String? {
        // Before `text(of:)` is called: it would hold a copy of the splitter, which would then have to copy the line.
        let line = splitter.next()
        return try text(of: line)
    }

    mutating func finish() throws(ErrandError) -> String? {
        let line = splitter.finish()
        return try text(of: line)
    }

    private func text(of line: LineSplitter.Line?) throws(ErrandError) -> String? {
        switch line {
        case nil: return nil
        case .whole(let bytes): return String(decoding: bytes, as: UTF8.self)
        case .tooLong: throw ErrandError(.elementTooLarge, reason: "a line has more than \(maximumLength) bytes")
        }
    }
}
