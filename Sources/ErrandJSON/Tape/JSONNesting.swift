/// The nesting of the next byte of a JSON text in arrays, objects and strings.
package struct JSONNesting {
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    package init() {}

    /// Whether the next byte is outside of every array, object and string.
    package var isOutside: Bool { depth == 0 && !isInString }

    /// Updates the nesting after a byte of the text.
    package mutating func read(_ byte: UInt8) {
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth = max(0, depth - 1)
        default: break
        }
    }
}
