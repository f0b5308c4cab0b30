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
