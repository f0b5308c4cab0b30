extension RequestBody {
    /// The fields of a form as `application/x-www-form-urlencoded`, in order, as the WHATWG's serializer writes them.
    ///
    /// A space becomes `+`; letters, digits and `*-._` stay; every other byte of the UTF-8 is escaped. Names may repeat. An
    /// item without a value is written like one with an empty value: the format knows no difference.
    public static func urlEncoded(_ items: [URLQueryItem]) -> RequestBody {
        let pairs = items.map { ($0.name, $0.value ?? "") }
        return RequestBody(type: .formURLEncoded) { .data(FormURLEncoding.encode(pairs)) }
    }

    /// The fields of a form, as pairs of a name and a value, in the order of the literal.
    ///
    /// ```swift
    /// body = .urlEncoded(["user": "ada", "tag": "one", "tag": "two"])
    /// ```
    public static func urlEncoded(_ pairs: KeyValuePairs<String, String>) -> RequestBody {
        .urlEncoded(pairs.map { URLQueryItem(name: $0.key, value: $0.value) })
    }
}

/// `application/x-www-form-urlencoded` (WHATWG URL, section 5.2).
enum FormURLEncoding {
    static func encode(_ pairs: [(name: String, value: String)]) -> Data {
        var encoded = Data()
        for (index, pair) in pairs.enumerated() {
            if index > 0 { encoded.append(UInt8(ascii: "&")) }
            append(pair.name, to: &encoded)
            encoded.append(UInt8(ascii: "="))
            append(pair.value, to: &encoded)
        }
        return encoded
    }

    private static func append(_ text: String, to encoded: inout Data) {
        for byte in text.utf8 {
            switch byte {
            case 0x20: encoded.append(UInt8(ascii: "+"))
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2A, 0x2D, 0x2E, 0x5F: encoded.append(byte)
            default: encoded.append(contentsOf: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]])
            }
        }
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}
