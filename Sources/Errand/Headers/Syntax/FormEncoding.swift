// The encoding `application/x-www-form-urlencoded` (WHATWG URL, section 5).

extension String {
    /// This text, encoded as `application/x-www-form-urlencoded` (WHATWG URL, section 5.2).
    package var formURLEncoded: String {
        var encoded: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case 0x20: encoded.append(UInt8(ascii: "+"))
            // Digits, letters and `*-._`.
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2A, 0x2D, 0x2E, 0x5F: encoded.append(byte)
            default: encoded += [UInt8(ascii: "%"), UInt8.hexDigits[Int(byte >> 4)], UInt8.hexDigits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}

extension StringProtocol {
    /// A name or a value of a form or a query, decoded. If an escape is malformed, or the decoded bytes are not UTF-8,
    /// all escapes stay as they are.
    package var formDecoded: String {
        let text = replacingOccurrences(of: "+", with: " ", options: .literal)
        return text.removingPercentEncoding ?? text
    }

    /// The decoded items of a form or a query (WHATWG URL, section 5.1). An item without `=` has an empty value.
    package var formItems: [(name: String, value: String)] {
        encodedFormItems.filter { !$0.name.isEmpty || $0.value != nil }
            .map { ($0.name.formDecoded, ($0.value ?? "").formDecoded) }
    }

    /// The items of a form or a query without decoding, also empty ones; the value is `nil` without `=`.
    ///
    /// The text is split by bytes: a separator and a combining mark after it form one `Character`.
    var encodedFormItems: [(name: String, value: String?)] {
        utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { item in
            let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            return (parts[0], parts.count > 1 ? parts[1] : nil)
        }
    }
}
