/// Builds the tree of a document from the events of a reader, and enforces the limits of a document.
struct TreeBuilder {
    /// The maximum depth of nested arrays and objects.
    static let maximumDepth = 200
    /// The maximum number of values in the places of aliases.
    static let maximumExpansion = 2_000_000

    /// An array or object that has not ended.
    private struct Open {
        let isObject: Bool
        let offset: Int
        var members: [Node.Member] = []
        var elements: [Node] = []
        var key: (text: String, offset: Int)?
    }

    let file: SourceFile
    let diagnostics: Diagnostics
    private var open: [Open] = []
    private var outermost: Node?
    /// Nodes that are dropped, and whose children may be elsewhere in the tree by a merge key or an alias.
    private var dropped: [Node] = []
    /// The number of values in the places of aliases so far.
    private var expansion = 0
    /// Whether a limit was exceeded. The reader must stop then.
    private(set) var isStopped = false

    init(_ file: SourceFile, _ diagnostics: Diagnostics) {
        self.file = file
        self.diagnostics = diagnostics
    }

    /// The outermost value, once it has ended.
    var root: Node? {
        outermost?.hiddenParents = dropped
        return outermost
    }

    /// Whether the next value is a key of an object.
    var expectsKey: Bool { open.last.map { $0.isObject && $0.key == nil } ?? false }

    mutating func begin(isObject: Bool, at offset: Int) {
        guard open.count < Self.maximumDepth else {
            return stop("arrays and objects are nested more than \(Self.maximumDepth) deep", at: offset)
        }
        open.append(Open(isObject: isObject, offset: offset))
    }

    mutating func key(_ key: String, at offset: Int) {
        guard !open.isEmpty else { return }
        open[open.count - 1].key = (key, offset)
    }

    /// Adds a value to the array or object that has not ended, and returns it.
    @discardableResult
    mutating func add(_ content: Node.Content, at offset: Int, written: String? = nil) -> Node {
        let node = Node(content, at: offset, in: file, written: written)
        add(node)
        return node
    }

    /// Adds a value that is part of the tree already, in the place of an alias.
    mutating func add(aliasOf node: Node, at offset: Int) {
        expansion += node.size
        guard expansion <= Self.maximumExpansion else {
            return stop("the aliases stand for more than \(Self.maximumExpansion) values", at: offset)
        }
        add(node)
    }

    private mutating func add(_ node: Node) {
        guard !open.isEmpty else {
            outermost = node
            return
        }
        let last = open.count - 1
        if !open[last].isObject {
            open[last].elements.append(node)
        } else if let key = open[last].key {
            open[last].members.append(Node.Member(key: key.text, offset: key.offset, value: node))
            open[last].key = nil
        }
    }

    /// Ends an array or object, and returns it.
    @discardableResult
    mutating func end() -> Node? {
        guard let last = open.popLast() else { return nil }
        let content: Node.Content =
            last.isObject ? .object(withoutDuplicates(last.members)) : .array(last.elements)
        return add(content, at: last.offset)
    }

    /// Ends an object of YAML, whose key `<<` merges the members of other objects into it.
    mutating func endMerging() -> Node? {
        guard var last = open.popLast() else { return nil }
        let merged = last.members.filter { $0.key == "<<" && $0.value.isMergeable }
        guard last.isObject, !merged.isEmpty else {
            open.append(last)
            return end()
        }
        last.members.removeAll { $0.key == "<<" && $0.value.isMergeable }
        var members = withoutDuplicates(last.members)
        dropped += merged.map(\.value)
        var keys = Set(members.map(\.key))
        expansion += merged.reduce(0) { $0 + $1.value.size }
        guard expansion <= Self.maximumExpansion else {
            stop("the aliases stand for more than \(Self.maximumExpansion) values", at: last.offset)
            return nil
        }
        for source in merged.flatMap({ $0.value.isArray ? $0.value.elements : [$0.value] }) {
            members += source.members.filter { keys.insert($0.key).inserted }
        }
        return add(.object(members), at: last.offset)
    }

    /// Reports an error that ends the document.
    mutating func stop(_ message: String, _ kind: Diagnostic.Kind = .limit, at offset: Int) {
        isStopped = true
        diagnostics.report(.error, kind, message, at: Place(file: file, offset: offset, pointer: "#"))
    }

    /// The members of an object. Of those with the same key, the first counts.
    private mutating func withoutDuplicates(_ members: [Node.Member]) -> [Node.Member] {
        var keys = Set<String>(minimumCapacity: members.count)
        var unique: [Node.Member] = []
        unique.reserveCapacity(members.count)
        for member in members {
            if keys.insert(member.key).inserted {
                unique.append(member)
                continue
            }
            dropped.append(member.value)
            let place = Place(file: file, offset: member.offset, pointer: "#")
            let message = "the key \"\(member.key)\" occurs twice in an object; the first one counts"
            diagnostics.report(.warning, .duplicateKey, message, at: place)
        }
        return unique
    }
}

extension Node {
    /// Whether a merge key accepts this value: an object, or an array of objects.
    fileprivate var isMergeable: Bool { isObject || isArray && elements.allSatisfy(\.isObject) }
}
