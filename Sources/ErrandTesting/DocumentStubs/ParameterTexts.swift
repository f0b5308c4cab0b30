import Errand

/// The texts of a parameter in a request, decoded. They are split before they are decoded, because an element can have
/// the character that is between elements.
struct ParameterTexts {
    /// The value as one text; `nil` if it is an object of separate items.
    let whole: String?
    /// The elements, if the value is an array.
    let elements: [String]

    /// A text that is a value, or the only element.
    init(_ text: String) { self.init(whole: text, elements: [text]) }

    private init(whole: String?, elements: [String]) {
        self.whole = whole
        self.elements = elements
    }

    /// The texts of a parameter; `nil` if the request does not have it.
    ///
    /// - Parameter places: The encoded texts of the path's parameters.
    init?(_ parameter: StubDocument.Parameter, in request: MockRequest, _ places: [String: Substring]) {
        let name = parameter.name
        let explodes = parameter.explode == true
        switch parameter.in {
        case "path":
            guard var text = places[name] else { return nil }
            var separator = ","
            switch parameter.style {
            case "label":
                text = text.dropFirst()
                if explodes { separator = "." }
            case "matrix":
                let prefix = "\(name)="
                text = text.dropFirst()
                if explodes {
                    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
                    self.init(encoded: parts.map { $0.hasPrefix(prefix) ? $0.dropFirst(prefix.count) : $0 }, [])
                    return
                }
                if text.hasPrefix(prefix) { text = text.dropFirst(prefix.count) }
            default: break
            }
            self.init(encoded: [text], [separator])
        case "query":
            let query = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            let items = Self.pairs(of: query.count > 1 ? query[1] : "", separator: "&")
            if parameter.style == "deepObject" {
                guard items.contains(where: { $0.name.hasPrefix("\(name)[") }) else { return nil }
                self.init(whole: nil, elements: [])
                return
            }
            self.init(encoded: items.filter { $0.name == name }.map(\.value), parameter.separators)
        case "header":
            guard let text = request.headers[name] else { return nil }
            let elements = text.split(separator: ",", omittingEmptySubsequences: false)
            self.init(whole: text, elements: elements.map { $0.trimmingCharacters(in: .whitespaces) })
        case "cookie":
            let pairs = Self.pairs(of: (request.headers["Cookie"] ?? "")[...], separator: ";")
            self.init(encoded: pairs.filter { $0.name == name }.map(\.value), parameter.separators)
        default: self.init(whole: nil, elements: [])
        }
    }

    private init?(encoded texts: [Substring], _ separators: [String]) {
        guard let first = texts.first else { return nil }
        var parts = texts
        for separator in separators {
            parts = parts.flatMap { $0.split(separator: separator, omittingEmptySubsequences: false) }
        }
        whole = Self.decoded(first)
        elements = parts.map(Self.decoded)
    }

    private static func decoded(_ text: Substring) -> String { text.removingPercentEncoding ?? String(text) }

    /// The pairs of a query or a `Cookie` field, with decoded names and encoded values.
    private static func pairs(of text: Substring, separator: Character) -> [(name: String, value: Substring)] {
        text.split(separator: separator).map { pair in
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (decoded(parts.first ?? ""), parts.count > 1 ? parts[1] : "")
        }
    }
}

extension StubDocument.Parameter {
    /// What can be between the elements of an array in a query or a cookie, encoded; empty if each is a separate item.
    fileprivate var separators: [String] {
        switch style {
        case "spaceDelimited": explode == true ? [] : ["%20", "+"]
        case "pipeDelimited": explode == true ? [] : ["%7C", "%7c", "|"]
        default: explode == false ? [","] : []
        }
    }
}
