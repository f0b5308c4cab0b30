/// Follows the references of a document, within a file and to other files.
final class References {
    private struct Key: Hashable {
        let file: ObjectIdentifier
        let text: String

        init(_ reference: Node, _ text: String) {
            file = ObjectIdentifier(reference.file)
            self.text = text
        }
    }

    private let loader: Loader
    private var targets: [Key: Node?] = [:]
    /// What is at the ends of chains of references, by each reference in them. A chain is followed once.
    private var ends: [Key: Node?] = [:]
    /// The schemas with `$anchor`, by file.
    private var anchors: [ObjectIdentifier: [String: Node]] = [:]
    /// The number of names that can still be looked for among similar ones, which takes time.
    private var hints = 20

    init(_ loader: Loader) {
        self.loader = loader
    }

    /// A loader that also reads files to which nothing has led yet, and reports no faults.
    var silentLoader: Loader { loader.silent() }

    /// The reference of an object: its member `$ref`.
    static func reference(of node: Node) -> Node? {
        guard let reference = node["$ref"], reference.string != nil else { return nil }
        return reference
    }

    /// Follows references to a value. Reports a reference that leads to no value, and returns `nil` for it.
    func target(of node: Node) -> Node? {
        var end: Node? = node
        var chain: [Key] = []
        while let node = end, let reference = Self.reference(of: node), let text = reference.string {
            let key = Key(reference, text)
            if let known = ends[key] {
                end = known
                if known == nil, chain.contains(key) {
                    loader.diagnostics.report(.error, .reference, "the references form a cycle", at: node.place)
                }
                break
            }
            ends[key] = .some(nil)
            chain.append(key)
            end = resolve(reference)
        }
        for key in chain { ends[key] = .some(end) }
        return end
    }

    /// Returns the value that a reference names, or reports why it cannot be found.
    func resolve(_ reference: Node) -> Node? {
        guard let text = reference.string else { return nil }
        let key = Key(reference, text)
        if let known = targets[key] { return known }
        let target = find(text, reference)
        targets[key] = target
        return target
    }

    /// Returns the path of the file and the pointer or anchor in it that a reference names.
    static func parts(of reference: Node) -> (path: String, fragment: String) {
        let parts = (reference.string ?? "").split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let file = parts.first.map(String.init) ?? ""
        let path = file.isEmpty ? reference.file.path : path(file.percentDecoded, from: reference.file.path)
        return (path, parts.count > 1 ? String(parts[1]) : "")
    }

    /// The name of what a reference names: the last part of its pointer, or the file.
    static func name(_ reference: Node) -> String? {
        let parts = (reference.string ?? "").split(separator: "#", omittingEmptySubsequences: false)
        let last = (parts.count > 1 ? parts[1] : "").split(separator: "/").last.map(String.init)
        let file = parts.first?.split(separator: "/").last?.split(separator: ".").first.map(String.init)
        return (last ?? file)?.percentDecoded.unescapedToken
    }

    private func find(_ text: String, _ reference: Node) -> Node? {
        if text.prefix(while: { $0 != "#" }).contains("://") {
            let message = "\"\(text)\" is on a server: put it into a file, and refer to that"
            loader.diagnostics.report(.error, .reference, message, at: reference.place)
            return nil
        }
        let (path, fragment) = Self.parts(of: reference)
        guard let root = loader.root(of: path, from: reference) else { return nil }
        guard fragment.isEmpty || fragment.hasPrefix("/") else {
            let anchor = anchors(in: root)[fragment.percentDecoded]
            if anchor == nil { reportMissing("the anchor \"\(text)\" does not exist", reference) }
            return anchor
        }
        let (node, missing) = root.walk(fragment, isFragment: true)
        guard let missing else { return node }
        hints -= 1
        let hint = hints >= 0 ? SimilarNames.hint(for: missing, among: node.members.map(\.key), mark: "") : ""
        reportMissing("\"\(text)\" does not exist\(hint)", reference)
        return nil
    }

    /// Returns the schemas of a file that have an anchor, by its name.
    private func anchors(in root: Node) -> [String: Node] {
        if let known = anchors[ObjectIdentifier(root)] { return known }
        var found: [String: Node] = [:]
        var seen: Set<ObjectIdentifier> = []
        var pending = [root]
        while let node = pending.popLast() {
            guard seen.insert(ObjectIdentifier(node)).inserted else { continue }
            if let name = node["$anchor"]?.string, found[name] == nil { found[name] = node }
            pending += node.elements + node.members.map(\.value)
        }
        anchors[ObjectIdentifier(root)] = found
        return found
    }

    /// Reports a reference that leads nowhere within a file. What refers to it is left out, or is any JSON value.
    private func reportMissing(_ message: String, _ reference: Node) {
        loader.diagnostics.report(.warning, .reference, message, at: reference.place)
    }

    /// Returns a path relative to the folder of a file.
    static func path(_ path: String, from file: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        var parts = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().map(String.init)
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != "..", !last.isEmpty {
                parts.removeLast()
            } else {
                parts.append(String(part))
            }
        }
        return parts.isEmpty ? "." : parts.joined(separator: "/")
    }

    /// Returns the path of a file relative to the folder of another one.
    static func path(of file: SourceFile, from origin: SourceFile) -> String {
        let parts = file.path.split(separator: "/", omittingEmptySubsequences: false)
        let folder = origin.path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        guard file.path.hasPrefix("/") == origin.path.hasPrefix("/") else { return file.path }
        let shared = zip(parts.dropLast(), folder).prefix { $0 == $1 }.count
        let steps = Array(repeating: "..", count: folder.count - shared) + parts.dropFirst(shared).map(String.init)
        return steps.joined(separator: "/")
    }
}
