/// What a URL asks for behind its `?`: named values, in order, and names may repeat.
///
/// ```swift
/// query = ["page": 1, "q": nil, "tags": ["a", "b"], "since": date, "on": true, "x": 1.5]
/// query["page"] = 2
/// query.append("sort", "name")
/// ```
///
/// A value is a text, a number, a truth value, a date, a UUID, an array of these, or what you make a
/// ``QueryValueConvertible``. One that is nil is left out. In names and values everything but the unreserved characters
/// (RFC 3986, section 2.3) is escaped, so that `+`, `&`, `=` and a space are read back as they were by any server.
///
/// A number that is not finite, and a date outside the years 1 to 9999, are refused when the request is built, with
/// ``ErrandError/Code-swift.struct/invalidURL``; nothing is sent.
///
/// Its descriptions show names and no values.
public struct Query: Hashable, Sendable {
    /// How a value that is an array is written. An empty array is left out in each.
    public enum ListStyle: Hashable, Sendable, CaseIterable {
        /// The name once for each: `tag=a&tag=b`.
        case repeated
        /// The name with brackets once for each, as PHP and Rails read it: `tag[]=a&tag[]=b`, the brackets escaped.
        case brackets
        /// All in one value, with commas between them: `tag=a,b`. A comma within one of them is escaped.
        case commas
    }

    /// How a date is written.
    public enum DateStyle: Hashable, Sendable, CaseIterable {
        /// ISO 8601 in UTC, in whole seconds: `2026-11-21T03:40:42Z`.
        case iso8601
        /// ISO 8601 in UTC, with milliseconds: `2026-11-21T03:40:42.250Z`.
        case iso8601WithMilliseconds
        /// Whole seconds since the beginning of 1970 in UTC: `1795232442`.
        case secondsSince1970
        /// Whole milliseconds since the beginning of 1970 in UTC: `1795232442250`.
        case millisecondsSince1970
    }

    /// How arrays are written; repeated by default.
    public var listStyle = ListStyle.repeated
    /// How dates are written; ISO 8601 in whole seconds by default. What is finer is cut off.
    public var dateStyle = DateStyle.iso8601
    private(set) var items: [Item] = []

    /// A name and its value.
    struct Item: Hashable, Sendable {
        var name: String
        var value: QueryValue
    }

    /// An empty query.
    public init() {}

    /// A query with its arrays and dates in another style.
    ///
    /// ```swift
    /// var query: Query { Query(["tags": tags, "since": date], lists: .commas, dates: .secondsSince1970) }
    /// ```
    public init(_ query: Query, lists: ListStyle = .repeated, dates: DateStyle = .iso8601) {
        self = query
        listStyle = lists
        dateStyle = dates
    }

    /// The items as Foundation has them; one without a value has no `=`.
    public init(_ items: some Sequence<URLQueryItem>) {
        self.items = items.map { Item(name: $0.name, value: $0.value.map { .text($0) } ?? .flag) }
    }

    /// Whether there is nothing in it.
    public var isEmpty: Bool { items.isEmpty }

    /// The names, in order; one that repeats is there each time.
    public var names: [String] { items.map(\.name) }

    /// The first value of this name; nil where there is none.
    ///
    /// Setting it takes the place of all values of the name, and stands where the first of them stood, or at the end;
    /// setting nil removes them. Names are compared with regard to case.
    public subscript(name: String) -> (any QueryValueConvertible)? {
        get { items.first { $0.name == name }?.value }
        set {
            let place = items.firstIndex { $0.name == name } ?? items.endIndex
            items.removeAll { $0.name == name }
            guard let newValue else { return }
            items.insert(Item(name: name, value: newValue.queryValue), at: place)
        }
    }

    /// Adds a value behind the others, also when the name is there already; nil adds nothing.
    public mutating func append(_ name: String, _ value: (any QueryValueConvertible)?) {
        guard let value else { return }
        items.append(Item(name: name, value: value.queryValue))
    }

    /// Adds the values of another query behind the others. The styles stay this one's.
    public mutating func append(contentsOf other: Query) {
        items += other.items
    }
}

extension Query: ExpressibleByDictionaryLiteral {
    /// Names.
    public typealias Key = String
    /// What can be a value; nil is left out.
    public typealias Value = (any QueryValueConvertible)?

    /// A query of these names and values, in this order; nil values are left out.
    public init(dictionaryLiteral elements: (String, (any QueryValueConvertible)?)...) {
        for (name, value) in elements { append(name, value) }
    }
}

extension Query: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The names, with `***` for every value: `page=***&q=***`.
    public var description: String { names.map { "\($0)=***" }.joined(separator: "&") }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no value.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
