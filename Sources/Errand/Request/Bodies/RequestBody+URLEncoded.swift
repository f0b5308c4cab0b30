extension RequestBody {
    /// Creates a body from the fields of a form, as `application/x-www-form-urlencoded`, in order, with the WHATWG's
    /// serializer.
    ///
    /// ```swift
    /// body = .urlEncoded(["query": text, "start": date, "step": 5, "tag": ["one", "two"]])
    /// ```
    ///
    /// A space becomes `+`. Letters, digits and `*-._` are kept; every other byte of the UTF-8 is escaped. Arrays,
    /// nested members, dates and Booleans are written in the styles of the query. A field without a value is written
    /// like one with an empty value, because the format cannot distinguish them.
    ///
    /// A value that cannot be written fails the request with `bodyEncodingFailed`. The reason names the field.
    public static func urlEncoded(_ fields: URLQuery) -> RequestBody {
        RequestBody(type: .formURLEncoded) { _ in .data(Data(try fields.encoded(as: .form).utf8)) }
    }

    /// Creates a body from the members of an object, as `application/x-www-form-urlencoded`. It is encoded when the
    /// request is built.
    ///
    /// ```swift
    /// body = .urlEncoded(encoding: TokenRequest(grantType: "client_credentials"))
    /// ```
    ///
    /// The members are written as by ``URLQuery/init(encoding:lists:nesting:dates:booleans:)`` with its default styles.
    /// For other styles, pass such a query to ``urlEncoded(_:)``.
    ///
    /// A value that cannot be encoded fails the request with `bodyEncodingFailed`. The reason names the member.
    public static func urlEncoded(encoding value: some Encodable & Sendable) -> RequestBody {
        RequestBody(type: .formURLEncoded) { _ in
            let fields = URLQuery(items: try QueryEncoder.items(of: value))
            return .data(Data(try fields.encoded(as: .form).utf8))
        }
    }
}

extension String {
    /// This text, encoded as `application/x-www-form-urlencoded` (WHATWG URL, section 5.2).
    package var formURLEncoded: String {
        var encoded: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case 0x20: encoded.append(UInt8(ascii: "+"))
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2A, 0x2D, 0x2E, 0x5F: encoded.append(byte)
            default: encoded += [UInt8(ascii: "%"), UInt8.hexDigits[Int(byte >> 4)], UInt8.hexDigits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
