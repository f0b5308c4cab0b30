/// The bytes between two separators of a stream of JSON texts.
package enum JSONText: Equatable {
    /// A complete text. The decoder checks whether it is valid JSON.
    case whole(ArraySlice<UInt8>)
    /// A text that may be truncated.
    case cutOff(ArraySlice<UInt8>)
    /// Bytes that do not begin as a text does.
    case stray
    /// Bytes in place of an array.
    case notAnArray
    /// No text, although a comma requires one.
    case nothing
    /// A text that is longer than the limit; its bytes are skipped.
    case tooLong
}

extension UInt8 {
    /// Whether this is white space between the tokens of JSON (RFC 8259, section 2).
    package var isJSONWhiteSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
