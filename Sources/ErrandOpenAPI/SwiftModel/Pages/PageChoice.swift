/// The pages of a list in the configuration: `false`, or an object that describes them.
enum PageChoice: Decodable {
    case noPages
    case rule(PageRule)

    /// A faulty value.
    struct Fault: Error {
        let message: String
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private static let known = [
        "style", "parameter", "size", "first", "items", "next", "nextField", "more",
    ]

    init(from decoder: any Decoder) throws {
        let name = decoder.codingPath.last?.stringValue ?? ""
        if let flag = try? decoder.singleValueContainer().decode(Bool.self) {
            guard !flag else { throw Fault(message: "the pages of \"\(name)\" are false or an object") }
            self = .noPages
            return
        }
        let container = try decoder.container(keyedBy: Key.self)
        if let unknown = container.allKeys.map(\.stringValue).filter({ !Self.known.contains($0) }).min() {
            let hint = SimilarNames.hint(for: unknown, among: Self.known)
            throw Fault(message: "`\(unknown)` of the pages of \"\(name)\" is unknown\(hint)")
        }
        func text(_ key: String) throws -> String? {
            try container.decodeIfPresent(String.self, forKey: Key(stringValue: key))
        }
        let style = try text("style") ?? ""
        guard let known = PageRule.Style(rawValue: style) else {
            let message = "the style \"\(style)\" of the pages of \"\(name)\" is not page, offset, cursor or link"
            throw Fault(message: message)
        }
        var rule = PageRule(style: known, parameter: try text("parameter"), size: try text("size"))
        rule.first = try container.decodeIfPresent(Int.self, forKey: Key(stringValue: "first"))
        (rule.items, rule.more) = (try text("items"), try text("more"))
        (rule.next, rule.nextField) = (try text("next"), try text("nextField"))
        if let fault = Self.fault(of: rule) { throw Fault(message: "the pages of \"\(name)\" \(fault)") }
        self = .rule(rule)
    }

    private static func fault(of rule: PageRule) -> String? {
        switch rule.style {
        case .link: if rule.parameter != nil { return "have links and a \"parameter\"" }
        case .page, .offset, .cursor: if rule.parameter == nil { return "need a \"parameter\"" }
        }
        let hasNext = rule.next != nil || rule.nextField != nil
        if rule.style == .cursor {
            if !hasNext { return "need a \"next\" or a \"nextField\"" }
            if rule.next != nil, rule.nextField != nil { return "have a \"next\" and a \"nextField\"" }
        } else if hasNext {
            return "have a next cursor, but another style"
        }
        if rule.first != nil, rule.style == .cursor || rule.style == .link { return "have a \"first\" without numbers" }
        if let first = rule.first, first < 0 { return "begin before 0" }
        return nil
    }
}
