import Errand
import Fixtures

/// The server's data: every collection, as JSON.
actor Store {
    private var collections: [ResourceKind: [JSONValue.Object]] = [:]

    /// The fixtures without any changes.
    init() throws {
        for kind in ResourceKind.allCases {
            collections[kind] = try FastJSONDecoder().decode(
                [JSONValue.Object].self, from: Fixtures.json(kind.rawValue))
        }
    }

    /// The members of a collection that match a query, or one page of them if it has `_limit` or `_page`.
    func members(of kind: ResourceKind, matching query: [URLQueryItem]) throws -> Extract {
        try CollectionQuery(query).select(from: collections[kind, default: []])
    }

    func member(of kind: ResourceKind, id: Int) throws -> JSONValue.Object {
        try collections[kind, default: []][position(of: id, in: kind)]
    }

    /// The members that belong to a member of another collection: `/posts/1/comments`.
    func children(
        _ kind: ResourceKind, of parent: ResourceKind, id: Int, matching query: [URLQueryItem]
    ) throws -> Extract {
        guard kind.parent == parent else { throw Problem(404, "No \(kind) belong to \(parent).") }
        _ = try position(of: id, in: parent)
        return try members(of: kind, matching: [URLQueryItem(name: parent.foreignKey, value: "\(id)")] + query)
    }

    /// Adds a member with the next free identifier. An identifier in the request is replaced.
    func add(_ object: JSONValue.Object, to kind: ResourceKind) -> (member: JSONValue.Object, id: Int) {
        let id = (collections[kind, default: []].compactMap(\.id).max() ?? 0) + 1
        let member = object.with(id: id)
        collections[kind, default: []].append(member)
        return (member, id)
    }

    func replace(_ id: Int, of kind: ResourceKind, with object: JSONValue.Object) throws -> JSONValue.Object {
        let position = try position(of: id, in: kind)
        let member = object.with(id: id)
        collections[kind, default: []][position] = member
        return member
    }

    func change(_ id: Int, of kind: ResourceKind, by changes: JSONValue.Object) throws -> JSONValue.Object {
        try replace(id, of: kind, with: member(of: kind, id: id).merging(changes) { $1 })
    }

    func remove(_ id: Int, of kind: ResourceKind) throws {
        let position = try position(of: id, in: kind)
        collections[kind, default: []].remove(at: position)
    }

    private func position(of id: Int, in kind: ResourceKind) throws -> Int {
        let members = collections[kind, default: []]
        guard let position = members.firstIndex(where: { $0.id == id }) else {
            let ids = members.compactMap(\.id)
            let range = ids.min().flatMap { first in ids.max().map { "the ids go from \(first) to \($0)" } }
            throw Problem(404, "There is no \(kind.singular) \(id): \(range ?? "there are no \(kind)").")
        }
        return position
    }
}

extension JSONValue.Object {
    fileprivate var id: Int? { self["id"]?.int }

    fileprivate func with(id: Int) -> JSONValue.Object {
        merging(["id": .number(JSONNumber(id))]) { $1 }
    }
}
