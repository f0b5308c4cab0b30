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
    /// `nil` for a list, nested members, a flag, and a value that cannot be written.
    public var text: String? {
        switch content {
        case .text(let text): text
        case .boolean(let isTrue): "\(isTrue)"
        case .date(let date): date.text(in: .iso8601)
        case .list, .object, .flag, .invalid, .unencodable: nil
        }
    }
}

extension QueryValue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Three asterisks: a query value may be secret.
    public var description: String { "***" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// A mirror with only the description, so that `dump` shows no value either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension QueryValue? {
    /// Returns `true` if this value of a query is equal to that of `other`, as in `query["page"] == 2`.
    ///
    /// Numbers are compared by their digits, so a number is equal to the text of its digits. A Boolean or a date is not
    /// equal to its text.
    public static func == (value: QueryValue?, other: some QueryValueConvertible) -> Bool {
        value == Optional(other.queryValue)
    }

    /// Returns `true` if this value of a query is missing, or is not equal to that of `other`.
    public static func != (value: QueryValue?, other: some QueryValueConvertible) -> Bool {
        !(value == other)
    }
}
