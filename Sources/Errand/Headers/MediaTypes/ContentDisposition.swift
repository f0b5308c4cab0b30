/// The intended use of a body and the name of its file (RFC 6266).
///
/// ```swift
/// // Content-Disposition: attachment; filename="EUR rates.csv"; filename*=UTF-8''%e2%82%ac%20rates.csv
/// response.headers.contentDisposition?.filename     // "€ rates.csv"
/// ```
public struct ContentDisposition: Hashable, Sendable {
    /// The type in lowercase letters: `inline`, `attachment`, or another one.
    public let type: String
    /// The parameters, each name once, in lowercase and without percent-encoding. `filename*` becomes `filename`,
    /// because it is the same parameter in another encoding. Parameters in that encoding come first, and count before
    /// the others. If the field repeats one, the first counts.
    public let parameters: [HeaderFields.Parameter]

    /// Creates a disposition with a type and a file name.
    ///
    /// - Parameters:
    ///   - type: `inline`, `attachment` or another token. Any other text becomes `attachment`, which RFC 6266 specifies
    ///     for unknown types.
    ///   - filename: The name of the file; `nil` by default.
    public init(_ type: String = "attachment", filename: String? = nil) {
        self.type = type.isHTTPToken ? type.asciiLowercased : "attachment"
        parameters = filename.map { [HeaderFields.Parameter(name: "filename", value: $0)] } ?? []
    }

    /// Parses the value of a header field. Malformed parameters are skipped. Returns `nil` if the type is missing.
    public init?(field: String) {
        var reader = ByteReader(Array(field.utf8)[...])
        reader.skipBlanks()
        guard let type = reader.token() else { return nil }
        self.type = type.asciiLowercased
        var plain: [HeaderFields.Parameter] = []
        var extended: [HeaderFields.Parameter] = []
        while !reader.isAtEnd {
            // Skips to the semicolon before the next parameter.
            while let byte = reader.next, byte != UInt8(ascii: ";") {
                if reader.quotedString() == nil { reader.take() }
            }
            guard reader.skip(";") else { break }
            reader.skipBlanks()
            guard let name = reader.token()?.asciiLowercased else { continue }
            reader.skipBlanks()
            guard reader.skip("=") else { continue }
            reader.skipBlanks()
            let quoted = reader.quotedString()
            let value =
                quoted ?? String(decoding: reader.take { $0 != UInt8(ascii: ";") }.trimmingBlanks, as: UTF8.self)
            // An asterisk at the end marks the extended encoding, in which a value has no quotation marks (RFC 8187).
            if name.hasSuffix("*") {
                guard name != "*", quoted == nil, let text = Self.extendedValue(value) else { continue }
                extended.append(HeaderFields.Parameter(name: String(name.dropLast()), value: text))
            } else if quoted != nil || !value.isEmpty {
                plain.append(HeaderFields.Parameter(name: name, value: value))
            }
        }
        var names: Set<String> = []
        parameters = (extended + plain).filter { names.insert($0.name).inserted }
    }

    /// Returns the value of a parameter, whose name is compared without regard to case; `nil` if it is missing.
    public subscript(name: String) -> String? {
        parameters.first { $0.name.equalsIgnoringASCIICase(name) }?.value
    }

    /// The file name from the server, in a form that is safe to use. It is the last part between slashes or
    /// backslashes, without control and formatting characters and surrounding spaces, and has at most 255 bytes. `nil`
    /// if nothing is left, and for `.` and `..`.
    public var filename: String? {
        // The name is split by scalars: a slash with a combining mark is one character, but the file system still
        // treats it as a slash.
        let scalars = (self["filename"] ?? "").unicodeScalars.split { $0 == "/" || $0 == "\\" }.last ?? []
        var kept = String.UnicodeScalarView()
        var size = 0
        for scalar in scalars where ![.control, .format].contains(scalar.properties.generalCategory) {
            size += UTF8.width(scalar)
            if size > 255 { break }
            kept.append(scalar)
        }
        let name = String(kept).trimmingCharacters(in: .whitespaces)
        return ["", ".", ".."].contains(name) ? nil : name
    }

    /// Decodes `UTF-8''%e2%82%ac%20rates` (RFC 8187, section 3.2): the character set, a language, and the
    /// percent-encoded text.
    private static func extendedValue(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var bytes: [UInt8] = []
        var rest = parts[2].utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            guard digits.count == 2 else { return nil }
            bytes.append(UInt8(digits[0] << 4 | digits[1]))
            rest = rest.dropFirst(2)
        }
        switch parts[0].lowercased() {
        case "utf-8": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1": return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: return nil
        }
    }
}

extension ContentDisposition: CustomStringConvertible {
    /// The value of the header field. In parameter values, quotation marks, backslashes, percent signs and all that is
    /// not printable ASCII become `_`. The exact value of such a parameter follows in the extended form, such as
    /// `filename*`.
    public var description: String {
        parameters.reduce(into: type) { text, parameter in
            let plain = String(String.UnicodeScalarView(parameter.value.unicodeScalars.map { $0.isPlain ? $0 : "_" }))
            text += "; \(parameter.name)=\"\(plain)\""
            guard plain != parameter.value else { return }
            text += "; \(parameter.name)*=UTF-8''\(parameter.value.percentEncoded(allowing: .attributeCharacters))"
        }
    }
}

extension Set<UInt8> {
    /// The characters that the extended form does not escape: `attr-char` (RFC 8187, section 3.2.1).
    fileprivate static let attributeCharacters = unreservedCharacters.union("!#$&+^`|".utf8)
}

extension Unicode.Scalar {
    /// Whether every recipient reads this character unchanged in a quoted string.
    fileprivate var isPlain: Bool { " "..."~" ~= self && self != "\"" && self != "\\" && self != "%" }
}

extension HeaderFields {
    /// The `Content-Disposition` field (RFC 6266); `nil` without it, or if it has no type.
    public var contentDisposition: ContentDisposition? {
        get { self[values: "Content-Disposition"].first.flatMap(ContentDisposition.init(field:)) }
        set { self["Content-Disposition"] = newValue?.description }
    }
}
