/// The encoding of a text with its byte order, and its bytes without the byte order mark.
struct TextCoding {
    let encoding: String.Encoding
    let bytes: Data

    init(_ named: String.Encoding, of data: Data) {
        let marks = Self.marks[named] ?? []
        let mark = marks.first { data.starts(with: $0.bytes) }
        encoding = mark?.encoding ?? marks.last?.encoding ?? named
        bytes = data.dropFirst(mark?.bytes.count ?? 0)
    }

    /// The text; `nil` if the bytes are invalid in the encoding.
    var text: String? {
        guard let text = String(data: bytes, encoding: encoding) else { return nil }
        // Foundation repairs UTF-16 and UTF-32: it drops half a code unit, and replaces half a surrogate pair with
        // U+FFFD.
        guard [.utf16BigEndian, .utf16LittleEndian, .utf32BigEndian, .utf32LittleEndian].contains(encoding) else {
            return text
        }
        return text.data(using: encoding) == bytes ? text : nil
    }

    /// The byte order marks of an encoding, and the encodings they indicate. Without a mark, the last encoding applies.
    private static let marks: [String.Encoding: [(bytes: [UInt8], encoding: String.Encoding)]] = [
        .utf8: [([0xEF, 0xBB, 0xBF], .utf8)],
        .utf16: [([0xFF, 0xFE], .utf16LittleEndian), ([0xFE, 0xFF], .utf16BigEndian)],
        .utf32: [([0xFF, 0xFE, 0, 0], .utf32LittleEndian), ([0, 0, 0xFE, 0xFF], .utf32BigEndian)],
    ]
}
