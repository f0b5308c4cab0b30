extension DataResponse {
    /// Decodes the body, with the decoder of the API by default.
    ///
    /// For an optional type, an empty body decodes as `nil`: the body of status 204 or 205, or one with zero bytes.
    ///
    /// ```swift
    /// let user = try response.decode(User?.self)
    /// ```
    ///
    /// In contrast to the operator `decode(_:)` of a pipeline, this method decodes immediately. Use it to decode in
    /// several steps.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The decoder; `nil`, the default, uses that of the API that sent the request, or a
    ///     ``/ErrandJSON/FastJSONDecoder``.
    /// - Throws: ``ErrandError`` with `decodingFailed`. Its reason contains the place in the document, the expected
    ///   value, and a status outside 200 to 299. It never quotes the document.
    public func decode<Value: Decodable & SendableMetatype>(
        _ type: Value.Type, decoder: (any DataDecoder)? = nil
    ) throws(ErrandError) -> Value {
        let decoder = decoder ?? self.decoder ?? FastJSONDecoder()
        if hasEmptyBody, let optional = type as? any OptionalValue.Type, let value = optional.empty as? Value {
            return value
        }
        do {
            return try decoder.decode(type, from: data)
        } catch {
            let place = DecodingFailure(error, in: data, isJSON: decoder is JSONDecoder).description
            let reason = 200..<300 ~= statusCode ? place : "the status is \(statusCode): \(place)"
            throw ErrandError(.decodingFailed, reason: reason, underlyingError: error).with(response: self)
        }
    }

    private var hasEmptyBody: Bool { data.isEmpty || statusCode == 204 || statusCode == 205 }
}

/// An optional type, for which an empty body is a value.
private protocol OptionalValue {
    static var empty: Any { get }
}

extension Optional: OptionalValue {
    fileprivate static var empty: Any { Optional.none as Any }
}

extension DataResponse {
    /// Decodes the body as text, with the charset of its `Content-Type`, or UTF-8 if it names none.
    ///
    /// In the charsets UTF-8, UTF-16 and UTF-32, a leading byte order mark is removed. UTF-16 and UTF-32 without one
    /// are big-endian (RFC 2781, section 4.3). Invalid bytes are never replaced; they cause an error.
    ///
    /// - Throws: ``ErrandError`` with `decodingFailed` for a charset that Foundation does not support, and for bytes
    ///   that are invalid in the charset.
    public func text() throws(ErrandError) -> String {
        guard let encoding else {
            throw ErrandError(.decodingFailed, reason: "the charset in Content-Type is not supported")
                .with(response: self)
        }
        guard let text = TextCoding(encoding, of: data).text else {
            // The charset is one of the supported names, not any text from the server.
            let charset = headers.contentType?["charset"]?.uppercased() ?? "UTF-8"
            throw ErrandError(.decodingFailed, reason: "the body is not valid \(charset) text").with(response: self)
        }
        return text
    }

    /// The encoding of the charset; UTF-8 if none is named, `nil` for an unknown one.
    private var encoding: String.Encoding? {
        guard let type = headers.contentType, type["charset"] != nil else { return .utf8 }
        return type.charset
    }
}

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

/// A decoded value together with the response from which it was decoded.
public struct DecodedResponse<Value> {
    /// The value of the body.
    public let value: Value
    /// The response: its status, its header fields and its body.
    public let response: DataResponse

    /// Creates a pair of a value and its response.
    public init(value: Value, response: DataResponse) {
        self.value = value
        self.response = response
    }
}

extension DecodedResponse: Sendable where Value: Sendable {}

extension DecodedResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type of the value and the response, without their contents.
    public var description: String { "\(Value.self) of \(response)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// A mirror with only the description, so that `dump` shows no secret either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
