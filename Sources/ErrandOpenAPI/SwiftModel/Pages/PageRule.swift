/// The pages of a list as an extension or the configuration describes them.
struct PageRule {
    enum Style: String {
        case page
        case offset
        case cursor
        case link
    }

    var style: Style
    /// The query parameter for the number, the offset or the cursor.
    var parameter: String?
    /// The query parameter for the size.
    var size: String?
    /// The number of the first page or item; by default that of the style.
    var first: Int?
    /// The member with the items, by its path with dots; empty for the response itself.
    var items: String?
    /// The member with the next cursor. `[-1]` after an array is its last element.
    var next: String?
    /// The header field with the next cursor.
    var nextField: String?
    /// The member that indicates whether there is a next page.
    var more: String?

    /// The origin of a description of pages, and the place for messages about it.
    struct Source {
        /// The subject of messages, such as the name of the extension.
        let name: String
        let node: Node
        var kind = Diagnostic.Kind.page
    }

    /// A reason for which a description has no effect.
    struct Fault: Error {
        let message: String
        /// The place of the faulty value; `nil` for the whole description.
        let place: Place?

        init(message: String, node: Node? = nil) {
            self.message = message
            place = node?.place
        }
    }

    private static let fern = "x-fern-pagination"
    private static let speakeasy = "x-speakeasy-pagination"

    /// Returns the extension of an operation that describes its pages; `nil` if it has none.
    static func source(of operation: Operation) -> Source? {
        for name in [speakeasy, fern] {
            if let node = operation.node[name], !node.isNull { return Source(name: name, node: node) }
        }
        return nil
    }

    /// Reads an extension. Returns `nil` for one that says that there are no pages.
    ///
    /// - Parameter root: The document, which can have a default.
    static func rule(of source: Source, root: Node) throws(Fault) -> PageRule? {
        if source.name == speakeasy { return try speakeasyRule(source.node) }
        guard let flag = source.node.bool else { return try fernRule(source.node) }
        guard flag else { return nil }
        guard let shared = root[fern], shared.isObject else {
            throw Fault(message: "the document has no \"\(fern)\" with the default")
        }
        return try fernRule(shared)
    }

    // MARK: Extensions

    private static func check(_ node: Node, _ known: Set<String>) throws(Fault) {
        guard node.isObject else { throw Fault(message: "expected an object, not \(node.kindText)", node: node) }
        if let unknown = node.members.first(where: { !known.contains($0.key) }) {
            throw Fault(message: "\"\(unknown.key)\" is not supported", node: unknown.value)
        }
    }

    private static func text(_ node: Node, _ key: String) throws(Fault) -> String? {
        guard let value = node[key], !value.isNull else { return nil }
        guard let text = value.string else {
            throw Fault(message: "\"\(key)\" must be a string, not \(value.kindText)", node: value)
        }
        return text
    }

    /// Returns a path without its required prefix, such as `$request`.
    private static func path(_ node: Node, _ key: String, after prefix: String) throws(Fault) -> String? {
        guard let text = try text(node, key) else { return nil }
        if text == prefix { return "" }
        guard text.hasPrefix(prefix + ".") else {
            throw Fault(message: "\"\(text)\" does not begin with \"\(prefix).\"", node: node[key])
        }
        return String(text.dropFirst(prefix.count + 1))
    }

    /// Fern: an offset with a step counts items, and one without a step counts pages.
    private static func fernRule(_ node: Node) throws(Fault) -> PageRule {
        if let link = node["next_uri"] ?? node["next_path"] {
            throw Fault(message: "pages with links in the response are not supported", node: link)
        }
        try check(node, ["cursor", "next_cursor", "offset", "step", "results", "has-next-page"])
        let (offset, step) = (try path(node, "offset", after: "$request"), try path(node, "step", after: "$request"))
        let cursor = try path(node, "cursor", after: "$request")
        guard let parameter = cursor ?? offset, cursor == nil || offset == nil else {
            throw Fault(message: "either \"offset\" or \"cursor\" is required", node: node)
        }
        var rule = PageRule(style: cursor != nil ? .cursor : step != nil ? .offset : .page, parameter: parameter)
        rule.size = step
        rule.items = try path(node, "results", after: "$response")
        rule.next = try path(node, "next_cursor", after: "$response")
        rule.more = try path(node, "has-next-page", after: "$response")
        return rule
    }

    private static func speakeasyRule(_ node: Node) throws(Fault) -> PageRule {
        try check(node, ["type", "inputs", "outputs"])
        let type = try text(node, "type") ?? ""
        guard type == "offsetLimit" || type == "cursor" else {
            throw Fault(message: "the type \"\(type)\" is not supported", node: node["type"] ?? node)
        }
        var inputs: [String: String] = [:]
        for input in node["inputs"]?.elements ?? [] {
            try check(input, ["name", "in", "type"])
            guard let name = try text(input, "name"), let kind = try text(input, "type") else {
                throw Fault(message: "an input needs a \"name\" and a \"type\"", node: input)
            }
            guard try text(input, "in") != "requestBody" else {
                throw Fault(message: "the input \"\(name)\" in the body is not supported", node: input)
            }
            guard ["page", "offset", "limit", "cursor"].contains(kind), inputs[kind] == nil else {
                throw Fault(message: "the input \"\(name)\" with the type \"\(kind)\" is not supported", node: input)
            }
            inputs[kind] = name
        }
        let style: Style = type == "cursor" ? .cursor : inputs["offset"] != nil ? .offset : .page
        let hasOthers = inputs.keys.contains { $0 != style.rawValue && $0 != "limit" }
        guard let parameter = inputs[style.rawValue], !hasOthers else {
            let expected = style == .cursor ? "with the type \"cursor\"" : "with the type \"page\" or \"offset\""
            throw Fault(message: "one input \(expected) is required", node: node["inputs"] ?? node)
        }
        var rule = PageRule(style: style, parameter: parameter, size: inputs["limit"])
        guard let outputs = node["outputs"] else { return rule }
        // Without the number of pages, the list ends with a short or an empty page.
        try check(outputs, ["results", "numPages", "nextCursor"])
        rule.items = try path(outputs, "results", after: "$")
        rule.next = try path(outputs, "nextCursor", after: "$")
        return rule
    }
}
