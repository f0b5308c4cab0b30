/// What can be one segment of a ``RequestPath``, also in an array literal: texts, integers, UUIDs, and types of your own.
///
/// A type with a raw value needs nothing but to say so, and one that is made of another says what its segment is:
///
/// ```swift
/// enum Collection: String, PathSegmentConvertible { case users, posts }
///
/// struct Country: PathSegmentConvertible {
///     var code: String
///     var pathSegment: String { code.lowercased() }
/// }
/// ```
public protocol PathSegmentConvertible {
    /// The segment as plain text, without escapes. Whatever is in it, it stays one segment.
    var pathSegment: String { get }
}

extension PathSegmentConvertible where Self: RawRepresentable, RawValue: PathSegmentConvertible {
    /// The segment that the raw value is.
    public var pathSegment: String { rawValue.pathSegment }
}

extension PathSegmentConvertible where Self: LosslessStringConvertible {
    /// The description.
    public var pathSegment: String { description }
}

extension PathSegmentConvertible
where Self: RawRepresentable & LosslessStringConvertible, RawValue: PathSegmentConvertible {
    /// The segment that the raw value is.
    public var pathSegment: String { rawValue.pathSegment }
}

extension String: PathSegmentConvertible {}
extension Substring: PathSegmentConvertible {}
extension Int: PathSegmentConvertible {}
extension Int8: PathSegmentConvertible {}
extension Int16: PathSegmentConvertible {}
extension Int32: PathSegmentConvertible {}
extension Int64: PathSegmentConvertible {}
extension UInt: PathSegmentConvertible {}
extension UInt8: PathSegmentConvertible {}
extension UInt16: PathSegmentConvertible {}
extension UInt32: PathSegmentConvertible {}
extension UInt64: PathSegmentConvertible {}

extension UUID: PathSegmentConvertible {
    /// The text that `uuidString` is, in capitals.
    public var pathSegment: String { uuidString }
}
