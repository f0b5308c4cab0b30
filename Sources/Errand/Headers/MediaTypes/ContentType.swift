/// The media type of a body, or a range of media types (RFC 9110, sections 8.3.1 and 12.5.1).
///
/// ```swift
/// let type: ContentType = "text/html; charset=utf-8"
/// type.subtype                            // "html"
/// type["charset"]                         // "utf-8"
/// type.includes("text/html")              // true
/// ContentType(field)                        // nil when the field's value is no media type
/// ```
///
/// The type, the subtype and the parameter names are stored in lowercase, because their case has no meaning. Two values
/// are equal if they have the same parameters in the same order. Parameter values are compared with regard to case.
///
/// A literal that is not a valid media type does not trap. It creates a value that is not ``isValid``, includes no
/// type, and is rejected as the type of a body. Swift also treats `ContentType("image/*")` as such a literal, so its
/// result is not optional.
public struct ContentType: Hashable, Sendable {
    /// One parameter, such as `charset`.
    public struct Parameter: Hashable, Sendable {
        /// The name, in lowercase.
        public let name: String
        /// The value, without quotation marks.
        public let value: String
    }

    /// `type/subtype`, without the parameters; the whole text for an invalid literal.
    public let essence: String
    /// The parameters, in order, including `q`, the weight in an `Accept` field.
    public internal(set) var parameters: [Parameter]
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

    /// Parses a field value from a server as browsers do: spaces around the slash are accepted, and malformed
    /// parameters are skipped. Of a list of types, as a proxy or a repeated field makes it, the last valid one counts.
    /// Returns `nil` if there is no type and subtype.
    package init?(lenient field: String) {
        guard let type = Self.extracted(from: field) else { return nil }
        self = type
    }

    /// Creates a type from parsed parts.
    ///
    /// - Parameters:
    ///   - essence: The type and subtype in lowercase.
    ///   - slash: The number of bytes before the slash.
    init(essence: String, slash: Int, parameters: [Parameter]) {
        self.essence = essence
        self.slash = slash
        self.parameters = parameters
    }

    /// Whether this is a valid media type; `false` only for an invalid literal.
    public var isValid: Bool { slash > 0 }

    /// The part before the slash, `*` in a range; empty for an invalid literal.
    public var type: String { String(Substring(essence.utf8.prefix(slash))) }

    /// The part after the slash, `*` in a range; empty for an invalid literal.
    public var subtype: String { isValid ? String(Substring(essence.utf8.dropFirst(slash + 1))) : "" }

    /// Returns the value of a parameter, whose name is compared without regard to case; `nil` if it is missing.
    public subscript(name: String) -> String? {
        parameters.first { $0.name.equalsIgnoringASCIICase(name) }?.value
    }

    /// Returns this type with one more parameter, which replaces parameters of the same name.
    ///
    /// - Returns: The new type; `nil` if this type is invalid, the name is not a token, or the value has a control
    ///   character.
    public func with(_ name: String, _ value: String) -> ContentType? {
        guard isValid, name.isHTTPToken, value.isHTTPFieldValue else { return nil }
        var type = self
        type.parameters.removeAll { $0.name.equalsIgnoringASCIICase(name) }
        type.parameters.append(Parameter(name: name.asciiLowercased, value: value))
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
    /// This text as a quoted string (RFC 9110, section 5.6.4).
    package var quoted: String {
        "\"\(escapedForQuotes)\""
    }

    /// This text with a backslash before each quote and backslash.
    ///
    /// The replacement is literal: a quotation mark with a combining mark is a different `Character`, but still ends a
    /// quoted string.
    var escapedForQuotes: String {
        replacingOccurrences(of: #"\"#, with: #"\\"#, options: .literal)
            .replacingOccurrences(of: "\"", with: #"\""#, options: .literal)
    }
}
