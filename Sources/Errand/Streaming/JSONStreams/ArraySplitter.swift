/// Splits a JSON array into the texts of its elements, wherever the bytes are split into pieces. Each byte is read once.
///
/// Only brackets, quotes and commas are looked at: whether an element is JSON, its decoder finds out.
struct ArraySplitter {
    private enum State {
        /// Before the opening bracket.
        case outside
        /// After the opening bracket or a comma.
        case expecting
        /// In an element.
        case inside
        /// In an element that is too long.
        case skipping
        /// After the closing bracket, or after something that is not an array.
        case ended
    }

    private let maximumLength: Int
    private var piece: [UInt8] = []
    private var position = 0
    /// Where the element begins in the piece.
    private var start = 0
    /// What earlier pieces had of the element.
    private var earlier: [UInt8] = []
    private var state = State.outside
    private var isFirst = true
    private var nesting = JSONNesting()

    /// - Parameter maximumLength: The most bytes of an element.
    init(maximumLength: Int) {
        self.maximumLength = max(0, maximumLength)
    }

    mutating func append(_ data: Data) {
        piece = Array(data)
        position = 0
        start = 0
    }

    /// Returns the next complete element; `nil` if the next piece is needed.
    mutating func next() -> JSONText? {
        while position < piece.count {
            let text = read(piece[position])
            position += 1
            if let text { return text }
        }
        return keepElement()
    }

    /// Returns what is wrong if the body ends before the array does.
    mutating func finish() -> JSONText? {
        guard state != .ended else { return nil }
        state = .ended
        return .cutOff(earlier[...])
    }

    private mutating func read(_ byte: UInt8) -> JSONText? {
        switch state {
        case .outside:
            // A byte order mark may come first.
            guard !byte.isJSONWhiteSpace, ![0xEF, 0xBB, 0xBF].contains(byte) else { return nil }
            state = byte == UInt8(ascii: "[") ? .expecting : .ended
            return state == .ended ? .stray : nil
        case .expecting:
            guard !byte.isJSONWhiteSpace else { return nil }
            if byte == UInt8(ascii: "]"), isFirst {
                state = .ended
                return nil
            }
            isFirst = false
            start = position
            nesting = JSONNesting()
            state = .inside
            return readElement(byte)
        case .inside, .skipping:
            return readElement(byte)
        case .ended:
            // One complaint is enough.
            guard !byte.isJSONWhiteSpace, !piece.isEmpty else { return nil }
            piece = []
            return .stray
        }
    }

    private mutating func readElement(_ byte: UInt8) -> JSONText? {
        guard nesting.isOutside, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") else {
            nesting.read(byte)
            return nil
        }
        let isTooLong = state == .skipping || position - start > maximumLength - earlier.count
        let text = earlier.isEmpty ? piece[start..<position] : (earlier + piece[start..<position])[...]
        earlier = []
        state = byte == UInt8(ascii: ",") ? .expecting : .ended
        return isTooLong ? .tooLong : text.isEmpty ? .nothing : .whole(text)
    }

    /// Keeps what the piece has of an element that continues after it, up to the limit.
    private mutating func keepElement() -> JSONText? {
        guard state == .inside, start < piece.count else { return nil }
        if piece.count - start > maximumLength - earlier.count {
            earlier = []
            state = .skipping
        } else {
            earlier += piece[start...]
        }
        piece = []
        position = 0
        start = 0
        return nil
    }
}
