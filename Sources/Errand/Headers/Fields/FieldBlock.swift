/// The header or trailer fields of a message as bytes. Reading a field by name parses no other field.
struct FieldBlock: Sendable {
    /// The field lines, each with its line end: CRLF, or the bare LF that some servers send.
    let bytes: [UInt8]

    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    /// All fields, in order. Lines without a name and a colon are not fields and are skipped, as is a first line that
    /// begins with white space.
    var fields: [HeaderFields.Field] {
        var fields: [HeaderFields.Field] = []
        bytes.withUnsafeBufferPointer { bytes in
            Self.forEachLine(in: bytes) { line in
                guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                    !line[line.startIndex].isBlank
                else { return }
                let name = String(decoding: line[..<colon].trimmingSpace, as: UTF8.self)
                fields.append(HeaderFields.Field(name, Self.text(of: line[(colon + 1)...].trimmingSpace)))
            }
        }
        return fields
    }

    /// Returns the values of one field.
    func values(of name: String) -> [String] {
        var values: [String] = []
        forEachValue(of: name) { values.append(Self.text(of: $0)) }
        return values
    }

    /// Returns the value of a field; `nil` if it is missing. Repeated fields are joined as in ``HeaderFields``.
    func combinedValue(of name: String) -> String? {
        var combined: String?
        forEachValue(of: name) { combined.combine(Self.text(of: $0)) }
        return combined
    }

    /// Returns the value of a field that occurs once and consists of 1 to 18 digits; `nil` in any other case.
    func integer(of name: String) -> Int? {
        var number: Int?
        var occurrences = 0
        forEachValue(of: name) { value in
            occurrences += 1
            // A number with 19 digits may exceed `Int`.
            guard 1...18 ~= value.count, value.allSatisfy(\.isDigit) else { return }
            number = value.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        return occurrences == 1 ? number : nil
    }

    private func forEachValue(of name: String, _ body: (Bytes) -> Void) {
        name.withBytes { wanted in
            guard let initial = wanted.first?.loweredASCII else { return }
            bytes.withUnsafeBufferPointer { bytes in
                Self.forEachLine(in: bytes) { line in
                    // Most lines differ in their first letter.
                    guard line.first?.loweredASCII == initial, let value = Self.value(of: wanted, in: line) else {
                        return
                    }
                    body(value)
                }
            }
        }
    }

    /// Returns the value after the colon if the line is this field.
    private static func value(of name: UnsafeBufferPointer<UInt8>, in line: Bytes) -> Bytes? {
        var colon = line.startIndex + name.count
        // White space before the colon is not allowed, and is ignored here (RFC 9112, section 5.1).
        while colon < line.endIndex, line[colon].isBlank { colon += 1 }
        guard colon < line.endIndex, line[colon] == UInt8(ascii: ":") else { return nil }
        for offset in 0..<name.count where line[line.startIndex + offset].loweredASCII != name[offset].loweredASCII {
            return nil
        }
        return line[(colon + 1)...].trimmingSpace
    }

    /// Returns the text of a value. A value that is not valid UTF-8 is decoded as ISO 8859-1, which RFC 9110, section
    /// 5.5, mentions as the historical encoding.
    private static func text(of bytes: Bytes) -> String {
        // Nearly every value is ASCII on a single line, which needs no further work.
        for byte in bytes where byte >= 0x80 || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
            return text(unfolding: bytes)
        }
        return String(decoding: UnsafeBufferPointer(rebasing: bytes), as: UTF8.self)
    }

    /// Returns the text of a value that is folded, is not ASCII, or has a carriage return in it. Each fold becomes a
    /// space: a line end and the white space around it (RFC 9112, section 5.2). So does a carriage return inside a line
    /// (section 2.2).
    private static func text(unfolding bytes: Bytes) -> String {
        let lines = bytes.split(separator: UInt8(ascii: "\n")).map(\.trimmingSpace).filter { !$0.isEmpty }
        return string(of: lines.joined(separator: [0x20]).map { $0 == UInt8(ascii: "\r") ? 0x20 : $0 })
    }

    /// Decodes UTF-8, or else ISO 8859-1, in which each byte is the scalar with its number.
    private static func string(of bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Calls `body` for each line, together with the lines that continue it, without the last line feed.
    @inline(__always)
    private static func forEachLine(in bytes: UnsafeBufferPointer<UInt8>, _ body: (Bytes) -> Void) {
        guard let base = bytes.baseAddress else { return }
        var start = 0
        while start < bytes.count {
            let begin = start
            var end = begin
            // A line that begins with white space continues the previous one (RFC 9112, section 5.2).
            repeat {
                let lineFeed = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
                end = lineFeed.map { UnsafeRawPointer($0) - UnsafeRawPointer(base) } ?? bytes.count
                start = end + 1
            } while start < bytes.count && bytes[start].isBlank
            body(bytes[begin..<end])
        }
    }
}

extension Slice where Base == UnsafeBufferPointer<UInt8> {
    /// The bytes without spaces, tabs and line ends at both ends.
    fileprivate var trimmingSpace: Self {
        trimming { $0.isBlank || $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
    }
}
