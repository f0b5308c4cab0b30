/// A splitter of bytes into JSON texts for every ``JSONFraming``.
struct JSONTextSplitter {
    // Exactly one of them is not `nil`.
    private var lines: LineSplitter?
    private var sequence: TextSequenceSplitter?
    private var array: ArraySplitter?

    /// - Parameter maximumLength: The maximum length of a text in bytes.
    init(_ framing: JSONFraming, maximumLength: Int) {
        switch framing {
        case .newlineDelimited: lines = LineSplitter(endingWith: .lineFeed, maximumLength: maximumLength)
        case .textSequence: sequence = TextSequenceSplitter(maximumLength: maximumLength)
        case .array: array = ArraySplitter(maximumLength: maximumLength)
        }
    }

    mutating func append(_ piece: Data) {
        lines?.append(piece)
        sequence?.append(piece)
        array?.append(piece)
    }

    /// Returns the next complete text; `nil` if the next piece is needed.
    mutating func next() -> JSONText? {
        while let line = lines?.next() {
            if let text = Self.text(of: line) { return text }
        }
        return sequence?.next() ?? array?.next()
    }

    /// Returns the text that the end of the body completes, or `nil`.
    mutating func finish() -> JSONText? {
        lines?.finish().flatMap(Self.text) ?? sequence?.finish() ?? array?.finish()
    }

    /// Returns the text of a line; `nil` if the line is blank.
    private static func text(of line: LineSplitter.Line) -> JSONText? {
        switch line {
        case .whole(let bytes): bytes.allSatisfy(\.isJSONWhiteSpace) ? nil : .whole(bytes)
        case .tooLong: .tooLong
        }
    }
}
