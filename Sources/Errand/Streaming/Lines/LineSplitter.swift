/// Takes bytes apart into lines, wherever they are split into pieces.
///
/// It reads each byte once. It keeps the piece that it is given and, of a line that goes on behind it, no more than a line
/// may have.
struct LineSplitter {
    /// What ends a line.
    enum LineEnd {
        /// LF, CR, or CRLF.
        case any
        /// LF alone; a CR is part of the line.
        case lineFeed
    }

    /// A line without its end.
    enum Line {
        case whole(ArraySlice<UInt8>)
        /// One that has more bytes than it may: they are passed over.
        case tooLong
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private let lineEnd: LineEnd
    private let maximumLength: Int
    private var piece: [UInt8] = []
    private var position = 0
    /// Where in the piece the next of each is, its end where there is none; less than the position when not known.
    private var nextLineFeed = -1
    private var nextCarriageReturn = -1
    /// What earlier pieces had of the line.
    private var begun: [UInt8] = []
    /// Whether the rest of the line is passed over.
    private var isSkipping = false
    /// Whether a line feed would belong to the line before.
    private var followsCarriageReturn = false

    /// - Parameter maximumLength: The most bytes of a line, its end not counted.
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

    /// The next line that has ended; nil when there is none before the next piece.
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

    /// The line that the end of the body ends; nil when the last line has its own end.
    mutating func finish() -> Line? {
        defer { begun = [] }
        return begun.isEmpty ? nil : .whole(begun[...])
    }

    /// Goes on to the end of the line, or of the piece.
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
