/// The encoding of a document that is not UTF-8.
///
/// RFC 8259 requires UTF-8 between systems. Older RFCs allowed UTF-16 and UTF-32 too. A byte order mark distinguishes
/// the encodings. Without a mark, the zeros around the first character do, because that character is ASCII.
struct JSONEncoding {
    private let encoding: String.Encoding
    private let markLength: Int

    /// Recognizes UTF-16 and UTF-32. Returns `nil` for UTF-8.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 2, bytes[0] >= 0xFE || bytes[0] == 0 || bytes[1] == 0 else { return nil }
        // In a shorter document, the 1 stands for a missing byte: it is not zero and not part of a mark.
        let four = bytes.count >= 4 ? (bytes[0], bytes[1], bytes[2], bytes[3]) : (bytes[0], bytes[1], 1, 1)
        switch four {
        case (0xFF, 0xFE, 0, 0): (encoding, markLength) = (.utf32LittleEndian, 4)
        case (0, 0, 0xFE, 0xFF): (encoding, markLength) = (.utf32BigEndian, 4)
        case (0xFF, 0xFE, _, _): (encoding, markLength) = (.utf16LittleEndian, 2)
        case (0xFE, 0xFF, _, _): (encoding, markLength) = (.utf16BigEndian, 2)
        case (0, 0, 0, _): (encoding, markLength) = (.utf32BigEndian, 0)
        case (_, 0, 0, 0): (encoding, markLength) = (.utf32LittleEndian, 0)
        case (0, _, _, _): (encoding, markLength) = (.utf16BigEndian, 0)
        case (_, 0, _, _): (encoding, markLength) = (.utf16LittleEndian, 0)
        default: return nil
        }
    }

    /// Returns the text in UTF-8, or `nil` if it is invalid.
    func utf8(_ bytes: UnsafeRawBufferPointer) -> ContiguousArray<UInt8>? {
        let text = Data(bytes.dropFirst(markLength))
        guard text.count % (encoding == .utf16BigEndian || encoding == .utf16LittleEndian ? 2 : 4) == 0 else {
            return nil
        }
        let utf8 = String(data: text, encoding: encoding).map { ContiguousArray($0.utf8) }
        // A second mark is not JSON. Foundation would remove it, or the reader of UTF-8 would.
        return isMarked(text) ? nil : utf8
    }

    /// Returns `true` if the text begins with a byte order mark in its encoding.
    private func isMarked(_ text: Data) -> Bool {
        switch encoding {
        case .utf32LittleEndian: text.starts(with: [0xFF, 0xFE, 0, 0])
        case .utf32BigEndian: text.starts(with: [0, 0, 0xFE, 0xFF])
        case .utf16LittleEndian: text.starts(with: [0xFF, 0xFE])
        default: text.starts(with: [0xFE, 0xFF])
        }
    }
}
