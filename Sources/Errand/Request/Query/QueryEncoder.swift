extension URLQuery {
    /// Creates a query from the members of an object.
    ///
    /// ```swift
    /// struct Filter: Encodable { var state: String; var labels: [String]; var since: Date? }
    ///
    /// query = URLQuery(encoding: Filter(state: "open", labels: ["a", "b"]), lists: .brackets)
    /// // state=open&labels%5B%5D=a&labels%5B%5D=b, which a server reads as labels[]
    /// ```
    ///
    /// Members that are `nil` are omitted, and so are `nil` elements of arrays. `Data` is written in Base64. The
    /// members of a dictionary with `String` keys are sorted by name.
    ///
    /// A value that cannot be encoded fails the request when it is built. The reason does not show the value.
    ///
    /// - Parameters:
    ///   - value: An object with named members, such as a struct or a dictionary.
    ///   - lists: The style of arrays.
    ///   - nesting: The style of the names of nested members.
    ///   - dates: The style of dates.
    ///   - booleans: The style of Booleans.
    public init(
        encoding value: some Encodable, lists: ListStyle = .repeated, nesting: NestingStyle = .brackets,
        dates: DateStyle = .iso8601, booleans: BooleanStyle = .words
    ) {
        let query: URLQuery
        do {
            query = URLQuery(items: try QueryEncoder.items(of: value))
        } catch {
            let cause = (error as? ErrandError)?.reason ?? EncodingFailure(error)?.description
            let reason = "\(type(of: value)) cannot be encoded as a query"
            query = URLQuery(items: [], fault: cause ?? reason)
        }
        self.init(query, lists: lists, nesting: nesting, dates: dates, booleans: booleans)
    }
}

/// An encoder of objects as the items of a query.
struct QueryEncoder: Encoder {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    fileprivate let node: Node

    /// - Throws: ``ErrandError`` for a value without named members, or an error that the value itself throws.
    static func items(of value: some Encodable) throws -> [URLQuery.Item] {
        let root = Node()
        try root.encode(value, at: [])
        switch root.value?.content {
        case .object(let items): return items
        case nil: return []
        default:
            let reason = "a query or form needs an object with named members, not \(type(of: value))"
            throw ErrandError(.bodyEncodingFailed, reason: reason)
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeObject()
        return KeyedEncodingContainer(Members(codingPath: codingPath, node: node))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeList()
        return Elements(codingPath: codingPath, node: node)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        Single(codingPath: codingPath, node: node)
    }
}

/// A value that is being encoded. The containers that fill it share it.
private final class Node {
    private enum Content {
        /// Nothing was encoded, or only `nil`: the value is omitted.
        case missing
        case single(QueryValue)
        case list, object
    }

    private var content = Content.missing
    /// The elements of a list, whose names are empty, or the members of an object.
    private var children: [(name: String, node: Node)] = []

    /// The value; `nil` if it is omitted.
    var value: QueryValue? {
        switch content {
        case .missing: nil
        case .single(let value): value
        case .list: .list(children.compactMap(\.node.value))
        case .object:
            QueryValue(
                content: .object(
                    children.compactMap { child in
                        child.node.value.map { URLQuery.Item(name: child.name, value: $0) }
                    }))
        }
    }

    var count: Int { if case .list = content { children.count } else { 0 } }

    /// Makes this value an object. What was encoded before as another kind of value is discarded.
    func becomeObject() {
        if case .object = content { return }
        (content, children) = (.object, [])
    }

    /// Makes this value a list. What was encoded before as another kind of value is discarded.
    func becomeList() {
        if case .list = content { return }
        (content, children) = (.list, [])
    }

    /// Returns a new member. If the value is no longer an object, because it was encoded again, the member has no
    /// effect.
    func member(_ name: String) -> Node {
        guard case .object = content else { return Node() }
        return child(name)
    }

    /// Returns a new element. If the value is no longer a list, the element has no effect.
    func element() -> Node {
        guard case .list = content else { return Node() }
        return child("")
    }

    private func child(_ name: String) -> Node {
        let node = Node()
        children.append((name, node))
        return node
    }

