/// What can be a value in a ``Query``: texts, numbers, truth values, dates, UUIDs, arrays, and types of your own.
///
/// A type with a raw value needs nothing but to say so:
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
    /// The raw value's.
    public var queryValue: QueryValue { rawValue.queryValue }
}

extension QueryValueConvertible where Self: BinaryInteger {
    /// Its decimal digits.
    public var queryValue: QueryValue { .text(String(self)) }
}

extension QueryValueConvertible where Self: StringProtocol {
    /// The text itself.
    public var queryValue: QueryValue { .text(String(self)) }
}

extension QueryValueConvertible where Self: BinaryFloatingPoint & LosslessStringConvertible {
    /// The fewest decimal digits that are read back as the same number, without an exponent; a whole number has no
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

extension Bool: QueryValueConvertible {
    /// `true` or `false`.
    public var queryValue: QueryValue { .text(self ? "true" : "false") }
}

extension Date: QueryValueConvertible {
    /// A date, in the style of its query.
    public var queryValue: QueryValue { .date(self) }
}

extension UUID: QueryValueConvertible {
    /// The text that `uuidString` is, in capitals.
    public var queryValue: QueryValue { .text(uuidString) }
}

extension Array: QueryValueConvertible where Element: QueryValueConvertible {
    /// A list, in the style of its query.
    public var queryValue: QueryValue { .list(map(\.queryValue)) }
}

extension QueryValue: QueryValueConvertible {
    /// The value itself.
    public var queryValue: QueryValue { self }
}
