/// What can be seen of a JSON value before it is decoded. A generated union decides by it which of its cases fits.
public struct JSONContent {
    /// A kind of JSON value.
    public enum Kind: Hashable, Sendable {
        /// `null`.
        case null
        /// `true` or `false`.
        case boolean
        /// A number without a fraction.
        case integer
        /// Another number.
        case number
        /// A text.
        case string
        /// An array.
        case array
        /// An object.
        case object
    }

    private let decoder: any Decoder
    private let members: KeyedDecodingContainer<MemberKey>?
    /// The kind of the value. A number without a fraction is an integer.
    public let kind: Kind

    /// Looks at the value of a decoder.
    public init(_ decoder: any Decoder) {
        self.decoder = decoder
        members = try? decoder.container(keyedBy: MemberKey.self)
        kind = members == nil ? Self.kind(of: decoder) : .object
    }

    private static func kind(of decoder: any Decoder) -> Kind {
        if (try? decoder.unkeyedContainer()) != nil { return .array }
        guard let container = try? decoder.singleValueContainer(), !container.decodeNil() else { return .null }
        if (try? container.decode(String.self)) != nil { return .string }
        if (try? container.decode(Bool.self)) != nil { return .boolean }
        return (try? container.decode(Int64.self)) != nil ? .integer : .number
    }

    /// The value, if it is a text.
    public var text: String? { kind == .string ? try? decoder.singleValueContainer().decode(String.self) : nil }

    /// Whether an object has a member.
    public func has(_ name: String) -> Bool { members?.contains(MemberKey(name)) ?? false }

    /// The text of a member that is a text, a number or a Boolean; `nil` for another one. A number without a fraction
    /// has the text of an integer.
    ///
    /// - Parameter path: The name of a member, or the names on the way to a member of a member.
    public func text(of path: String...) -> String? {
        guard var members, let last = path.last.map({ MemberKey($0) }) else { return nil }
        for name in path.dropLast() {
            guard let inner = try? members.nestedContainer(keyedBy: MemberKey.self, forKey: MemberKey(name)) else {
                return nil
            }
            members = inner
        }
        guard members.contains(last) else { return nil }
        if let text = try? members.decode(String.self, forKey: last) { return text }
        if let flag = try? members.decode(Bool.self, forKey: last) { return "\(flag)" }
        if let number = try? members.decode(Int.self, forKey: last) { return "\(number)" }
        return (try? members.decode(Double.self, forKey: last)).map { "\($0)" }
    }

    /// The kind of a member's value; `nil` if the object does not have it.
    public func kind(of name: String) -> Kind? {
        guard let members, has(name), let member = try? members.superDecoder(forKey: MemberKey(name)) else {
            return nil
        }
        return JSONContent(member).kind
    }

    /// The first element of an array; `nil` if it is empty.
    public var element: JSONContent? {
        guard var elements = try? decoder.unkeyedContainer(), !elements.isAtEnd,
            let element = try? elements.superDecoder()
        else { return nil }
        return JSONContent(element)
    }

    /// The kind of the first element of an array; `nil` if it is empty.
    public var elementKind: Kind? { element?.kind }

    /// Returns the index of the list that has most of the object's members; of equal ones, the first.
    public func bestMatch(_ lists: [Set<String>]) -> Int {
        let names = Set(members?.allKeys.map(\.stringValue) ?? [])
        let counts = lists.map { names.intersection($0).count }
        return counts.firstIndex { $0 == counts.max() } ?? 0
    }

    /// Decodes the value.
    public func decode<Value: Decodable>() throws -> Value {
        try decoder.singleValueContainer().decode(Value.self)
    }
}

/// The name of a member that no type has declared.
struct MemberKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Decoder {
    /// Decodes the members of an object that have none of these keys.
    public func members<Value: Decodable>(besides keys: [some CodingKey]) throws -> [String: Value] {
        let container = try container(keyedBy: MemberKey.self)
        let known = Set(keys.map(\.stringValue))
        var members: [String: Value] = [:]
        for key in container.allKeys where !known.contains(key.stringValue) {
            members[key.stringValue] = try container.decode(Value.self, forKey: key)
        }
        return members
    }

    /// Decodes all members of an object.
    public func members<Value: Decodable>() throws -> [String: Value] { try members(besides: [MemberKey]()) }
}

extension Encoder {
    /// Encodes more members of an object.
    public func encode(members: [String: some Encodable]) throws {
        var container = container(keyedBy: MemberKey.self)
        for (name, value) in members { try container.encode(value, forKey: MemberKey(name)) }
    }
}
