/// A splitter of a JSON text sequence (RFC 7464) into its texts, wherever the bytes are split into pieces. It reads
/// each byte once.
///
/// A text is complete when its LF arrives. The splitter does not wait for the next text, which may arrive hours later.
/// Since an LF between the tokens of a text does not end it, the splitter tracks brackets and quotes.
package struct TextSequenceSplitter {
    private static let recordSeparator: UInt8 = 0x1E

    private enum State {
        /// Before a record separator, where only white space is allowed.
        case beforeSeparator
        /// Between a record separator and its text.
        case beforeText
        case inText
        /// In bytes that are skipped up to the next record separator.
        case skipping
    }

    private let maximumLength: Int
    private var piece: [UInt8] = []
    private var position = 0
    /// The position in the piece where the text begins.
    private var start = 0
    /// The bytes of the text from earlier pieces.
    private var earlier: [UInt8] = []
    private var state = State.beforeSeparator
    private var nesting = JSONNesting()

    /// - Parameter maximumLength: The maximum length of a text in bytes, without its LF.
    package init(maximumLength: Int) {
        self.maximumLength = max(0, maximumLength)
    }

    package mutating func append(_ data: Data) {
        // If `next()` has not returned `nil` yet, keeps the unread bytes, and those of the text that has begun.
        let first = state == .inText ? start : position
        piece = first < piece.count ? Array(piece[first...] + data) : Array(data)
        position -= first
        start = 0
    }

    /// Returns the next complete text; `nil` if the next piece is needed.
    package mutating func next() -> JSONText? {
        while position < piece.count {
            let byte = piece[position]
            let text = byte == Self.recordSeparator ? beginRecord() : read(byte)
            position += 1
            if let text { return text }
        }
        return keepBegunText()
    }

    /// Returns the text that the end of the body completes, or `nil`.
    package mutating func finish() -> JSONText? {
        defer { state = .beforeSeparator }
        return state == .inText ? endText(isFollowedByLineFeed: false) : nil
    }

    /// Begins a record, and returns the previous text if it has no LF. Such a text may be truncated, and none of it
    /// belongs to the next one.
    private mutating func beginRecord() -> JSONText? {
        defer { state = .beforeText }
        return state == .inText ? endText(isFollowedByLineFeed: false) : nil
    }

    private mutating func read(_ byte: UInt8) -> JSONText? {
        switch state {
        case .beforeSeparator:
            guard !byte.isJSONWhiteSpace else { return nil }
            state = .skipping
            return .stray
        case .beforeText:
            guard !byte.isJSONWhiteSpace else { return nil }
            state = .inText
            start = position
            nesting = JSONNesting()
            nesting.read(byte)
        case .inText:
            if byte == UInt8(ascii: "\n"), nesting.isOutside { return endText(isFollowedByLineFeed: true) }
            nesting.read(byte)
        case .skipping:
            break
        }
        return nil
    }

    /// Ends the text before the current byte.
    private mutating func endText(isFollowedByLineFeed: Bool) -> JSONText {
        let part = piece[start..<position]
        defer { earlier = [] }
        guard part.count <= maximumLength - earlier.count else {
            state = .skipping
            return .tooLong
        }
        state = .beforeSeparator
        let text = earlier.isEmpty ? part : (earlier + part)[...]
        return isFollowedByLineFeed || text.endsItself ? .whole(text) : .cutOff(text)
    }

    /// Keeps the bytes of a text that continues in the next piece. Beyond the limit, skips the text and returns an
    /// error.
    private mutating func keepBegunText() -> JSONText? {
        guard state == .inText, start < position else { return nil }
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
    /// Whether the text is complete if it is valid: it is an object, an array or a string, or it ends with white space.
    fileprivate var endsItself: Bool {
        let openings: [UInt8] = [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\"")]
        return first.map(openings.contains) ?? false || last?.isJSONWhiteSpace ?? false
    }
}
