/// The media type of a body, or a range of them (RFC 9110, sections 8.3.1 and 12.5.1).
///
/// ```swift
/// let type: ContentType = "text/html; charset=utf-8"
/// type.subtype                            // "html"
/// type["charset"]                         // "utf-8"
/// type.includes("text/html")              // true
/// ContentType(field)                        // nil when the field's value is no media type
/// ```
///
/// Type, subtype and the names of parameters are kept in small letters, since their case says nothing. Two are equal
/// when they have the same parameters in the same order, values letter for letter.
///
/// A literal that is no media type does not trap: it makes a value that is not ``isValid``, includes nothing, and is
/// refused as the type of a body. Swift takes `ContentType("image/*")` for such a literal too, so what it gives is not
/// optional.
public struct ContentType: Hashable, Sendable {
    /// One parameter, such as `charset`.
    public struct Parameter: Hashable, Sendable {
        /// The name, in small letters.
        public let name: String
        /// The value, without the quotes it may have had.
        public let value: String
    }

    /// `type/subtype`, without the parameters; for a literal that is no media type, the literal.
    public let essence: String
    /// The parameters, in order; `q`, the weight in an `Accept`, is one too.
    public internal(set) var parameters: [Parameter]
    /// How many bytes stand before the slash; 0 for a literal that is no media type.
    private let slash: Int

    /// Reads a media type, in any case, with or without parameters.
    ///
    /// - Parameter text: What stands in a header field, white space around it allowed; nil for anything that is no
    ///   media type by RFC 9110, such as one with a parameter that has no value or is repeated (RFC 6838, section 4.3).
    public init?(_ text: String) {
        guard let type = Self.parsed(text, leniently: false) else { return nil }
        self = type
    }

    /// Reads a field value that a server sent, as browsers read it: spaces around the slash are accepted, and a malformed
    /// parameter is skipped. Returns `nil` if there is no type and subtype.
    package init?(lenient field: String) {
        guard let type = Self.parsed(field, leniently: true) else { return nil }
        self = type
    }

    /// What was read already.
    ///
    /// - Parameters:
    ///   - essence: In small letters.
    ///   - slash: How many bytes stand before the slash.
    init(essence: String, slash: Int, parameters: [Parameter]) {
        self.essence = essence
        self.slash = slash
        self.parameters = parameters
    }

    /// Whether this is a media type; false only for a literal that is none.
    public var isValid: Bool { slash > 0 }

    /// What stands before the slash, `*` in a range; empty for a literal that is no media type.
    public var type: String { String(Substring(essence.utf8.prefix(slash))) }

    /// What stands behind the slash, `*` in a range; empty for a literal that is no media type.
    public var subtype: String { isValid ? String(Substring(essence.utf8.dropFirst(slash + 1))) : "" }

    /// The value of a parameter, its name in any case; nil when there is none.
    public subscript(name: String) -> String? {
        parameters.first { $0.name.equalsIgnoringASCIICase(name) }?.value
    }

    /// This type with a parameter more, in the place of those of the same name.
    ///
    /// - Returns: Nil when the name is no token, or the value has a control character.
    public func with(_ name: String, _ value: String) -> ContentType? {
        guard isValid, name.isHTTPToken, value.isHTTPFieldValue else { return nil }
        var type = self
        type.parameters.removeAll { $0.name.equalsIgnoringASCIICase(name) }
        type.parameters.append(Parameter(name: name.asciiLowercased, value: value))
        return type
    }

    /// Whether this, as a range, includes `other`: `application/*` includes `application/json`, and `application/*+json`
    /// includes `application/problem+json` (RFC 6839). Parameters are ignored.
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
    /// A type written as a literal; one that is no media type is not ``isValid``.
    public init(stringLiteral text: String) {
        self = ContentType(text) ?? ContentType(essence: text, slash: 0, parameters: [])
    }
}

extension ContentType: CustomStringConvertible {
    /// As it stands in a header field: values in quotes where they have to be.
    public var description: String {
        parameters.reduce(into: essence) { text, parameter in
            text += "; \(parameter.name)=\(parameter.value.isHTTPToken ? parameter.value : parameter.value.quoted)"
        }
    }
}

extension String {
    /// This text as a quoted string (RFC 9110, section 5.6.4).
    var quoted: String {
        "\"\(escapedForQuotes)\""
    }

    /// This text with a backslash before each quote and backslash.
    ///
    /// Replaced literally: a quote with a combining mark after it is another `Character`, and ends a quoted string too.
    var escapedForQuotes: String {
        replacingOccurrences(of: #"\"#, with: #"\\"#, options: .literal)
            .replacingOccurrences(of: "\"", with: #"\""#, options: .literal)
    }
}
