/// The header fields of an answer as bytes, read only as far as somebody asks.
struct FieldBlock: Sendable {
    /// The lines behind the status line, each with its line end: CRLF, or the bare LF that some servers send.
    let bytes: [UInt8]

    /// Every field, in order. A line without a colon is no field, and passed over.
    var fields: [HTTPHeaders.Field] {
        var fields: [HTTPHeaders.Field] = []
        bytes.withUnsafeBufferPointer { bytes in
            Self.forEachField(in: bytes) { name, value in
                fields.append(HTTPHeaders.Field(String(decoding: name, as: UTF8.self), Self.text(of: value)))
            }
        }
        return fields
    }

    /// The values of one field.
    func values(of name: String) -> [String] {
        var name = name
        var values: [String] = []
        name.withUTF8 { wanted in
            bytes.withUnsafeBufferPointer { bytes in
                Self.forEachField(in: bytes) { name, value in
                    guard name.count == wanted.count,
                        zip(name, wanted).allSatisfy({ $0.loweredASCII == $1.loweredASCII })
                    else { return }
                    values.append(Self.text(of: value))
                }
            }
        }
        return values
    }

    /// Bytes that are no UTF-8 are taken for ISO 8859-1, as RFC 9110, section 5.5, remembers it.
    private static func text(of bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    private static func forEachField(
        in bytes: UnsafeBufferPointer<UInt8>,
        _ body: (Slice<UnsafeBufferPointer<UInt8>>, Slice<UnsafeBufferPointer<UInt8>>) -> Void
    ) {
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
            let line = bytes[start..<end]
            start = end + 1
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            body(line[..<colon].trimmingSpace, line[(colon + 1)...].trimmingSpace)
        }
    }
}

extension Slice where Base == UnsafeBufferPointer<UInt8> {
    /// Without the spaces, tabs and carriage returns at both ends.
    fileprivate var trimmingSpace: Self {
        let front = drop { $0 == 0x20 || $0 == 0x09 }
        guard let last = front.lastIndex(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else {
            return front.prefix(0)
        }
        return front[...last]
    }
}
