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
extension UInt: QueryValueConvertible {}
extension UInt8: QueryValueConvertible {}
extension UInt16: QueryValueConvertible {}
extension UInt32: QueryValueConvertible {}
extension UInt64: QueryValueConvertible {}
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
