import Errand

/// Shows a collection, a part of it, or one member.
struct ShowCommand {
    let selection: Invocation.Selection
    let client: Client
    let out: Output

    func run() async throws {
        try await show(selection.kind.model)
    }

    private func show<Model: Resource & Tabular>(_ model: Model.Type) async throws {
        switch selection.extent {
        case .all:
            try await show(ListRequest<Model>()) { Table(rows: $0).text }
        case .one(let id):
            try await show(OneRequest<Model>(id: id)) { Card(row: $0).text }
        case .ofUser(let user):
            if let query = try await query(for: selection.kind, of: user) {
                try await show(ListRequest<Model>(matching: query)) { Table(rows: $0).text }
            } else {
                out.line(selection.isJSON ? "[]" : Table<Model>(rows: []).text)
            }
        }
    }

    private func show<Shown: PlaceholderAPI & Request>(
        _ request: Shown, as text: (Shown.Output) -> String
    ) async throws where Shown.Output: Sendable {
        if selection.isJSON {
            out.line(try await client.send(DocumentRequest(like: request)).prettyPrinted)
        } else {
            out.line(text(try await client.send(request)))
        }
    }

    /// The query for the members that belong to a user, for comments by the user's posts; `nil` if there are none.
    private func query(for kind: ResourceKind, of user: Int) async throws -> URLQuery? {
        guard let parent = kind.parent else { return ["id": user] }
        let parents = parent == .users ? [user] : try await ids(of: parent.model, user: user)
        return parents.isEmpty ? nil : [parent.foreignKey: parents]
    }

    private func ids<Model: Resource>(of model: Model.Type, user: Int) async throws -> [Int] {
        guard let query = try await query(for: Model.kind, of: user) else { return [] }
        return try await client.send(ListRequest<Model>(matching: query)).map(\.id)
    }
}
