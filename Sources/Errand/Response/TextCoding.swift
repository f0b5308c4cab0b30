/// How the bytes of a text are read: their encoding, in one order of bytes, and where they begin behind the mark of it.
struct TextCoding {
    let encoding: String.Encoding
    let bytes: Data

    init(_ named: String.Encoding, of data: Data) {
        let marks = Self.marks[named] ?? []
        let mark = marks.first { data.starts(with: $0.bytes) }
        encoding = mark?.encoding ?? marks.last?.encoding ?? named
        bytes = data.dropFirst(mark?.bytes.count ?? 0)
    }

    /// The text; nil when the bytes are not of the encoding.
    var text: String? {
        guard let text = String(data: bytes, encoding: encoding) else { return nil }
        // Foundation mends UTF-16 and UTF-32: it lets go of half a unit, and puts U+FFFD for half a pair.
        guard [.utf16BigEndian, .utf16LittleEndian, .utf32BigEndian, .utf32LittleEndian].contains(encoding) else {
            return text
        }
        return text.data(using: encoding) == bytes ? text : nil
    }

    /// What may stand in front of a text of an encoding, and which it is then; without one it is the last.
    private static let marks: [String.Encoding: [(bytes: [UInt8], encoding: String.Encoding)]] = [
        .utf8: [([0xEF, 0xBB, 0xBF], .utf8)],
        .utf16: [([0xFF, 0xFE], .utf16LittleEndian), ([0xFE, 0xFF], .utf16BigEndian)],
        .utf32: [([0xFF, 0xFE, 0, 0], .utf32LittleEndian), ([0, 0, 0xFE, 0xFF], .utf32BigEndian)],
    ]
}
