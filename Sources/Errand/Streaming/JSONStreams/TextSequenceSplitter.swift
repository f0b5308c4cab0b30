/// Takes the bytes of a JSON text sequence (RFC 7464) apart into its texts, wherever they are split into pieces.
///
/// A text is given when its LF has come, and not only when the next one begins: that may be hours later. An LF between
/// the tokens of a text is not its end, so brackets and quotes are followed, as far as that takes. Each byte is read once.
struct TextSequenceSplitter {
    private static let recordSeparator: UInt8 = 0x1E

    private enum State {
        /// In front of a record separator: only white space belongs here.
        case outside
        /// Behind a record separator.
        case begun
        /// In a text.
        case inside
        /// In something of which no more is wanted, up to the next record separator.
        case skipping
    }

    private let maximumLength: Int
    private var piece: [UInt8] = []
    private var position = 0
    /// Where the text begins in the piece.
    private var start = 0
    /// What earlier pieces had of the text.
    private var earlier: [UInt8] = []
    private var state = State.outside
    private var nesting = JSONNesting()

    /// - Parameter maximumLength: The most bytes of a text, its LF not counted.
    init(maximumLength: Int) {
        self.maximumLength = max(0, maximumLength)
    }

    mutating func append(_ data: Data) {
        let first = state == .inside ? start : position
        piece = first < piece.count ? Array(piece[first...] + data) : Array(data)
        position -= first
        start = 0
    }

    /// The next text that has ended; nil when there is none before the next piece.
    mutating func next() -> JSONText? {
        while position < piece.count {
            let byte = piece[position]
            let text = byte == Self.recordSeparator ? recordBegins() : read(byte)
            position += 1
            if let text { return text }
        }
        return keepBegunText()
    }

    /// The text that the end of the body ends; nil when there is none.
    mutating func finish() -> JSONText? {
        defer { state = .outside }
        return state == .inside ? endText(isFollowedByLineFeed: false) : nil
    }

    /// Sees what may be cut off: nothing that is left of a text belongs to the next one.
    private mutating func recordBegins() -> JSONText? {
        defer { state = .begun }
        return state == .inside ? endText(isFollowedByLineFeed: false) : nil
    }

    private mutating func read(_ byte: UInt8) -> JSONText? {
        switch state {
        case .outside:
            guard !byte.isJSONWhiteSpace else { return nil }
            state = .skipping
            return .stray
        case .begun:
            guard !byte.isJSONWhiteSpace else { return nil }
            state = .inside
            start = position
            nesting = JSONNesting()
            nesting.read(byte)
        case .inside:
            if byte == UInt8(ascii: "\n"), nesting.isOutside { return endText(isFollowedByLineFeed: true) }
            nesting.read(byte)
        case .skipping:
            break
        }
        return nil
    }

    /// Ends the text in front of the byte that is being read.
    private mutating func endText(isFollowedByLineFeed: Bool) -> JSONText {
        let part = piece[start..<position]
        defer { earlier = [] }
        guard part.count <= maximumLength - earlier.count else {
            state = .skipping
            return .tooLong
        }
        state = .outside
        let text = earlier.isEmpty ? part : (earlier + part)[...]
        return isFollowedByLineFeed || text.endsItself ? .whole(text) : .cutOff(text)
    }

    /// Keeps what the piece has of a text that goes on behind it, as far as it may.
    private mutating func keepBegunText() -> JSONText? {
        guard state == .inside, position == piece.count, start < position else { return nil }
        let part = piece[start...]
        start = position
        guard part.count <= maximumLength - earlier.count else {
            earlier = []
            state = .skipping
            return .tooLong
        }
        earlier += part
        return nil
    }
}

extension ArraySlice<UInt8> {
    /// Whether nothing that followed could have been part of this text: it is an object, an array or a string, or ends with
    /// white space.
    fileprivate var endsItself: Bool {
        let openings: [UInt8] = [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\"")]
        return first.map(openings.contains) ?? false || last?.isJSONWhiteSpace ?? false
    }
}
