/// The value of one name in a ``Query``, before it is written in the style of its query.
///
/// Its descriptions do not show it.
public struct QueryValue: Hashable, Sendable {
    let content: Content

    enum Content: Hashable, Sendable {
        case text(String)
        case date(Date)
        case list([QueryValue])
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

    /// A date, to be written in the query's ``Query/dateStyle``.
    public static func date(_ date: Date) -> QueryValue { QueryValue(content: .date(date)) }

    /// Values, to be written in the query's ``Query/listStyle``. Lists in it are taken for their members, and flags
    /// for empty texts.
    public static func list(_ values: [QueryValue]) -> QueryValue { QueryValue(content: .list(values)) }

    /// No value at all: the name stands alone, without `=`.
    ///
    /// ```swift
    /// query = ["archived": QueryValue.flag]
    /// ```
    public static let flag = QueryValue(content: .flag)

    /// A number in decimal digits; refused when the request is built if it is not finite.
    static func number(_ number: some BinaryFloatingPoint & LosslessStringConvertible) -> QueryValue {
        PlainDecimal(number).map { .text($0.text) } ?? QueryValue(content: .invalid(.notFinite))
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
