/// A list of items with parameters in a structured header field (RFC 9651, section 3.1).
///
/// Integers, strings, tokens and byte sequences keep their values. Other items must be well formed and become
/// ``BareItem/other``. A list with an inner list or a display string is not supported.
struct StructuredList {
    /// A value without its parameters.
    enum BareItem: Hashable {
        case integer(Int)
        /// A string or a token.
        case text(String)
        case bytes(Data)
        case other
    }

    struct Item: Hashable {
        var value: BareItem
        var parameters: [String: BareItem]
    }

    let items: [Item]

    /// Parses the value of a field, whose lines are joined by commas. Returns `nil` if any part of it is malformed.
    init?(_ text: String) {
        var parser = StructuredFieldParser(text)
        guard let items = parser.list() else { return nil }
        self.items = items
    }
}

/// A dictionary of items in a structured header field (RFC 9651, section 3.2). ``StructuredList`` describes the
/// supported items.
struct StructuredDictionary {
    /// The values by name. If a name is repeated, the last value counts.
    let values: [String: StructuredList.BareItem]

    /// Parses the value of a field, whose lines are joined by commas. Returns `nil` if any part of it is malformed.
    init?(_ text: String) {
        var parser = StructuredFieldParser(text)
        guard let values = parser.dictionary() else { return nil }
        self.values = values
    }
}
