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
            let isTight = trimmedType.count == type.count && trimmedSubtype.count == subtype.count
            guard isTight || isLenient else { return nil }
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
                !value.bytes.contains(where: \.isControl)
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

extension UInt8 {
    /// Whether this is a control character that no header field may contain: any but the tab.
    fileprivate var isControl: Bool { self < 0x20 && self != 0x09 || self == 0x7F }
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

extension ContentType {
    /// `application/json` (RFC 8259).
    public static let json = registered("application/json")
    /// `application/problem+json`, a description of an error (RFC 9457).
    public static let problemJSON = registered("application/problem+json")
    /// `application/merge-patch+json`, a document with the changes to a resource (RFC 7396).
    public static let mergePatchJSON = registered("application/merge-patch+json")
    /// `application/json-patch+json`, a list of changes (RFC 6902).
    public static let jsonPatch = registered("application/json-patch+json")
    /// `application/x-ndjson`, a JSON document in each line.
    public static let ndjson = registered("application/x-ndjson")
    /// `application/x-www-form-urlencoded`, the fields of a form as in a query.
    public static let formURLEncoded = registered("application/x-www-form-urlencoded")
    /// `multipart/form-data`, form fields and files (RFC 7578), without the required boundary.
    public static let multipartFormData = registered("multipart/form-data")
    /// `application/octet-stream`, bytes of an unknown type.
    public static let octetStream = registered("application/octet-stream")
    /// `application/xml` (RFC 7303).
    public static let xml = registered("application/xml")
    /// `application/x-plist`, a property list in any of its formats. No media type is registered for it.
    public static let propertyList = registered("application/x-plist")
    /// `application/pdf`.
    public static let pdf = registered("application/pdf")
    /// `application/zip`.
    public static let zip = registered("application/zip")
    /// `application/gzip` (RFC 6713).
    public static let gzip = registered("application/gzip")
    /// `text/plain`.
    public static let plainText = registered("text/plain")
    /// `text/html`.
    public static let html = registered("text/html")
    /// `text/css`.
    public static let css = registered("text/css")
    /// `text/csv` (RFC 4180).
    public static let csv = registered("text/csv")
    /// `text/javascript` (RFC 9239).
    public static let javaScript = registered("text/javascript")
    /// `text/event-stream`, server-sent events.
    public static let eventStream = registered("text/event-stream")
    /// `image/png`.
    public static let png = registered("image/png")
    /// `image/jpeg`.
    public static let jpeg = registered("image/jpeg")
    /// `image/gif`.
    public static let gif = registered("image/gif")
    /// `image/webp` (RFC 9649).
    public static let webp = registered("image/webp")
    /// `image/svg+xml`.
    public static let svg = registered("image/svg+xml")
    /// `audio/mpeg`.
    public static let mp3 = registered("audio/mpeg")
    /// `video/mp4`.
    public static let mp4 = registered("video/mp4")
    /// `*/*`, the range of all types.
    public static let any = registered("*/*")

    /// Returns a type from a text that is known to be valid.
    private static func registered(_ essence: StaticString) -> ContentType { ContentType(stringLiteral: "\(essence)") }

    /// Returns the type of a file from its extension; `application/octet-stream` if the extension is unknown.
    package static func guessed(for file: URL) -> ContentType {
        byExtension[file.pathExtension.asciiLowercased] ?? .octetStream
    }

    private static let byExtension: [String: ContentType] = [
        "json": .json, "ndjson": .ndjson, "xml": .xml, "plist": .propertyList, "pdf": .pdf, "zip": .zip, "gz": .gzip,
        "txt": .plainText,
        "html": .html, "htm": .html, "css": .css, "csv": .csv, "js": .javaScript, "png": .png, "jpg": .jpeg,
        "jpeg": .jpeg, "gif": .gif, "webp": .webp, "svg": .svg, "mp3": .mp3, "mp4": .mp4,
    ]
}
