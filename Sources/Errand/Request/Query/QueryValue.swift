/// The value of one name in a ``URLQuery``, independent of the styles in which the query writes it.
///
/// Its descriptions do not show the value.
public struct QueryValue: Hashable, Sendable {
    let content: Content

    enum Content: Hashable, Sendable {
        case text(String)
        case boolean(Bool)
        case date(Date)
        case list([QueryValue])
        case object([URLQuery.Item])
        case flag
        /// A text that is escaped already.
        case escaped(String)
        case invalid(Fault)
        /// A query that could not be encoded, with the reason.
        case unencodable(String)
    }

    /// The reason why a value cannot be written.
    enum Fault: String {
        case notFinite = "not a finite number"
        case dateOutOfRange = "not a date of the years 1 to 9999"
    }

    /// Creates a text, which is escaped.
    public static func text(_ text: String) -> QueryValue { QueryValue(content: .text(text)) }

    /// Creates a value from a text that is escaped already, and is written as it is.
    package static func escaped(_ text: String) -> QueryValue { QueryValue(content: .escaped(text)) }

    /// Creates a Boolean, written in the query's ``URLQuery/booleanStyle``.
    public static func boolean(_ isTrue: Bool) -> QueryValue { QueryValue(content: .boolean(isTrue)) }

    /// Creates a date, written in the query's ``URLQuery/dateStyle``.
    public static func date(_ date: Date) -> QueryValue { QueryValue(content: .date(date)) }

    /// Creates a list of values, written in the query's ``URLQuery/listStyle``.
    ///
    /// Nested lists are replaced by their elements, except in the style `indexed`. A flag in the list is an empty text.
    public static func list(_ values: [QueryValue]) -> QueryValue { QueryValue(content: .list(values)) }

    /// Creates an object of named values, written in the query's ``URLQuery/nestingStyle``. The styles of `members` are
    /// ignored.
    public static func object(_ members: URLQuery) -> QueryValue {
        QueryValue(content: members.fault.map(Content.unencodable) ?? .object(members.items))
    }

    /// A name without a value and without `=`.
    ///
    /// ```swift
    /// query = ["archived": QueryValue.flag]
    /// ```
    public static let flag = QueryValue(content: .flag)

    /// Creates a number in decimal digits. A number that is not finite fails the request when it is built.
    static func number(_ number: some BinaryFloatingPoint & LosslessStringConvertible) -> QueryValue {
        PlainDecimal(number).map { .text($0.text) } ?? QueryValue(content: .invalid(.notFinite))
    }

    /// The value as text: a text, the digits of a number, `true` or `false`, or a date in ISO 8601.
    ///
    /// `nil` for a date outside the years 1 to 9999, and for any other value.
    public var text: String? {
        switch content {
        case .text(let text): text
        case .boolean(let isTrue): "\(isTrue)"
        case .date(let date): date.text(in: .iso8601)
        case .list, .object, .flag, .escaped, .invalid, .unencodable: nil
        }
    }
}

extension QueryValue: Confidential {
    /// Three asterisks: a query value may be secret.
    public var description: String { "***" }
}

extension QueryValue? {
    /// Returns `true` if this value of a query is equal to that of `other`, as in `query["page"] == 2`.
    ///
    /// Numbers are compared by their digits, so a number is equal to the text of its digits. A Boolean or a date is not
    /// equal to its text.
    public static func == (value: QueryValue?, other: some QueryValueConvertible) -> Bool {
        // Without the conversion to an optional, this operator would call itself.
        value == Optional(other.queryValue)
    }

    /// Returns `true` if this value of a query is missing, or is not equal to that of `other`.
    public static func != (value: QueryValue?, other: some QueryValueConvertible) -> Bool {
        !(value == other)
    }
}

/// A type that can be a value in a ``URLQuery``: texts, numbers, Booleans, dates, UUIDs, URLs, arrays, dictionaries,
/// and custom types.
///
/// A type with a raw value needs only the conformance:
///
/// ```swift
/// enum Order: String, QueryValueConvertible { case newest, oldest }
///
/// query = ["order": Order.newest]
/// ```
public protocol QueryValueConvertible {
    /// The value.
    var queryValue: QueryValue { get }
}

