/// Reads the members of a document's objects, and reports those that do not have the expected type.
final class DocumentReader {
    /// The versions of OpenAPI whose schemas differ.
    enum Version {
        case v30
        case v31
        case v32
    }

    let diagnostics: Diagnostics
    let references: References
    let version: Version
    /// Whether the document needs more than a budget allows.
    private(set) var isExceeded = false
    private(set) lazy var schemas = SchemaArena(self)
    /// The unknown names for which a similar one was looked for, which takes time.
    private var hints: Set<String> = []

    init(_ loader: Loader, version: Version) {
        diagnostics = loader.diagnostics
        references = References(loader)
        self.version = version
    }

    func report(_ severity: Diagnostic.Severity, _ kind: Diagnostic.Kind, _ message: String, _ node: Node) {
        diagnostics.report(severity, kind, message, at: node.place)
    }

    /// Follows the references of a value that is not a schema. Returns `nil` for one that leads nowhere.
    func target(of node: Node) -> Node? { references.target(of: node) }

    /// Reports that a document needs more than a budget allows. The first time is enough, because no type can be
    /// complete then.
    func exceed(_ message: String, _ node: Node) {
        guard !isExceeded else { return }
        isExceeded = true
        report(.error, .limit, message, node)
    }

    // MARK: Members

    /// Returns a text, such as a description. A number or Boolean counts as its text.
    func text(_ node: Node, _ key: String) -> String? {
        member(node, key, "a string") { $0.text }
    }

    func bool(_ node: Node, _ key: String) -> Bool? {
        member(node, key, "a Boolean") { $0.bool }
    }

    func elements(_ node: Node, _ key: String) -> [Node] {
        member(node, key, "an array") { $0.isArray ? $0.elements : nil } ?? []
    }

    /// Returns the members of a map. Some documents refer to all members at once.
    func members(_ node: Node, _ key: String) -> [Node.Member] {
        let members = member(node, key, "an object") { $0.isObject ? $0.members : nil } ?? []
        return members.flatMap { member in
            guard member.key == "$ref", member.value.string != nil else { return [member] }
            return references.resolve(member.value)?.members ?? []
        }
    }

    func texts(_ node: Node, _ key: String) -> [String] {
        elements(node, key).compactMap { element in
            if element.text == nil { report(.error, .type, "expected a string, not \(element.kindText)", element) }
            return element.text
        }
    }

    private func member<Value>(_ node: Node, _ key: String, _ kind: String, _ read: (Node) -> Value?) -> Value? {
        guard let value = node[key] else { return nil }
        // A YAML key without a value is null, and counts as missing.
        if value.isNull { return nil }
        guard let result = read(value) else {
            report(.error, .type, "\"\(key)\" must be \(kind), not \(value.kindText)", value)
            return nil
        }
        return result
    }

    /// Returns a required text, or reports that it is missing.
    func requiredText(_ node: Node, _ key: String, of part: String) -> String? {
        if node[key] == nil { report(.error, .missing, "\(part) has no \"\(key)\"", node) }
        return text(node, key)
    }

    /// Returns the end of a message about an unknown name, with one that is similar.
    func hint(for name: String, among names: () -> [String]) -> String {
        guard hints.count < 20 else { return "" }
        hints.insert(name)
        return SimilarNames.hint(for: name, among: names(), mark: "")
    }

    /// Checks that a value is an object, and reports keys that the specification does not have.
    func check(_ node: Node, _ part: KnownKeys.Part) -> Bool {
        guard node.isObject else {
            report(.error, .type, "\(part.rawValue) must be an object, not \(node.kindText)", node)
            return false
        }
        for member in node.members where !member.key.hasPrefix("x-") {
            switch KnownKeys.use(of: member.key, in: part) {
            case .read, .annotation: break
            case .unsupported:
                report(.warning, .unsupported, "\"\(member.key)\" is not supported; it is ignored", member.value)
            case .restriction:
                let message = "\"\(member.key)\" only restricts values; it is not checked"
                report(.note, .restriction, message, member.value)
            case .unknown:
                let hint = hint(for: member.key) { KnownKeys.names(in: part) }
                let message = "\(part.rawValue) has no \"\(member.key)\"; it is ignored\(hint)"
                report(.warning, .unknownKey, message, member.value)
            }
        }
        return true
    }
}
