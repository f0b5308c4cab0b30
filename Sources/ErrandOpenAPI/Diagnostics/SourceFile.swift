/// A file of a document, and the lines in it.
final class SourceFile: Sendable {
    /// The unit in which the reader counts places.
    enum Unit: Sendable {
        case bytes
        case characters
    }

    /// The path as diagnostics show it.
    let path: String
    /// The text in UTF-8, without a byte order mark.
    let text: [UInt8]
    let unit: Unit
    /// The offsets of the lines' first characters.
    private let lineStarts: [Int]

    init(path: String, text: [UInt8], unit: Unit) {
        self.path = path
        self.text = text
        self.unit = unit
        lineStarts = Self.starts(of: text, unit)
    }

    /// Returns the line and the column of an offset, both from 1. The column counts in the unit of the file.
    func position(of offset: Int) -> (line: Int, column: Int) {
        var (low, high) = (0, lineStarts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return (low + 1, max(0, offset - lineStarts[low]) + 1)
    }

    private static func starts(of text: [UInt8], _ unit: Unit) -> [Int] {
        var starts = [0]
        var offset = 0
        for byte in text {
            // The bytes after the first of a character begin with the bits 10.
            if unit == .bytes || byte & 0xC0 != 0x80 { offset += 1 }
            if byte == UInt8(ascii: "\n") { starts.append(offset) }
        }
        return starts
    }
}
