// Parsing uses bytes, because it happens for every response. A `ContentType` stores its essence in lowercase, and the
// number of bytes before the slash.

extension ContentType {
    /// Parses a media type.
    ///
    /// - Parameter isLenient: Whether spaces around the slash are accepted, and parameters are parsed as browsers do.
    static func parsed(_ text: String, leniently isLenient: Bool) -> ContentType? {
        text.withBytes { bytes in
            // Most values have no parameters and are already in lowercase, as they are stored.
            if let slash = slash(inLowercase: bytes) { return ContentType(essence: text, slash: slash, parameters: []) }
            let end = bytes.firstIndex(of: UInt8(ascii: ";")) ?? bytes.count
            let front = bytes[..<end].trimmingBlanks
            guard let slash = front.firstIndex(of: UInt8(ascii: "/")) else { return nil }
            let (type, subtype) = (front[..<slash], front[(slash + 1)...])
            let (trimmedType, trimmedSubtype) = (type.trimmingBlanks, subtype.trimmingBlanks)
            guard trimmedType.isToken, trimmedSubtype.isToken else { return nil }
            let hasSpaces = trimmedType.count < type.count || trimmedSubtype.count < subtype.count
            guard isLenient || !hasSpaces else { return nil }
            guard let parameters = parameters(in: bytes[end...], leniently: isLenient) else { return nil }
            let essence = "\(trimmedType.lowercasedText)/\(trimmedSubtype.lowercasedText)"
            return ContentType(essence: essence, slash: trimmedType.count, parameters: parameters)
        }
    }

    /// Returns the media type of a field, which may be a list (WHATWG Fetch, "extract a MIME type").
    ///
    /// The last valid element of a list counts, except `*/*`. Successive elements of the same type get the charset of
    /// the first of them if they have none.
    static func extracted(from field: String) -> ContentType? {
        guard field.utf8.contains(UInt8(ascii: ",")) else { return parsed(field, leniently: true) }
        var found: ContentType?
        var charset: String?
        for element in elements(of: field) {
            guard var type = parsed(element, leniently: true), type.essence != any.essence else { continue }
            if type.essence != found?.essence {
                charset = type["charset"]
            } else if let charset, type["charset"] == nil {
                type.parameters.append(HeaderFields.Parameter(name: "charset", value: charset))
            }
            found = type
        }
        return found
    }

    /// Returns the elements of a list. A comma in a quoted string does not separate elements.
    private static func elements(of field: String) -> [String] {
        var elements: [[UInt8]] = [[]]
        var (isQuoted, isEscaped) = (false, false)
        for byte in field.utf8 {
            if byte == UInt8(ascii: ","), !isQuoted {
                elements.append([])
                continue
            }
            elements[elements.count - 1].append(byte)
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && !isEscaped && byte == UInt8(ascii: "\\")
        }
        return elements.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the position of the slash in a lowercase type and subtype without surrounding text; `nil` for any other
    /// text.
    private static func slash(inLowercase bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var slash = 0
        for index in 0..<bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "/"), slash == 0, index > 0 {
                slash = index
            } else if !byte.isTokenCharacter || byte != byte.loweredASCII {
                return nil
            }
        }
        return slash > 0 && slash + 1 < bytes.count ? slash : nil
    }

    /// Returns the parameters that follow the essence, each after a semicolon. An empty parameter is skipped (RFC 9110,
    /// section 5.6.6).
    ///
    /// - Parameter isLenient: Whether to parse as the WHATWG's MIME Sniffing Standard does (section 4.4). Then a
    ///   malformed parameter is skipped, the first parameter of a name counts, and a value may lack its quotation
    ///   marks.
    /// - Returns: The parameters; `nil` if one is malformed or repeated (RFC 6838, section 4.3) and `isLenient` is
    ///   `false`.
    private static func parameters(
        in bytes: Slice<UnsafeBufferPointer<UInt8>>, leniently isLenient: Bool
    ) -> [HeaderFields.Parameter]? {
        var parameters: [HeaderFields.Parameter] = []
        var names: Set<String> = []
        var reader = ByteReader(bytes.trimmingBlanks)
        // Each pass ends at a semicolon or at the end.
        while reader.skip(";") {
            reader.skipBlanks()
            let name = reader.take { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "=") }
            let hasValue = reader.skip("=")
            if !hasValue && name.isEmpty { continue }
            guard let value = hasValue ? readValue(from: &reader) : nil, value.isWellFormed || isLenient, name.isToken,
                !value.bytes.contains(where: \.isControlExceptTab)
            else {
                if isLenient { continue }
                return nil
            }
            let parameter = HeaderFields.Parameter(
                name: name.lowercasedText, value: String(decoding: value.bytes, as: UTF8.self))
            guard names.insert(parameter.name).inserted else {
                if isLenient { continue }
                return nil
            }
            parameters.append(parameter)
        }
        return parameters
    }

    /// Reads a value and all that follows it up to the next semicolon or the end.
    ///
    /// - Returns: The value without its quotation marks, and whether it is a token or a quoted string with nothing
    ///   after it; `nil` if there is no value.
    private static func readValue(
        from reader: inout ByteReader<Slice<UnsafeBufferPointer<UInt8>>>
    ) -> (bytes: [UInt8], isWellFormed: Bool)? {
        guard reader.skip("\"") else {
            let text = reader.take { $0 != UInt8(ascii: ";") }.trimmingTrailingBlanks
            return text.isEmpty ? nil : (Array(text), text.isToken)
        }
        var value: [UInt8] = []
        var isClosed = false
        while let byte = reader.take() {
            isClosed = byte == UInt8(ascii: "\"")
            if isClosed { break }
            // A backslash escapes the byte after it.
            value.append(byte == UInt8(ascii: "\\") ? reader.take() ?? byte : byte)
        }
        let rest = reader.take { $0 != UInt8(ascii: ";") }
        return (value, isClosed && rest.trimmingBlanks.isEmpty)
    }
}

extension Slice where Base == UnsafeBufferPointer<UInt8> {
    fileprivate var isToken: Bool {
        for byte in self where !byte.isTokenCharacter { return false }
        return !isEmpty
    }

    /// These bytes without spaces and tabs at the end.
    fileprivate var trimmingTrailingBlanks: Self {
        var trimmed = self
        while let last = trimmed.last, last.isBlank { trimmed = trimmed.dropLast() }
        return trimmed
    }

    /// The text of these bytes, with ASCII capitals in lowercase.
    fileprivate var lowercasedText: String { String(decoding: map(\.loweredASCII), as: UTF8.self) }
}

extension HeaderFields {
    /// The media type of the body, from `Content-Type`; `nil` if the field is missing or has no valid type.
    ///
    /// The field is parsed as in browsers (WHATWG MIME Sniffing, section 4.4; Fetch, "extract a MIME type"), but spaces
    /// around the slash are accepted. Malformed parameters are skipped. If there are several fields, or a list of types
    /// that a proxy made of them, the last valid type counts, except `*/*`.
    public var contentType: ContentType? {
        self[.contentType].flatMap { ContentType(lenient: $0) }
    }
}
