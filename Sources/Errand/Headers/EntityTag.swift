/// An identifier of one version of a representation (RFC 9110, section 8.8.3).
///
/// ```swift
/// let response = try await BookRequest(id: 7).start().value
/// let tag = response.headers.entityTag     // "33a64df5"
/// ```
public struct EntityTag: Hashable, Sendable {
    /// The tag without its quotation marks.
    public let value: String
    /// Whether the tag is weak: versions with the same weak tag are equivalent, but their bytes may differ.
    public let isWeak: Bool

    /// Creates a tag. Returns `nil` if the text contains a quotation mark, a space or an ASCII control character.
    ///
    /// - Parameters:
    ///   - value: The tag without its quotation marks.
    ///   - isWeak: Whether the tag is weak; `false` by default.
    public init?(_ value: String, isWeak: Bool = false) {
        guard value.utf8.allSatisfy(\.isEntityTagCharacter) else { return nil }
        self.value = value
        self.isWeak = isWeak
    }

    /// Parses the value of a header field: `"33a64df5"` or `W/"33a64df5"`. Returns `nil` for any other text.
    public init?(field: String) {
        var reader = ByteReader(Array(field.utf8)[...].trimmingBlanks)
        guard let tag = reader.entityTag(), reader.isAtEnd else { return nil }
        self = tag
    }

    /// Returns whether both tags identify the same version, byte for byte, which requires that neither is weak (RFC
    /// 9110, section 8.8.3.2).
    public func isStronglyEqual(to other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && value == other.value
    }

    /// Returns whether both tags identify the same or equivalent versions (RFC 9110, section 8.8.3.2).
    public func isWeaklyEqual(to other: EntityTag) -> Bool { value == other.value }
}

extension EntityTag: ExpressibleByStringLiteral {
    /// Creates a tag from a literal, which must be valid: `headers.ifMatch = ["33a64df5"]`.
    ///
    /// The literal is the tag alone, or the value of a header field: `"W/\"33a64df5\""` is a weak tag. For a text that
    /// the program receives, use ``init(_:isWeak:)`` or ``init(field:)``.
    ///
    /// - Precondition: The literal has no quotation mark within the tag, no space and no ASCII control character. An
    ///   invalid literal ends the program when it is first used.
    public init(stringLiteral value: StaticString) {
        let text = "\(value)"
        let isField = text.hasSuffix("\"")
        guard let tag = isField ? EntityTag(field: text) : EntityTag(text) else {
            preconditionFailure("\"\(text)\" is not an entity tag (RFC 9110, section 8.8.3)")
        }
        self = tag
    }
}

extension EntityTag: CustomStringConvertible {
    /// The value of the header field: `"33a64df5"`, `W/"33a64df5"`.
    public var description: String { "\(isWeak ? "W/" : "")\"\(value)\"" }
}

/// The versions in a condition: specific ones, or any (RFC 9110, sections 13.1.1 and 13.1.2).
///
/// ```swift
/// request.headers.ifMatch = [tag]          // only if it has not changed
/// request.headers.ifNoneMatch = .any       // only if it does not exist
/// ```
public enum EntityTags: Hashable, Sendable {
    /// Any version that exists.
    case any
    /// The versions with these tags.
    case tags([EntityTag])
}

extension EntityTags: ExpressibleByArrayLiteral {
    /// The versions with these tags.
    public init(arrayLiteral tags: EntityTag...) {
        self = .tags(tags)
    }
}

extension EntityTags: CustomStringConvertible {
    /// The value of the header field: `*`, or a list.
    public var description: String {
        switch self {
        case .any: "*"
        case .tags(let tags): tags.map(\.description).joined(separator: ", ")
        }
    }
}

extension HeaderFields {
    /// The `ETag` field: the version in a response. `nil` if the field is missing or malformed.
    public var entityTag: EntityTag? {
        get { self[values: "ETag"].first.flatMap(EntityTag.init(field:)) }
        set { self["ETag"] = newValue?.description }
    }

    /// The `If-Match` field. The server processes the request only if it has one of these versions; otherwise it
    /// responds with status 412. Weak tags never match. `nil` if the field is missing or malformed.
    ///
    /// An empty list matches no version; it is sent as the weak tag `W/""`.
    public var ifMatch: EntityTags? {
        get { entityTags("If-Match") }
        set { self["If-Match"] = newValue == [] ? "W/\"\"" : newValue?.description }
    }

    /// The `If-None-Match` field. The server processes the request only if it has none of these versions. Otherwise it
    /// responds with status 304 to GET or HEAD, and with 412 to other methods. `nil` if the field is missing or
    /// malformed. Setting an empty list removes the field.
    public var ifNoneMatch: EntityTags? {
        get { entityTags("If-None-Match") }
        set { self["If-None-Match"] = newValue == [] ? nil : newValue?.description }
    }

    private func entityTags(_ name: String) -> EntityTags? {
        guard let field = self[name] else { return nil }
        var reader = ByteReader(Array(field.utf8)[...].trimmingBlanks)
        if reader.skip("*") { return reader.isAtEnd ? .any : nil }
        var tags: [EntityTag] = []
        while true {
            _ = reader.take { $0.isBlank || $0 == UInt8(ascii: ",") }
            if reader.isAtEnd { return tags.isEmpty ? nil : .tags(tags) }
            guard let tag = reader.entityTag() else { return nil }
            tags.append(tag)
            reader.skipBlanks()
            guard reader.isAtEnd || reader.next == UInt8(ascii: ",") else { return nil }
        }
    }
}

extension ByteReader<ArraySlice<UInt8>> {
    /// Reads a tag, as in a header field. Returns `nil` if none is next.
    fileprivate mutating func entityTag() -> EntityTag? {
        // A weak tag begins with `W/`, a strong one with its quotation mark.
        let isWeak = skip("W")
        guard !isWeak || skip("/"), skip("\"") else { return nil }
        let value = take(while: \.isEntityTagCharacter)
        guard skip("\"") else { return nil }
        return EntityTag(String(decoding: value, as: UTF8.self), isWeak: isWeak)
    }
}

extension UInt8 {
    /// Whether the byte is an `etagc` (RFC 9110, section 8.8.3).
    fileprivate var isEntityTagCharacter: Bool { self == 0x21 || 0x23...0x7E ~= self || self >= 0x80 }
}
