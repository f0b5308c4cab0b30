/// A value that can be one segment of a ``RequestPath``, also in an array literal: texts, integers, UUIDs and custom
/// types.
///
/// A type with a raw value needs only the conformance. Other types implement ``pathSegment``:
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
    /// The segment as plain text, without escapes. The path escapes special characters, so that the text stays one
    /// segment.
    var pathSegment: String { get }
}

extension PathSegmentConvertible where Self: RawRepresentable, RawValue: PathSegmentConvertible {
    /// The segment of the raw value.
    public var pathSegment: String { rawValue.pathSegment }
}

extension PathSegmentConvertible where Self: LosslessStringConvertible {
    /// The description.
    public var pathSegment: String { description }
}

extension PathSegmentConvertible
where Self: RawRepresentable & LosslessStringConvertible, RawValue: PathSegmentConvertible {
    /// The segment of the raw value.
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
    /// The text of `uuidString`, in uppercase.
    public var pathSegment: String { uuidString }
}
