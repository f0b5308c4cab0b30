/// The media type of a body, or a range of media types (RFC 9110, sections 8.3.1 and 12.5.1).
///
/// ```swift
/// let type: ContentType = "text/html; charset=utf-8"
/// type.subtype                            // "html"
/// type["charset"]                         // "utf-8"
/// type.includes("text/html")              // true
/// ContentType(field)                      // nil if the text is not a media type
/// ```
///
/// The type, the subtype and the parameter names are stored in lowercase, because their case has no meaning. Two values
/// are equal if they have the same type and subtype, and the same parameters in the same order. Parameter values are
/// compared with regard to case.
///
/// A literal that is not a valid media type does not trap. It creates a value that is not ``isValid``, includes no
/// type, and is rejected as the type of a body. Swift also treats `ContentType("image/*")` as a literal, so its result
/// is not optional.
public struct ContentType: Hashable, Sendable {
    /// `type/subtype`, without the parameters; the whole text for an invalid literal.
    public let essence: String
    /// The parameters, such as `charset`, in order and with names in lowercase, including `q`, the weight in an
    /// `Accept` field.
    public internal(set) var parameters: [HeaderFields.Parameter]
    /// The number of bytes before the slash; 0 for an invalid literal.
    private let slash: Int

    /// Parses a media type, in any case, with or without parameters. Returns `nil` if the text is not a valid media
    /// type (RFC 9110). A media type is also invalid if a parameter has no value or is repeated (RFC 6838, section
    /// 4.3).
    ///
    /// - Parameter text: The value of a header field; surrounding white space is allowed.
    public init?(_ text: String) {
        guard let type = Self.parsed(text, leniently: false) else { return nil }
        self = type
    }

    /// Parses a field value from a server. As in browsers, malformed parameters are skipped. Spaces around the slash
    /// are accepted, too. A proxy or a repeated field can make a list of types. Its last valid type counts, except
    /// `*/*`. Returns `nil` if no type is valid.
    package init?(lenient field: String) {
        guard let type = Self.extracted(from: field) else { return nil }
        self = type
    }

    /// Creates a type from parsed parts.
    ///
    /// - Parameters:
    ///   - essence: The type and subtype in lowercase.
    ///   - slash: The number of bytes before the slash.
    init(essence: String, slash: Int, parameters: [HeaderFields.Parameter]) {
        self.essence = essence
        self.slash = slash
        self.parameters = parameters
    }

    /// Whether this is a valid media type; `false` only for an invalid literal.
    public var isValid: Bool { slash > 0 }

    /// The part before the slash, which may be `*` in a range; empty for an invalid literal.
    public var type: String { String(Substring(essence.utf8.prefix(slash))) }

    /// The part after the slash, which may be `*` or `*+json` in a range; empty for an invalid literal.
    public var subtype: String { isValid ? String(Substring(essence.utf8.dropFirst(slash + 1))) : "" }

    /// Returns the value of a parameter, whose name is compared without regard to case; `nil` if it is missing.
    public subscript(name: String) -> String? {
        parameters.first { $0.name.equalsIgnoringASCIICase(name) }?.value
    }

    /// Returns this type with one more parameter, which replaces parameters of the same name.
    ///
    /// - Returns: The new type; `nil` if this type is invalid, the name is not a token, or the value has a control
    ///   character other than a tab.
    public func with(_ name: String, _ value: String) -> ContentType? {
        guard isValid, name.isHTTPToken, value.isHTTPFieldValue else { return nil }
        var type = self
        type.parameters.removeAll { $0.name.equalsIgnoringASCIICase(name) }
        type.parameters.append(HeaderFields.Parameter(name: name.asciiLowercased, value: value))
        return type
    }

    /// Returns whether this range includes `other`: `application/*` includes `application/json`, and
    /// `application/*+json` includes `application/problem+json` (RFC 6839). Parameters are ignored.
    public func includes(_ other: ContentType) -> Bool {
        guard isValid, other.isValid else { return false }
        if essence == other.essence { return true }
        guard type == "*" || type == other.type else { return false }
        let subtype = subtype
        if subtype == "*" || subtype == other.subtype { return true }
        return subtype.hasPrefix("*+") && other.subtype.hasSuffix(subtype.dropFirst())
    }
}

extension ContentType: ExpressibleByStringLiteral {
    /// Creates a type from a literal. If the literal is not a valid media type, the value is not ``isValid``.
    public init(stringLiteral text: String) {
        self = ContentType(text) ?? ContentType(essence: text, slash: 0, parameters: [])
    }
}

extension ContentType: CustomStringConvertible {
    /// The value of the header field, with quotation marks around parameter values that need them.
    public var description: String {
        parameters.reduce(into: essence) { text, parameter in
            text += "; \(parameter.name)=\(parameter.value.isHTTPToken ? parameter.value : parameter.value.quoted)"
        }
    }
}

