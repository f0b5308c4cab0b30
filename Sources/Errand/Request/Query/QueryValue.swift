/// The value of one name in a ``URLQuery``, independent of the styles in which the query writes it.
///
/// Its descriptions do not show it.
public struct QueryValue: Hashable, Sendable {
    let content: Content

    enum Content: Hashable, Sendable {
        case text(String)
        case boolean(Bool)
        case date(Date)
        case list([QueryValue])
        case object([URLQuery.Item])
        case flag
        case invalid(Fault)
    }

    /// Why a value cannot be written.
    enum Fault: String {
        case notFinite = "not a finite number"
        case dateOutOfRange = "not a date of the years 1 to 9999"
    }

    /// A text, which is escaped.
    public static func text(_ text: String) -> QueryValue { QueryValue(content: .text(text)) }

    /// A Boolean, written in the query's ``URLQuery/booleanStyle``.
    public static func boolean(_ isTrue: Bool) -> QueryValue { QueryValue(content: .boolean(isTrue)) }

    /// A date, written in the query's ``URLQuery/dateStyle``.
    public static func date(_ date: Date) -> QueryValue { QueryValue(content: .date(date)) }

    /// Values, written in the query's ``URLQuery/listStyle``.
    ///
    /// Lists in the list are replaced by their elements, except in the style `indexed`. A flag in it is an empty text.
    public static func list(_ values: [QueryValue]) -> QueryValue { QueryValue(content: .list(values)) }

    /// Named values, written in the query's ``URLQuery/nestingStyle``. The styles of `members` do not count.
    public static func object(_ members: URLQuery) -> QueryValue { QueryValue(content: .object(members.items)) }

    /// No value: the name stands alone, without `=`.
    ///
    /// ```swift
    /// query = ["archived": QueryValue.flag]
    /// ```
    public static let flag = QueryValue(content: .flag)

    /// A number in decimal digits; one that is not finite fails the request when it is built.
    static func number(_ number: some BinaryFloatingPoint & LosslessStringConvertible) -> QueryValue {
        PlainDecimal(number).map { .text($0.text) } ?? QueryValue(content: .invalid(.notFinite))
    }

    /// The value as text: a text, the digits of a number, `true` or `false`, or a date in ISO 8601.
    ///
    /// `nil` for a list, nested members, a flag, and a value that cannot be written.
    public var text: String? {
        switch content {
        case .text(let text): text
        case .boolean(let isTrue): "\(isTrue)"
        case .date(let date): date.text(in: .iso8601)
        case .list, .object, .flag, .invalid: nil
        }
    }
}

extension QueryValue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Three asterisks: a query value may be secret.
    public var description: String { "***" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Nothing, so that `dump` shows no value either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension QueryValue? {
    /// Whether this value of a query is written like `other`: `query["page"] == 2`.
    public static func == (value: QueryValue?, other: some QueryValueConvertible) -> Bool {
        value == Optional(other.queryValue)
    }

    /// Whether this value of a query is written otherwise than `other`, or is missing.
    public static func != (value: QueryValue?, other: some QueryValueConvertible) -> Bool {
        !(value == other)
    }
}
