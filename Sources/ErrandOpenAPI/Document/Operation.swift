/// A request that the document describes.
struct Operation {
    let node: Node
    /// The method in capitals.
    let method: String
    /// The path template, or the name of a webhook.
    let path: String
    let id: Node?
    let tags: [String]
    let summary: String?
    let description: String?
    let isDeprecated: Bool
    /// The parameters of path and operation; those of the operation replace equal ones of the path.
    let parameters: [Parameter]
    let body: RequestBody?
    let responses: [Response]
    /// `nil` if those of the document apply.
    let security: [SecurityAlternative]?
    /// `nil` if those of the document apply.
    let servers: [Server]?
    /// The operations that the server calls, by name and path.
    let callbacks: [Operation]

    /// The operations of a member such as `paths`, in the order of the document.
    static func all(of node: Node, _ key: String, _ schemes: Set<String>, _ reader: DocumentReader) -> [Operation] {
        var names = DocumentNames()
        return all(of: node, key, schemes, reader, filter: DocumentFilter(), names: &names)
    }

    /// The operations of a member that a filter chooses. Others only add their names: their faults do not matter.
    static func all(
        of node: Node, _ key: String, _ schemes: Set<String>, _ reader: DocumentReader, filter: DocumentFilter,
        names: inout DocumentNames
    ) -> [Operation] {
        var operations: [Operation] = []
        for path in reader.members(node, key) where !path.key.hasPrefix("x-") {
            operations += all(ofPath: path.key, path.value, schemes, reader, 0, filter, &names)
        }
        return operations
    }

    /// Whether a media type of a response is read as a sequence. Ranges of a response that has another type, too, are
    /// read as that type is.
    func isSequence(_ content: MediaType) -> Bool {
        guard content.isRanges else { return content.isSequence }
        return !responses.contains { $0.isSuccess && $0.content.contains { !$0.isSequence } }
    }

    /// Returns the media types of a response that can be read as the stream of the operation. Ranges of another
    /// sequence are not among them, since the stream has the elements of that sequence.
    func sequences(of response: Response) -> [MediaType] {
        let hasOther = responses.contains { $0.isSuccess && $0.content.contains { $0.isSequence && !$0.isRanges } }
        return response.content.filter { isSequence($0) && !($0.isRanges && hasOther) }
    }

    /// The path for messages, without the rest of one that is very long.
    var shownPath: String { path.utf8.count > 1_000 ? path.prefix(1_000) + "…" : path }

    private static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

    private static func all(
        ofPath path: String, _ node: Node, _ schemes: Set<String>, _ reader: DocumentReader, _ depth: Int,
        _ filter: DocumentFilter, _ names: inout DocumentNames
    ) -> [Operation] {
        names.paths.insert(path)
        guard filter.canChoose(path: path), let item = reader.target(of: node), reader.check(item, .pathItem) else {
            return []
        }
        let known = item.members.compactMap { member in
            methods.contains(member.key) ? (member.key.uppercased(), member.value) : nil
        }
        let others = reader.members(item, "additionalOperations").map { ($0.key, $0.value) }
        let chosen = (known + others).compactMap { method, value -> (method: String, node: Node)? in
            guard let value = reader.target(of: value) else { return nil }
            let tags = (value["tags"]?.elements ?? []).compactMap(\.text)
            let id = value["operationId"]?.text
            names.tags.formUnion(tags)
            if let id { names.ids.insert(id) }
            guard filter.chooses(path: path, tags: tags, id: id), reader.check(value, .operation) else { return nil }
            return (method, value)
        }
        guard !chosen.isEmpty else { return [] }
        let shared = Parameter.all(of: item, reader)
        let servers = Server.all(of: item, reader)
        return chosen.map { Operation($0.node, $0.method, path, shared, servers, schemes, reader, depth) }
    }

    private init(
        _ node: Node, _ method: String, _ path: String, _ shared: [Parameter], _ servers: [Server]?,
        _ schemes: Set<String>, _ reader: DocumentReader, _ depth: Int
    ) {
        self.node = node
        self.method = method
        self.path = path
        id = node["operationId"]
        tags = reader.texts(node, "tags")
        summary = reader.text(node, "summary")
        description = reader.text(node, "description")
        isDeprecated = reader.bool(node, "deprecated") ?? false
        let own = Parameter.all(of: node, reader)
        let replaced = Set(own.map(\.key))
        parameters = shared.filter { !replaced.contains($0.key) } + own
        body = node["requestBody"].flatMap { RequestBody($0, reader) }
        responses = Response.all(of: node, method, reader)
        security = SecurityAlternative.all(of: node, schemes, reader)
        self.servers = Server.all(of: node, reader) ?? servers
        // A callback can have callbacks, and a reference can make them endless.
        callbacks =
            depth > 0
            ? []
            : reader.members(node, "callbacks").filter { !$0.key.hasPrefix("x-") }.flatMap { callback in
                guard let target = reader.target(of: callback.value) else { return [Operation]() }
                var names = DocumentNames()
                return target.members.filter { !$0.key.hasPrefix("x-") }.flatMap { member in
                    Self.all(
                        ofPath: callback.key, member.value, schemes, reader, depth + 1, DocumentFilter(), &names)
                }
            }
    }
}
