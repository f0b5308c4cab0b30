extension Query {
    /// The query as it stands in a URL; empty when all of its values are left out.
    ///
    /// Everything but the unreserved characters is escaped, so that `+`, `&`, `=` and a space read back as they were
    /// by any server, whether or not it takes `+` for a space.
    ///
    /// - Throws: ``ErrandError`` with `invalidURL`, which names the item and not its value.
    func percentEncoded() throws(ErrandError) -> String {
        var parts: [String] = []
        for item in items { try encode(item, into: &parts) }
        return parts.joined(separator: "&")
    }

    private func encode(_ item: Item, into parts: inout [String]) throws(ErrandError) {
        guard case .list(let values) = item.value.content else {
            parts.append(try pair(item.name, text(of: item.value, item.name)))
            return
        }
        let name = listStyle == .brackets ? item.name + "[]" : item.name
        var members: [String] = []
        for value in values.flatMap(\.members) {
            members.append((try text(of: value, item.name) ?? "").percentEncoded(allowing: .unreservedCharacters))
        }
        guard !members.isEmpty else { return }
        let escapedName = name.percentEncoded(allowing: .unreservedCharacters)
        if listStyle == .commas { members = [members.joined(separator: ",")] }
        parts += members.map { "\(escapedName)=\($0)" }
    }

    private func pair(_ name: String, _ value: String?) -> String {
        let name = name.percentEncoded(allowing: .unreservedCharacters)
        return value.map { "\(name)=\($0.percentEncoded(allowing: .unreservedCharacters))" } ?? name
    }

    /// The text of a value that is no list; nil for none.
    private func text(of value: QueryValue, _ name: String) throws(ErrandError) -> String? {
        switch value.content {
        case .text(let text): return text
        case .flag, .list: return nil
        case .invalid(let fault): throw Self.error(fault, name)
        case .date(let date):
            guard let text = date.text(in: dateStyle) else { throw Self.error(.dateOutOfRange, name) }
            return text
        }
    }

    private static func error(_ fault: QueryValue.Fault, _ name: String) -> ErrandError {
        let name = name.percentEncoded(allowing: .unreservedCharacters)
        return ErrandError(.invalidURL, reason: "the query item \(name) is \(fault.rawValue)")
    }
}

extension QueryValue {
    /// The values in this one: those of a list, or it alone.
    fileprivate var members: [QueryValue] {
        guard case .list(let values) = content else { return [self] }
        return values.flatMap(\.members)
    }
}

extension Date {
    /// The years 1 to 9999, in seconds since 1970: what ISO 8601 writes in four digits.
    private static let writable = -62_135_596_800.0..<253_402_300_800.0

    /// This date in a style, what is finer than it cut off; nil for one that ISO 8601 has no four digits for.
    fileprivate func text(in style: Query.DateStyle) -> String? {
        guard Self.writable.contains(timeIntervalSince1970) else { return nil }
        // Rounded to the microsecond first: no binary fraction is a quarter past the hour, and one just below it would
        // lose a millisecond.
        let microseconds = Int64((timeIntervalSince1970 * 1_000_000).rounded())
        let seconds = microseconds.quotientAndRemainder(flooringBy: 1_000_000).quotient
        let milliseconds = microseconds.quotientAndRemainder(flooringBy: 1000).quotient
        switch style {
        case .secondsSince1970: return String(seconds)
        case .millisecondsSince1970: return String(milliseconds)
        case .iso8601: return Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
        case .iso8601WithMilliseconds:
            let whole = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
            // A thousand more, for its zeros in front.
            return whole.dropLast() + "." + String(milliseconds - seconds * 1000 + 1000).dropFirst() + "Z"
        }
    }
}
