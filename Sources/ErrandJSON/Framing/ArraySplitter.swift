/// A splitter of a JSON array into the texts of its elements, wherever the bytes are split into pieces. It reads each
/// byte once.
///
/// It reads only brackets, quotes and commas. The decoder checks whether an element is valid JSON.
package struct ArraySplitter {
    private enum State {
        /// Before the opening bracket.
        case beforeArray
        /// After the opening bracket or a comma.
        case beforeElement
        case inElement
        /// In an element that was reported as too long.
        case skipping
        /// After the closing bracket.
        case ended
        /// After a byte that is not allowed before or after the array. The bytes that follow cause no further error.
        case failed
    }

    private let maximumLength: Int
    private var piece: [UInt8] = []
    private var position = 0
    /// The position in the piece where the element begins.
    private var start = 0
    /// The bytes of the element from earlier pieces.
    private var earlier: [UInt8] = []
    private var state = State.beforeArray
    /// The number of bytes of the byte order mark that were read; 3 for a text without a mark.
    private var markLength = 0
    /// Whether no element has begun, so that a closing bracket may follow the opening one.
    private var isFirst = true
    private var nesting = JSONNesting()

    /// - Parameter maximumLength: The maximum length of an element in bytes, with the white space after it.
    package init(maximumLength: Int) {
        self.maximumLength = max(0, maximumLength)
    }

    /// Appends the next piece, after ``next()`` has returned `nil` for the previous one.
    package mutating func append(_ data: Data) {
        piece = Array(data)
        position = 0
        start = 0
    }

    /// Returns the next complete element, or the error of one that is too long; `nil` if the next piece is needed.
    package mutating func next() -> JSONText? {
        while position < piece.count {
            let text = read(piece[position])
            position += 1
            if let text { return text }
        }
        return keepElement()
    }

    /// Returns ``JSONText/cutOff(_:)`` if the body ends before the array does; otherwise `nil`.
    package mutating func finish() -> JSONText? {
        guard state != .ended, state != .failed else { return nil }
        state = .ended
        return .cutOff(earlier[...])
    }

    private mutating func read(_ byte: UInt8) -> JSONText? {
        switch state {
        case .beforeArray:
            // One byte order mark may come first. Two pieces can divide it, so each of its bytes is skipped alone.
            if markLength < 3, byte == [0xEF, 0xBB, 0xBF][markLength] {
                markLength += 1
                return nil
            }
            // A part of a mark is invalid.
            let isValid = markLength == 0 || markLength == 3
            markLength = 3
            if isValid, byte.isJSONWhiteSpace { return nil }
            state = isValid && byte == UInt8(ascii: "[") ? .beforeElement : .failed
            return state == .failed ? .notAnArray : nil
        case .beforeElement:
            guard !byte.isJSONWhiteSpace else { return nil }
            if byte == UInt8(ascii: "]"), isFirst {
                state = .ended
                return nil
            }
            isFirst = false
            start = position
            nesting = JSONNesting()
            state = .inElement
            return readElement(byte)
        case .inElement, .skipping:
            return readElement(byte)
        case .ended:
            guard !byte.isJSONWhiteSpace else { return nil }
            state = .failed
            return .stray
        case .failed:
            return nil
        }
    }

    /// Reads a byte of an element, or the comma or bracket after it, which completes the element.
    private mutating func readElement(_ byte: UInt8) -> JSONText? {
        guard nesting.isOutside, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") else {
            nesting.read(byte)
            return nil
        }
        let isReported = state == .skipping
        let isTooLong = position - start > maximumLength - earlier.count
        let text = earlier.isEmpty ? piece[start..<position] : (earlier + piece[start..<position])[...]
        earlier = []
        state = byte == UInt8(ascii: ",") ? .beforeElement : .ended
        return isReported ? nil : isTooLong ? .tooLong : text.isEmpty ? .nothing : .whole(text)
    }

    /// Keeps the bytes of an element that continues in the next piece. Returns ``JSONText/tooLong`` if they exceed the
    /// limit.
    private mutating func keepElement() -> JSONText? {
        guard state == .inElement, start < piece.count else { return nil }
        defer { (piece, position, start) = ([], 0, 0) }
        if piece.count - start > maximumLength - earlier.count {
            earlier = []
            state = .skipping
            return .tooLong
        }
        earlier += piece[start...]
        return nil
    }
}
