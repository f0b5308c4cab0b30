/// The query of a URL, or the fields of a form: named values, in order. Names may repeat.
///
/// ```swift
/// query = ["page": 1, "q": nil, "tags": ["a", "b"], "since": date, "on": true, "x": 1.5]
/// query["page"] = 2
/// query["page"] == 2                      // true
/// query.append("sort", "name")
/// ```
///
/// A value is a text, a number, a Boolean, a date, a UUID, a URL, an array or dictionary of these, another query, or a
/// ``QueryValueConvertible``. A `nil` value is omitted. ``init(encoding:lists:nesting:dates:booleans:)`` creates a
/// query from any `Encodable` object.
///
/// In a URL, all characters of names and values except the unreserved ones (RFC 3986, section 2.3) are escaped. Servers
/// therefore decode `+`, `&`, `=` and spaces correctly.
///
/// A number that is not finite and a date outside the years 1 to 9999 fail the request when it is built. The code is
/// ``ErrandError/Code-swift.struct/invalidURL``, or `bodyEncodingFailed` in a form. The reason names the item, not the
/// value.
///
/// The descriptions of a query show names but no values.
public struct URLQuery: Hashable, Sendable {
    /// The style of arrays; repeated by default.
    public var listStyle = ListStyle.repeated
    /// The style of the names of nested members; with brackets by default.
    public var nestingStyle = NestingStyle.brackets
    /// The style of dates; ISO 8601 in whole seconds by default. Finer fractions are truncated.
    public var dateStyle = DateStyle.iso8601
    /// The style of Booleans; as words by default.
    public var booleanStyle = BooleanStyle.words
    private(set) var items: [Item] = []
    /// The reason why the value of this query could not be encoded; `nil` if it could.
    private(set) var fault: String?

    struct Item: Hashable, Sendable {
        var name: String
        var value: QueryValue
    }

    /// Creates an empty query.
    public init() {}

    /// Creates a copy of a query, with some styles changed.
    ///
    /// ```swift
    /// var query: URLQuery { URLQuery(["tags": tags, "since": date], lists: .commas, dates: .secondsSince1970) }
    /// ```
    ///
    /// - Parameters:
    ///   - query: The query, whose own styles are kept for omitted parameters.
    ///   - lists: The style of arrays.
    ///   - nesting: The style of the names of nested members.
    ///   - dates: The style of dates.
    ///   - booleans: The style of Booleans.
    public init(
        _ query: URLQuery, lists: ListStyle? = nil, nesting: NestingStyle? = nil, dates: DateStyle? = nil,
        booleans: BooleanStyle? = nil
    ) {
        self = query
        listStyle = lists ?? listStyle
        nestingStyle = nesting ?? nestingStyle
        dateStyle = dates ?? dateStyle
        booleanStyle = booleans ?? booleanStyle
    }

    /// Creates a query from the items of a Foundation query. An item without a value has no `=` in a URL.
    public init(_ items: some Sequence<URLQueryItem>) {
        self.items = items.map { Item(name: $0.name, value: $0.value.map { .text($0) } ?? .flag) }
    }

    /// Creates a query from items, or from a fault that fails the request when it is built.
    init(items: [Item], fault: String? = nil) {
        self.items = items
        self.fault = fault
    }

    /// Returns this query for a URL, with the items of another before its own. Each item has the style of its query.
    func following(_ other: URLQuery) -> URLQuery {
        guard !other.isEmpty else { return self }
        var query = self
        do {
            query.items.insert(contentsOf: hasStyles(of: other) ? other.items : try other.writtenItems(), at: 0)
            query.fault = other.fault ?? fault
        } catch {
            query.fault = error.reason
        }
        return query
    }

    private func hasStyles(of other: URLQuery) -> Bool {
        listStyle == other.listStyle && nestingStyle == other.nestingStyle && dateStyle == other.dateStyle
            && booleanStyle == other.booleanStyle
    }

    /// The items as this query writes them in a URL, so that the styles of another query do not change them.
    private func writtenItems() throws(ErrandError) -> [Item] {
        try written(as: .url).map { Item(name: $0.name, value: $0.value.map { .escaped($0) } ?? .flag) }
    }

    /// Whether the query has no items. It is `false` for a query from a value that cannot be encoded.
    public var isEmpty: Bool { items.isEmpty && fault == nil }

    /// The names, in order; a repeated name appears each time.
    public var names: [String] { items.map(\.name) }

    /// All values of a name, in order. Names are case-sensitive.
    public subscript(values name: String) -> [QueryValue] { items.filter { $0.name == name }.map(\.value) }

    /// The first value of a name; `nil` if it is missing. Names are case-sensitive.
    ///
    /// Compare it with a value, or read its ``QueryValue/text``.
    public subscript(name: String) -> QueryValue? { items.first { $0.name == name }?.value }

    /// The value of a name, for assignment. Reading returns the same value as the read-only subscript.
    ///
    /// The new value replaces all values of the name, at the position of the first, or is appended. `nil` removes all
    /// values of the name.
    public subscript(name: some StringProtocol) -> (any QueryValueConvertible)? {
        get { self[String(name)] as QueryValue? }
        set {
            let name = String(name)
            let place = items.firstIndex { $0.name == name } ?? items.endIndex
            items.removeAll { $0.name == name }
            guard let newValue else { return }
            items.insert(Item(name: name, value: newValue.queryValue), at: place)
        }
    }

    /// Appends a value, even if the name already has one. `nil` appends nothing.
    public mutating func append(_ name: String, _ value: (any QueryValueConvertible)?) {
        guard let value else { return }
        items.append(Item(name: name, value: value.queryValue))
    }

    /// Appends the items of another query. The styles of this query are kept.
    public mutating func append(contentsOf other: URLQuery) {
        items += other.items
        fault = fault ?? other.fault
    }
}

