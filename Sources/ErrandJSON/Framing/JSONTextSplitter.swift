/// The way in which a stream separates its JSON texts.
public enum JSONFraming: Hashable, Sendable {
    /// One text per line, `application/x-ndjson`, also called JSON Lines.
    ///
    /// A line ends with LF; a CR before it is white space. Blank lines are skipped. The last line may lack its LF.
    case newlineDelimited
    /// A JSON text sequence, `application/json-seq` (RFC 7464): a record separator, U+001E, before each text and an LF
    /// after it.
    ///
    /// A text may contain line breaks. After a truncated text, the next one begins at the next record separator. A
    /// number, `true`, `false` or `null` without white space after it may be truncated, and is an error (section 2.4).
    case textSequence
    /// One JSON array, `application/json`, whose elements are the values. The array is not kept in memory, only one
    /// element and one piece of the body.
    ///
    /// If the body ends before the array does, or continues after it, an error follows the complete elements.
    case array
}

/// A splitter of bytes into JSON texts for every ``JSONFraming``.
package struct JSONTextSplitter {
    // Exactly one of these three is not `nil`. Unlike the payload of an enum, each can be changed in place.
    private var lines: LineSplitter?
    private var sequence: TextSequenceSplitter?
    private var array: ArraySplitter?

    /// - Parameter maximumLength: The maximum length of a text in bytes.
    package init(_ framing: JSONFraming, maximumLength: Int) {
        switch framing {
        case .newlineDelimited: lines = LineSplitter(endingWith: .lineFeed, maximumLength: maximumLength)
        case .textSequence: sequence = TextSequenceSplitter(maximumLength: maximumLength)
        case .array: array = ArraySplitter(maximumLength: maximumLength)
        }
    }

    package mutating func append(_ piece: Data) {
        lines?.append(piece)
        sequence?.append(piece)
        array?.append(piece)
    }

    /// Returns the next complete text; `nil` if the next piece is needed.
    package mutating func next() -> JSONText? {
        while let line = lines?.next() {
            if let text = Self.text(of: line) { return text }
        }
        return sequence?.next() ?? array?.next()
    }

    /// Returns the text that the end of the body completes, or cuts off unless it is a line; otherwise `nil`.
    package mutating func finish() -> JSONText? {
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

/// A JSON text of a stream, or the error in its place.
package enum JSONText: Equatable {
    /// A complete text. The decoder checks whether it is valid JSON.
    case whole(ArraySlice<UInt8>)
    /// A text that may be truncated, or the bytes of the last element if an array is truncated.
    case cutOff(ArraySlice<UInt8>)
    /// Bytes before a record separator or after an array.
    case stray
    /// Bytes in place of an array.
    case notAnArray
    /// No text before or after a comma of an array.
    case nothing
    /// A text that is longer than the limit; its bytes are skipped.
    case tooLong
}

extension UInt8 {
    /// Whether this is white space between the tokens of JSON (RFC 8259, section 2).
    package var isJSONWhiteSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
