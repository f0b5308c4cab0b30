/// Takes bytes apart into JSON texts, whichever way they are framed.
struct JSONTextSplitter {
    // One of them is there.
    private var lines: LineSplitter?
    private var sequence: TextSequenceSplitter?
    private var array: ArraySplitter?

    /// - Parameter maximumLength: The most bytes of a text.
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

    /// The next text that has ended; nil when there is none before the next piece.
    mutating func next() -> JSONText? {
        while let line = lines?.next() {
            if let text = Self.text(of: line) { return text }
        }
        return sequence?.next() ?? array?.next()
    }

    /// The text that the end of the body ends; nil when there is none.
    mutating func finish() -> JSONText? {
        lines?.finish().flatMap(Self.text) ?? sequence?.finish() ?? array?.finish()
    }

    /// What a line is; nil for a blank one.
    private static func text(of line: LineSplitter.Line) -> JSONText? {
        switch line {
        case .whole(let bytes): bytes.allSatisfy(\.isJSONWhiteSpace) ? nil : .whole(bytes)
        case .tooLong: .tooLong
        }
    }
}