extension QueryValueConvertible where Self: RawRepresentable, RawValue: QueryValueConvertible {
    /// The query value of the raw value.
    public var queryValue: QueryValue { rawValue.queryValue }
}

extension QueryValueConvertible where Self: BinaryInteger {
    /// The decimal digits.
    public var queryValue: QueryValue { .text(String(self)) }
}

extension QueryValueConvertible where Self: StringProtocol {
    /// The text itself.
    public var queryValue: QueryValue { .text(String(self)) }
}

extension QueryValueConvertible where Self: BinaryFloatingPoint & LosslessStringConvertible {
    /// The fewest decimal digits that parse back to the same number, without an exponent. A whole number has no
    /// fraction.
    public var queryValue: QueryValue { .number(self) }
}

extension String: QueryValueConvertible {}
extension Substring: QueryValueConvertible {}
extension Int: QueryValueConvertible {}
extension Int8: QueryValueConvertible {}
extension Int16: QueryValueConvertible {}
extension Int32: QueryValueConvertible {}
extension Int64: QueryValueConvertible {}
extension Int128: QueryValueConvertible {}
extension UInt: QueryValueConvertible {}
extension UInt8: QueryValueConvertible {}
extension UInt16: QueryValueConvertible {}
extension UInt32: QueryValueConvertible {}
extension UInt64: QueryValueConvertible {}
extension UInt128: QueryValueConvertible {}
extension Double: QueryValueConvertible {}
extension Float: QueryValueConvertible {}

extension Decimal: QueryValueConvertible {
    /// The decimal digits, without an exponent; a value that is not a number fails the request when it is built.
    public var queryValue: QueryValue {
        isFinite ? .text(description) : QueryValue(content: .invalid(.notFinite))
    }
}

extension Bool: QueryValueConvertible {
    /// A Boolean, in the style of its query.
    public var queryValue: QueryValue { .boolean(self) }
}

extension Date: QueryValueConvertible {
    /// A date, in the style of its query.
    public var queryValue: QueryValue { .date(self) }
}

extension UUID: QueryValueConvertible {
    /// The text of `uuidString`, in uppercase.
    public var queryValue: QueryValue { .text(uuidString) }
}

extension URL: QueryValueConvertible {
    /// The text of `absoluteString`.
    public var queryValue: QueryValue { .text(absoluteString) }
}

extension Array: QueryValueConvertible where Element: QueryValueConvertible {
    /// A list, in the style of its query.
    public var queryValue: QueryValue { .list(map(\.queryValue)) }
}

extension Dictionary: QueryValueConvertible where Key == String, Value: QueryValueConvertible {
    /// Named values, sorted by name, in the style of the query that holds them.
    public var queryValue: QueryValue {
        let members = sorted { $0.key < $1.key }.map { URLQuery.Item(name: $0.key, value: $0.value.queryValue) }
        return QueryValue(content: .object(members))
    }
}

extension URLQuery: QueryValueConvertible {
    /// The items as nested members, in the styles of the query that holds them.
    public var queryValue: QueryValue { .object(self) }
}

extension QueryValue: QueryValueConvertible {
    /// The value itself.
    public var queryValue: QueryValue { self }
}

extension URLQuery {
    /// The style of a value that is an array. An empty array is omitted in each style. Brackets are sent escaped.
    public enum ListStyle: Hashable, Sendable, CaseIterable {
        /// The name once for each element: `tag=a&tag=b`.
        case repeated
        /// The name with brackets once for each element, as PHP and Rails parse it: `tag[]=a&tag[]=b`.
        case brackets
        /// The name with the index of each element: `tag[0]=a&tag[1]=b`.
        case indexed
        /// All elements in one value: `tag=a,b`. A comma within an element is escaped. Nested members are rejected.
        case commas
    }

    /// The style of the name of a nested member. Brackets are sent escaped.
    public enum NestingStyle: Hashable, Sendable, CaseIterable {
        /// In brackets: `filter[state]=open`.
        case brackets
        /// After a dot: `filter.state=open`.
        case dots
    }

    /// The style of a date.
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

    /// The style of a Boolean.
    public enum BooleanStyle: Hashable, Sendable, CaseIterable {
        /// `true` and `false`.
        case words
        /// `1` and `0`.
        case digits
    }
}
