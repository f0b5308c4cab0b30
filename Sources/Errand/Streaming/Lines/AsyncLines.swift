extension AsyncSequence where Self: Sendable, Element == Data {
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
    public func lines(maximumLength: Int = 1 << 20) -> some AsyncSequence<String, any Error> & Sendable {
        ParsedSequence(base: self, parser: TextLineParser(maximumLength: maximumLength))
    }
}

/// A parser of lines as text. A line that is too long ends the sequence with an error.
private struct TextLineParser: PieceParser {
    private let maximumLength: Int
    private var splitter: LineSplitter

    init(maximumLength: Int) {
        self.maximumLength = max(0, maximumLength)
        splitter = LineSplitter(maximumLength: maximumLength)
    }

    mutating func append(_ piece: Data) {
        splitter.append(piece)
    }

    mutating func next() throws(ErrandError) -> String? {
        // Not `text(of: splitter.next())`: the call would first copy `self`, and the splitter would then copy its
        // buffers when it changes them.
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
