import Errand

/// A hex dump: sixteen bytes in each line, after their offset.
enum HexLines {
    /// The maximum number of bytes that are shown.
    private static let maximumCount = 64 << 10

    static func lines(of data: Data) -> [String] {
        let bytes = Array(data.prefix(maximumCount))
        let lines = stride(from: 0, to: bytes.count, by: 16).map { start in
            let row = bytes[start..<min(start + 16, bytes.count)]
            return
                "\(hexadecimal(start, digits: 8))  \(row.map { hexadecimal(Int($0), digits: 2) }.joined(separator: " "))"
        }
        return data.count > bytes.count ? lines + ["\(data.count) bytes in all"] : lines
    }

    private static func hexadecimal(_ number: Int, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
