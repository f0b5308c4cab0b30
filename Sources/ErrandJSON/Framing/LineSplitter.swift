/// A splitter of bytes into lines, wherever they are split into pieces.
///
/// It reads each byte once. It keeps the current piece and, of a line that continues in the next piece, at most the
/// maximum length.
package struct LineSplitter {
    /// The characters that end a line.
    package enum LineEnd {
        /// LF, CR, or CRLF.
        case any
        /// LF only; a CR is part of the line.
        case lineFeed
    }

    /// A line without its end.
    package enum Line {
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
    private var earlier: [UInt8] = []
    /// Whether the rest of the line is skipped.
    private var isSkipping = false
    /// Whether the previous line ended with a CR, so that an LF would belong to its end.
    private var followsCarriageReturn = false

    /// - Parameter maximumLength: The maximum length of a line in bytes, without its end.
    package init(endingWith lineEnd: LineEnd = .any, maximumLength: Int) {
        self.lineEnd = lineEnd
        self.maximumLength = max(0, maximumLength)
    }

    package mutating func append(_ data: Data) {
        piece = position < piece.count ? Array(piece[position...] + data) : Array(data)
        position = 0
        nextLineFeed = -1
        // A CR that does not end a line is never searched for.
        nextCarriageReturn = lineEnd == .any ? -1 : .max
    }

    /// Returns the next complete line; `nil` if the next piece is needed.
    package mutating func next() -> Line? {
        while position < piece.count {
            if followsCarriageReturn {
                followsCarriageReturn = false
                if piece[position] == Self.lineFeed {
                    position += 1
                    continue
                }
            }
            if let line = readPart() { return line }
        }
        return nil
    }

    /// Returns the line that the end of the body completes; `nil` if the last line has its own end or was too long.
    package mutating func finish() -> Line? {
        earlier.isEmpty ? nil : takeLine()
    }

    /// Reads up to the end of the line or of the piece. Returns the line if it is complete or becomes too long.
    private mutating func readPart() -> Line? {
        let end = endOfLine()
        let part = piece[position..<(end ?? piece.count)]
        position = part.endIndex + (end == nil ? 0 : 1)
        followsCarriageReturn = end.map { piece[$0] == Self.carriageReturn } ?? false
        if isSkipping {
            isSkipping = end == nil
            return nil
        }
        if part.count > maximumLength - earlier.count {
            earlier = []
            isSkipping = end == nil
            return .tooLong
        }
        if end != nil, earlier.isEmpty { return .whole(part) }
        earlier += part
        return end == nil ? nil : takeLine()
    }

    /// Returns the line from earlier pieces, and begins the next one.
    private mutating func takeLine() -> Line {
        defer { earlier = [] }
        return .whole(earlier[...])
    }

    /// Returns the position of the next line end; `nil` if the rest of the piece has none.
    private mutating func endOfLine() -> Int? {
        if nextLineFeed < position { nextLineFeed = index(of: Self.lineFeed) }
        if nextCarriageReturn < position { nextCarriageReturn = index(of: Self.carriageReturn) }
        let end = min(nextLineFeed, nextCarriageReturn)
        return end < piece.count ? end : nil
    }

    /// Returns the next position of a byte, or the length of the piece.
    private func index(of byte: UInt8) -> Int {
        piece.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress,
                let found = memchr(start + position, Int32(byte), bytes.count - position)
            else { return bytes.count }
            return UnsafeRawPointer(found) - start
        }
    }
}