extension String {
    /// This text as a quoted string, with a backslash before each quotation mark and backslash (RFC 9110, section
    /// 5.6.4).
    package var quoted: String {
        // A literal search is necessary: a quotation mark with a combining mark is a different `Character`, but still
        // ends a quoted string.
        let escaped = replacingOccurrences(of: #"\"#, with: #"\\"#, options: .literal)
            .replacingOccurrences(of: "\"", with: #"\""#, options: .literal)
        return "\"\(escaped)\""
    }
}

extension ContentType {
    /// The weight of this type in an `Accept` field, from the `q` parameter (RFC 9110, section 12.4.2). It ranges from
    /// 0, which means not acceptable, to 1, in thousandths. 1 if the parameter is missing or invalid.
    public var quality: Double { self["q"].flatMap(Self.weight(_:)) ?? 1 }

    /// Returns this type with a weight, which becomes the last parameter.
    ///
    /// - Parameter quality: The weight from 0 to 1, rounded to thousandths. Values outside this range are clamped, and
    ///   NaN means 1. A weight of 1 is omitted.
    public func with(quality: Double) -> ContentType {
        var type = self
        type.parameters.removeAll { $0.name == "q" }
        let bounded = quality.isNaN ? 1 : min(max(quality, 0), 1)
        let thousandths = Int((bounded * 1000).rounded())
        guard thousandths < 1000, isValid else { return type }
        // Adding 1000 keeps the leading zeros.
        var digits = String(String(1000 + thousandths).dropFirst())
        while digits.last == "0" { digits.removeLast() }
        type.parameters.append(HeaderFields.Parameter(name: "q", value: digits.isEmpty ? "0" : "0.\(digits)"))
        return type
    }

    /// Returns the value of an `Accept` field with these types and ranges, in order.
    ///
    /// ```swift
    /// headers[.accept] = ContentType.accept(.json, .html.with(quality: 0.8), .any.with(quality: 0.1))
    /// ```
    ///
    /// Types that are not ``isValid`` are omitted.
    public static func accept(_ types: ContentType...) -> String { accept(types) }

    /// Returns the value of an `Accept` field with these types and ranges, in order.
    ///
    /// Types that are not ``isValid`` are omitted.
    public static func accept(_ types: some Sequence<ContentType>) -> String {
        types.filter(\.isValid).map(\.description).joined(separator: ", ")
    }

    /// Parses `0` or `1`, optionally with a point and at most three digits, which must be zeros after a 1.
    private static func weight(_ text: String) -> Double? {
        let bytes = Array(text.utf8)
        guard let whole = bytes.first, whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1"), bytes.count <= 5,
            bytes.count == 1 || bytes[1] == UInt8(ascii: ".")
        else { return nil }
        let digits = bytes.dropFirst(2)
        guard digits.allSatisfy(\.isDigit) else { return nil }
        let fraction = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        let value = Double(whole - 0x30) + Double(fraction) / [1, 10, 100, 1000][digits.count]
        return value <= 1 ? value : nil
    }

    /// The encoding from the `charset` parameter, which has a common IANA name of the encoding, or one of its labels in
    /// the WHATWG Encoding Standard (section 4.2). Case and surrounding spaces are ignored, and so are single quotation
    /// marks, which no standard allows, but which some servers send.
    ///
    /// `nil` if the parameter is missing or unknown, or if Foundation does not support the encoding on every platform.
    ///
    /// The meaning of a missing parameter depends on the type: UTF-8 for JSON (RFC 8259, section 8.1). For text, it was
    /// originally US-ASCII, and is mostly UTF-8 today.
    public var charset: String.Encoding? {
        self["charset"].flatMap { name in
            var name = Array(name.utf8)[...].trimmingBlanks
            if name.count > 1, name.first == UInt8(ascii: "'"), name.last == UInt8(ascii: "'") {
                name = name.dropFirst().dropLast().trimmingBlanks
            }
            return Self.encodings[String(decoding: name.map(\.loweredASCII), as: UTF8.self)]
        }
    }

    /// A name that means a larger encoding to the WHATWG, such as `ascii`, keeps its IANA
    /// meaning. An exception is `iso-8859-9`, because Foundation has no such encoding.
    private static let namesByEncoding: [(encoding: String.Encoding, names: String)] = [
        (.utf8, "utf-8 utf8 csutf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8"),
        (.ascii, "us-ascii ascii iso646-us ansi_x3.4-1968 us"),
        (
            .isoLatin1,
            "iso-8859-1 iso_8859-1 iso_8859-1:1987 iso8859-1 iso88591 iso-ir-100 latin1 l1 csisolatin1 cp819 ibm819"
        ),
        (
            .isoLatin2,
            "iso-8859-2 iso_8859-2 iso_8859-2:1987 iso8859-2 iso88592 iso-ir-101 latin2 l2 csisolatin2"
        ),
        (.windowsCP1250, "windows-1250 cp1250 x-cp1250"),
        (.windowsCP1251, "windows-1251 cp1251 x-cp1251"),
        (.windowsCP1252, "windows-1252 cp1252 x-cp1252"),
        (.windowsCP1253, "windows-1253 cp1253 x-cp1253"),
        (
            .windowsCP1254,
            "windows-1254 cp1254 x-cp1254 iso-8859-9 iso_8859-9 iso_8859-9:1989 iso8859-9 iso88599 iso-ir-148 latin5 "
                + "l5 csisolatin5"
        ),
        (.utf16, "utf-16"),
        (.utf16BigEndian, "utf-16be unicodefffe"),
        (.utf16LittleEndian, "utf-16le csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff"),
        (.utf32, "utf-32"), (.utf32BigEndian, "utf-32be"), (.utf32LittleEndian, "utf-32le"),
        (.shiftJIS, "shift_jis shift-jis sjis x-sjis ms_kanji ms932 windows-31j csshiftjis"),
        (.iso2022JP, "iso-2022-jp csiso2022jp"),
        (.macOSRoman, "macintosh mac x-mac-roman csmacintosh"),
    ]

    private static let encodings = Dictionary(
        uniqueKeysWithValues: namesByEncoding.flatMap { row in
            row.names.split(separator: " ").map { (String($0), row.encoding) }
        })
}
