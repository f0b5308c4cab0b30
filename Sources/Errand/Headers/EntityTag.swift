/// The name of one version of a representation (RFC 9110, section 8.8.3).
///
/// ```swift
/// let response = try await BookRequest(id: 7).start().value
/// let tag = response.headers.entityTag     // "33a64df5"
/// ```
public struct EntityTag: Hashable, Sendable {
    /// The tag without its quotation marks.
    public let value: String
    /// Whether versions with the same tag may differ in details, byte for byte.
    public let isWeak: Bool

    /// A tag with these characters. Returns `nil` if one is a quotation mark, a space or a control character.
    ///
    /// - Parameters:
    ///   - value: The tag without its quotation marks.
    ///   - isWeak: Whether the tag is weak; `false` by default.
    public init?(_ value: String, isWeak: Bool = false) {
        guard value.utf8.allSatisfy(\.isEntityTagCharacter) else { return nil }
        self.value = value
        self.isWeak = isWeak
    }

    /// Reads a tag as it is in a header field: `"33a64df5"` or `W/"33a64df5"`. Returns `nil` for anything else.
    public init?(field: String) {
        var reader = ByteReader(Array(field.utf8)[...].trimmingBlanks)
        guard let tag = reader.entityTag(), reader.isAtEnd else { return nil }
        self = tag
    }

    /// Whether both name the same version, byte for byte: neither is weak (RFC 9110, section 8.8.3.2).
    public func isStronglyEqual(to other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && value == other.value
    }

    /// Whether both name the same version, or equivalent versions (RFC 9110, section 8.8.3.2).
    public func isWeaklyEqual(to other: EntityTag) -> Bool { value == other.value }
}

extension EntityTag: CustomStringConvertible {
    /// The tag as it is in a header field: `"33a64df5"`, `W/"33a64df5"`.
    public var description: String { "\(isWeak ? "W/" : "")\"\(value)\"" }
}

/// The versions that a condition names: some, or any (RFC 9110, sections 13.1.1 and 13.1.2).
///
/// ```swift
/// request.headers.ifMatch = [tag]          // only if it has not changed
/// request.headers.ifNoneMatch = .any       // only if it does not exist
/// ```
public enum EntityTags: Hashable, Sendable {
    /// Every version: that the representation exists.
    case any
    /// These versions.
    case tags([EntityTag])
}

extension EntityTags: ExpressibleByArrayLiteral {
    /// These versions.
    public init(arrayLiteral tags: EntityTag...) {
        self = .tags(tags)
    }
}

extension EntityTags: CustomStringConvertible {
    /// The tags as they are in a header field: `*`, or a list.
    public var description: String {
        switch self {
        case .any: "*"
        case .tags(let tags): tags.map(\.description).joined(separator: ", ")
        }
    }
}

extension HeaderFields {
    /// The `ETag` field: the version that a response has. `nil` without it, or if it is malformed.
    public var entityTag: EntityTag? {
        get { self[values: "ETag"].first.flatMap(EntityTag.init(field:)) }
        set { self["ETag"] = newValue?.description }
    }

    /// The `If-Match` field: the request is done only if the server has one of these versions, and otherwise refused with status 412. Weak
    /// tags never match. `nil` without it, or if it is malformed.
    ///
    /// An empty list matches no version; it is sent as the weak tag `W/""`.
    public var ifMatch: EntityTags? {
        get { entityTags("If-Match") }
        set { self["If-Match"] = newValue == [] ? "W/\"\"" : newValue?.description }
    }

    /// The `If-None-Match` field: the request is done only if the server has none of these versions. Otherwise the response to GET or HEAD
    /// has status 304, and other methods are refused with 412. `nil` without it, or if it is malformed. An empty list is no condition.
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
    fileprivate mutating func entityTag() -> EntityTag? {
        var ahead = self
        let isWeak = ahead.skip("W")
        guard !isWeak || ahead.skip("/"), ahead.skip("\"") else { return nil }
        let value = ahead.take(while: \.isEntityTagCharacter)
        guard ahead.skip("\"") else { return nil }
        self = ahead
        return EntityTag(String(decoding: value, as: UTF8.self), isWeak: isWeak)
    }
}

extension UInt8 {
    /// `etagc` of RFC 9110, section 8.8.3.
    fileprivate var isEntityTagCharacter: Bool { self == 0x21 || 0x23...0x7E ~= self || self >= 0x80 }
}
