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

/// A splitter of bytes into lines, wherever they are split into pieces.
///
/// It reads each byte once. It keeps the current piece and, of a line that continues in the next piece, at most the
/// maximum length.
struct LineSplitter {
    /// The characters that end a line.
    enum LineEnd {
        /// LF, CR, or CRLF.
        case any
        /// LF only; a CR is part of the line.
        case lineFeed
    }

    /// A line without its end.
    enum Line {
        case whole(ArraySlice<UInt8>)
        /// A line that is longer than the limit; its bytes are skipped.
        case tooLong
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private let lineEnd: LineEnd
    private let maximumLength: Int
    private var piece: [UInt8] = []
    private var position = 0
    /// The positions of the next LF and CR in the piece, or its length if the piece has no such byte. A value less than
    /// `position` is outdated.
    private var nextLineFeed = -1
    private var nextCarriageReturn = -1
    /// The bytes of the line from earlier pieces.
    private var begun: [UInt8] = []
    /// Whether the rest of the line is skipped.
    private var isSkipping = false
    /// Whether the previous line ended with a CR, so that an LF would belong to its end.
    private var followsCarriageReturn = false

    /// - Parameter maximumLength: The maximum length of a line in bytes, without its end.
    init(endingWith lineEnd: LineEnd = .any, maximumLength: Int) {
        self.lineEnd = lineEnd
        self.maximumLength = max(0, maximumLength)
    }

    mutating func append(_ data: Data) {
        piece = position < piece.count ? Array(piece[position...] + data) : Array(data)
        position = 0
        nextLineFeed = -1
        nextCarriageReturn = lineEnd == .any ? -1 : .max
    }

    /// Returns the next complete line; `nil` if the next piece is needed.
    mutating func next() -> Line? {
        while position < piece.count {
            if followsCarriageReturn {
                followsCarriageReturn = false
                if piece[position] == Self.lineFeed {
                    position += 1
                    continue
                }
            }
            if let line = nextPart() { return line }
        }
        return nil
    }

    /// Returns the line that the end of the body completes; `nil` if the last line has its own end.
    mutating func finish() -> Line? {
        defer { begun = [] }
        return begun.isEmpty ? nil : .whole(begun[...])
    }

    /// Reads up to the end of the line or of the piece.
    private mutating func nextPart() -> Line? {
        let end = endOfLine()
        let part = piece[position..<(end ?? piece.count)]
        position = part.endIndex + (end == nil ? 0 : 1)
        followsCarriageReturn = end.map { piece[$0] == Self.carriageReturn } ?? false
        if isSkipping {
            isSkipping = end == nil
            return nil
        }
        if part.count > maximumLength - begun.count {
            begun = []
            isSkipping = end == nil
            return .tooLong
        }
        if end != nil, begun.isEmpty { return .whole(part) }
        begun += part
        return end == nil ? nil : finish() ?? .whole([])
    }

    private mutating func endOfLine() -> Int? {
        if nextLineFeed < position { nextLineFeed = index(of: Self.lineFeed) }
        if nextCarriageReturn < position { nextCarriageReturn = index(of: Self.carriageReturn) }
        let end = min(nextLineFeed, nextCarriageReturn)
        return end < piece.count ? end : nil
    }

    private func index(of byte: UInt8) -> Int {
        piece.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress,
                let found = memchr(start + position, Int32(byte), bytes.count - position)
            else { return bytes.count }
            return UnsafeRawPointer(found) - start
        }
    }
}