    func encode(_ value: some Encodable, at path: [any CodingKey]) throws {
        switch value {
        // `queryValue` comes before `encode(to:)`, so that the styles of the query apply to dates and Booleans.
        case let value as any QueryValueConvertible: content = .single(value.queryValue)
        case let value as Data: content = .single(.text(value.base64EncodedString()))
        default:
            try value.encode(to: QueryEncoder(codingPath: path, node: self))
            // The order of a dictionary's members differs between processes.
            if value is any Unordered, case .object = content { children.sort { $0.name < $1.name } }
        }
    }
}

/// A type whose members have no stable order: a dictionary.
private protocol Unordered {}

extension Dictionary: Unordered {}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let codingPath: [any CodingKey]
    let node: Node

    mutating func encodeNil(forKey key: Key) {}

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try add(value, key) }
    // The default implementations for these types throw an error.
    mutating func encode(_ value: Int128, forKey key: Key) throws { try add(value, key) }
    mutating func encode(_ value: UInt128, forKey key: Key) throws { try add(value, key) }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder(for: key).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(for: key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        QueryEncoder(codingPath: codingPath, node: node.member("super"))
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder { encoder(for: key) }

    private func add(_ value: some Encodable, _ key: Key) throws {
        try node.member(key.stringValue).encode(value, at: codingPath + [key])
    }

    private func encoder(for key: Key) -> QueryEncoder {
        QueryEncoder(codingPath: codingPath + [key], node: node.member(key.stringValue))
    }
}

private struct Elements: UnkeyedEncodingContainer {
    let codingPath: [any CodingKey]
    let node: Node

    var count: Int { node.count }

    mutating func encodeNil() {}

    mutating func encode<Value: Encodable>(_ value: Value) throws { try add(value) }
    mutating func encode(_ value: Int128) throws { try add(value) }
    mutating func encode(_ value: UInt128) throws { try add(value) }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }

    mutating func superEncoder() -> any Encoder { encoder() }

    private func add(_ value: some Encodable) throws {
        let path = codingPath + [Index(node.count)]
        try node.element().encode(value, at: path)
    }

    private func encoder() -> QueryEncoder {
        QueryEncoder(codingPath: codingPath + [Index(node.count)], node: node.element())
    }
}

private struct Single: SingleValueEncodingContainer {
    let codingPath: [any CodingKey]
    let node: Node

    mutating func encodeNil() {}

    mutating func encode<Value: Encodable>(_ value: Value) throws { try node.encode(value, at: codingPath) }
    mutating func encode(_ value: Int128) throws { try node.encode(value, at: codingPath) }
    mutating func encode(_ value: UInt128) throws { try node.encode(value, at: codingPath) }
}

/// The position of an element in an array.
private struct Index: CodingKey {
    let intValue: Int?
    let stringValue: String

    init(_ index: Int) {
        intValue = index
        stringValue = "Index \(index)"
    }

    init?(intValue: Int) { self.init(intValue) }
    init?(stringValue: String) { nil }
}

extension Date {
    /// The range of the years 1 to 9999, for which ISO 8601 uses four digits, in seconds since 1970.
    private static let writable = -62_135_596_800.0..<253_402_300_800.0

    /// Returns the text of this date in a style, with finer fractions truncated; `nil` for a year outside 1 to 9999.
    func text(in style: URLQuery.DateStyle) -> String? {
        guard Self.writable.contains(timeIntervalSince1970) else { return nil }
        // Rounded to the microsecond first: a binary fraction just below a whole millisecond would otherwise lose it.
        let microseconds = Int64((timeIntervalSince1970 * 1_000_000).rounded())
        let seconds = microseconds.quotientAndRemainder(flooringBy: 1_000_000).quotient
        let milliseconds = microseconds.quotientAndRemainder(flooringBy: 1000).quotient
        switch style {
        case .secondsSince1970: return String(seconds)
        case .millisecondsSince1970: return String(milliseconds)
        case .iso8601: return Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
        case .iso8601WithMilliseconds:
            let whole = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
            // Adding a thousand keeps the leading zeros.
            return whole.dropLast() + "." + String(milliseconds - seconds * 1000 + 1000).dropFirst() + "Z"
        }
    }
}
