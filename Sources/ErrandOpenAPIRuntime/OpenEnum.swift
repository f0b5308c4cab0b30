/// A value of which some cases are known, and that accepts others: an enumeration of an API that may grow.
///
/// ```swift
/// public struct BookStatus: OpenEnum {
///     public let rawValue: String
///     public init(rawValue: String) { self.rawValue = rawValue }
///
///     public static let available = BookStatus(rawValue: "available")
/// }
/// ```
///
/// An unknown value decodes, and encodes unchanged.
public protocol OpenEnum: RawRepresentable, Codable, Hashable, Sendable, CustomStringConvertible, QueryValueConvertible,
    PathSegmentConvertible
where RawValue: Codable & Hashable & Sendable {
    /// Creates a known or an unknown value.
    init(rawValue: RawValue)
}

extension OpenEnum {
    /// Decodes the raw value.
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(RawValue.self))
    }

    /// Encodes the raw value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    /// The text of the raw value.
    public var description: String { "\(rawValue)" }
    /// The text of the raw value, as a value of a query.
    public var queryValue: QueryValue { .text(description) }
    /// The text of the raw value, as a segment of a path.
    public var pathSegment: String { description }
}

/// An enumeration that fails to decode values other than its cases.
public protocol ClosedEnum: RawRepresentable, Codable, Hashable, Sendable, CaseIterable, QueryValueConvertible,
    PathSegmentConvertible
where RawValue == String {}
