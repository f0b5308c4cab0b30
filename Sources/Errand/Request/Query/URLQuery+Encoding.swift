extension URLQuery {
    /// The format in which a query is written.
    enum Format {
        /// A URL, in which all characters except the unreserved ones are escaped (RFC 3986, section 2.3).
        case url
        /// A form: `application/x-www-form-urlencoded` (WHATWG URL, section 5.2).
        case form
    }

    /// Encodes the query for a URL. The result is empty if all values are omitted.
    ///
    /// - Throws: ``ErrandError`` with `invalidURL`. The reason names the item, not its value.
    func percentEncoded() throws(ErrandError) -> String { try encoded(as: .url) }

    /// Encodes the query for a URL or a form. The result is empty if all values are omitted.
    ///
    /// - Throws: ``ErrandError`` with `invalidURL`, or with `bodyEncodingFailed` for a form. The reason names the item,
    ///   not its value.
    func encoded(as format: Format) throws(ErrandError) -> String {
        if let fault { throw format.error(fault) }
        var writer = QueryWriter(self, format)
        for item in items { try writer.write(item.name, item.value) }
        return writer.parts.joined(separator: "&")
    }
}

/// A writer of the items of a query in its styles.
private struct QueryWriter {
    private(set) var parts: [String] = []
    private let query: URLQuery
    private let format: URLQuery.Format

    init(_ query: URLQuery, _ format: URLQuery.Format) {
        self.query = query
        self.format = format
    }

    mutating func write(_ name: String, _ value: QueryValue) throws(ErrandError) {
        switch value.content {
        case .list(let elements): try write(name, elements)
        case .object(let members):
            for member in members {
                let nested = query.nestingStyle == .brackets ? "\(name)[\(member.name)]" : "\(name).\(member.name)"
                try write(nested, member.value)
            }
        // The form format cannot distinguish an item without a value from one with an empty value.
        case .flag: parts.append(format.escaped(name) + (format == .form ? "=" : ""))
        default: parts.append("\(format.escaped(name))=\(format.escaped(try text(of: value, name)))")
        }
    }

    private mutating func write(_ name: String, _ elements: [QueryValue]) throws(ErrandError) {
        switch query.listStyle {
        case .indexed:
            for (index, element) in elements.enumerated() {
                try write("\(name)[\(index)]", element.content == .flag ? .text("") : element)
            }
        case .repeated, .brackets:
            let name = query.listStyle == .brackets ? name + "[]" : name
            for element in elements.flatMap(\.elements) {
                try write(name, element.content == .flag ? .text("") : element)
            }
        case .commas:
            var texts: [String] = []
            for element in elements.flatMap(\.elements) { texts.append(format.escaped(try text(of: element, name))) }
            if !texts.isEmpty { parts.append("\(format.escaped(name))=\(texts.joined(separator: ","))") }
        }
    }

    /// The text of a value that is neither a list nor an object.
    private func text(of value: QueryValue, _ name: String) throws(ErrandError) -> String {
        switch value.content {
        case .text(let text): return text
        case .boolean(let isTrue): return query.booleanStyle == .words ? "\(isTrue)" : isTrue ? "1" : "0"
        case .flag, .list: return ""
        case .object: throw format.error(name, "a list with commas, which cannot hold nested members")
        case .invalid(let fault): throw format.error(name, fault.rawValue)
        case .unencodable(let reason): throw format.error(reason)
        case .date(let date):
            guard let text = date.text(in: query.dateStyle) else {
                throw format.error(name, QueryValue.Fault.dateOutOfRange.rawValue)
            }
            return text
        }
    }
}

extension QueryValue {
    /// The values of this list and of nested lists, or only this value if it is not a list.
    fileprivate var elements: [QueryValue] {
        guard case .list(let values) = content else { return [self] }
        return values.flatMap(\.elements)
    }
}

extension URLQuery.Format {
    fileprivate func escaped(_ text: String) -> String {
        self == .url ? text.percentEncoded(allowing: .unreservedCharacters) : text.formURLEncoded
    }

    fileprivate func error(_ reason: String) -> ErrandError {
        ErrandError(self == .url ? .invalidURL : .bodyEncodingFailed, reason: reason)
    }

    /// - Parameters:
    ///   - name: The name of the item, including the names of the enclosing members.
    ///   - fault: A noun phrase that describes the invalid value.
    fileprivate func error(_ name: String, _ fault: String) -> ErrandError {
        let name = name.percentEncoded(allowing: Self.shownCharacters)
        return error("the \(self == .url ? "query item" : "form field") \(name) is \(fault)")
    }

    private static let shownCharacters = Set<UInt8>.unreservedCharacters.union("[]".utf8)
}
