extension AsyncSequence where Element == Data {
    /// Returns the lines of a UTF-8 text, each as soon as it is complete.
    ///
    /// ```swift
    /// for try await line in request.sendStream().lines() { print(line) }
    /// ```
    ///
    /// A line ends with LF, CR or CRLF, and is returned without its end. A line that ends with CR is returned before it
    /// is known whether an LF follows. Empty lines are included. The last line may lack its end. Line ends and
    /// characters may be split over pieces in any way. Invalid UTF-8 becomes U+FFFD, and a byte order mark is kept.
    ///
    /// A line that is too long fails with ``ErrandError/Code-swift.struct/elementTooLarge`` and ends the sequence.
    /// Cancelling the task that reads, or leaving the loop, ends the transfer.
    ///
    /// - Parameter maximumLength: The maximum length of a line in bytes, without its end; 1 MiB by default. It also
    ///   bounds the buffer for an incomplete line. A negative value counts as zero.
    public func lines(maximumLength: Int = 1 << 20) -> AsyncLines<Self> {
        AsyncLines(base: self, maximumLength: maximumLength)
    }
}

/// The lines of a body. `lines(maximumLength:)` returns it.
public struct AsyncLines<Base: AsyncSequence>: AsyncSequence where Base.Element == Data {
    /// A line without its end.
    public typealias Element = String

    let base: Base
    let maximumLength: Int

    /// Creates an iterator over the lines.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(lines: ParsingIterator(base.makeAsyncIterator(), TextLineParser(maximumLength: maximumLength)))
    }

    /// An iterator over the lines. Only one task at a time may use it.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var lines: ParsingIterator<Base.AsyncIterator, TextLineParser>

        /// Returns the next line; `nil` after the last one, and always after an error.
        ///
        /// - Throws: The errors of the body; ``ErrandError`` with `elementTooLarge` or `cancelled`.
        public mutating func next() async throws -> String? {
            try await lines.next()
        }
    }
}

extension AsyncLines: Sendable where Base: Sendable {}

/// A parser of lines as text. A line that is too long ends them with an error.
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
        // This cannot be an argument of `text(of:)`: the call would hold a copy of the splitter, which would then copy
        // the line.
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