extension URLQuery: ExpressibleByDictionaryLiteral {
    /// The name of an item.
    public typealias Key = String
    /// The value of an item; `nil` omits the item.
    public typealias Value = (any QueryValueConvertible)?

    /// Creates a query from names and values, in this order. `nil` values are omitted.
    public init(dictionaryLiteral elements: (String, (any QueryValueConvertible)?)...) {
        for (name, value) in elements { append(name, value) }
    }
}

extension URLQuery: Confidential {
    /// The names, with `***` for every value: `page=***&q=***`.
    public var description: String { names.map { "\($0)=***" }.joined(separator: "&") }
}

extension URLQuery {
    /// The format in which a query is written.
    enum Format {
        /// A URL, in which all characters except the unreserved ones are escaped (RFC 3986, section 2.3).
        case url
        /// A form: `application/x-www-form-urlencoded` (WHATWG URL, section 5.2).
        case form
    }

    /// Encodes the query for a URL. The result is empty if all values are omitted.
    ///
    /// - Throws: ``ErrandError`` with `invalidURL`. The reason names the item, not its value.
    func percentEncoded() throws(ErrandError) -> String { try encoded(as: .url) }

    /// Encodes the query for a URL or a form. The result is empty if all values are omitted.
    ///
    /// - Throws: ``ErrandError`` with `invalidURL`, or with `bodyEncodingFailed` for a form. The reason names the item,
    ///   not its value.
    func encoded(as format: Format) throws(ErrandError) -> String {
        try written(as: format).map { name, value in format.escaped(name) + (value.map { "=" + $0 } ?? "") }
            .joined(separator: "&")
    }

    /// Returns the items in the styles of the query: names without escapes, and escaped values, `nil` for an item
    /// without `=`.
    private func written(as format: Format) throws(ErrandError) -> [(name: String, value: String?)] {
        if let fault { throw format.error(fault) }
        var writer = QueryWriter(self, format)
        for item in items { try writer.write(item.name, item.value) }
        return writer.items
    }
}

/// A writer of the items of a query in its styles.
private struct QueryWriter {
    private let query: URLQuery
    private let format: URLQuery.Format
    private(set) var items: [(name: String, value: String?)] = []

    init(_ query: URLQuery, _ format: URLQuery.Format) {
        self.query = query
        self.format = format
    }

    /// Writes a value, whose name includes the names of the enclosing members.
    mutating func write(_ name: String, _ value: QueryValue) throws(ErrandError) {
        switch value.content {
        case .list(let elements): try write(name, elements)
        case .object(let members):
            for member in members {
                let nested = query.nestingStyle == .brackets ? "\(name)[\(member.name)]" : "\(name).\(member.name)"
                try write(nested, member.value)
            }
        // The form format cannot distinguish an item without a value from one with an empty value.
        case .flag: items.append((name, format == .form ? "" : nil))
        default: items.append((name, try escapedText(of: value, name)))
        }
    }

    private mutating func write(_ name: String, _ elements: [QueryValue]) throws(ErrandError) {
        switch query.listStyle {
        case .indexed:
            for (index, element) in elements.enumerated() {
                try write("\(name)[\(index)]", element.content == .flag ? .text("") : element)
            }
        case .repeated, .brackets:
            let name = query.listStyle == .brackets ? name + "[]" : name
            for element in elements.flatMap(\.elements) {
                try write(name, element.content == .flag ? .text("") : element)
            }
        case .commas:
            var texts: [String] = []
            for element in elements.flatMap(\.elements) { texts.append(try escapedText(of: element, name)) }
            if !texts.isEmpty { items.append((name, texts.joined(separator: ","))) }
        }
    }

    /// Returns the escaped text of a value in the style of the query. An object gets here only from a list with commas.
    private func escapedText(of value: QueryValue, _ name: String) throws(ErrandError) -> String {
        switch value.content {
        case .text(let text): return format.escaped(text)
        case .escaped(let text): return text
        case .boolean(let isTrue): return query.booleanStyle == .words ? "\(isTrue)" : isTrue ? "1" : "0"
        // A flag in a list with commas is an empty text. No list gets here: `elements` has replaced it.
        case .flag, .list: return ""
        case .object: throw format.error(name, "a list with commas, which cannot hold nested members")
        case .invalid(let fault): throw format.error(name, fault.rawValue)
        case .unencodable(let reason): throw format.error(reason)
        case .date(let date):
            guard let text = date.text(in: query.dateStyle) else {
                throw format.error(name, QueryValue.Fault.dateOutOfRange.rawValue)
            }
            return format.escaped(text)
        }
    }
}

extension QueryValue {
    /// The values of this list and of nested lists, or only this value if it is not a list.
    fileprivate var elements: [QueryValue] {
        guard case .list(let values) = content else { return [self] }
        return values.flatMap(\.elements)
    }
}

extension URLQuery.Format {
    fileprivate func escaped(_ text: String) -> String {
        self == .url ? text.percentEncoded(allowing: .unreservedCharacters) : text.formURLEncoded
    }

    fileprivate func error(_ reason: String) -> ErrandError {
        ErrandError(self == .url ? .invalidURL : .bodyEncodingFailed, reason: reason)
    }

    /// - Parameters:
    ///   - name: The name of the item, including the names of the enclosing members.
    ///   - fault: A noun phrase that describes the invalid value.
    fileprivate func error(_ name: String, _ fault: String) -> ErrandError {
        let name = name.percentEncoded(allowing: Self.shownCharacters)
        return error("the \(self == .url ? "query item" : "form field") \(name) is \(fault)")
    }

    private static let shownCharacters = Set<UInt8>.unreservedCharacters.union("[]".utf8)
}
