import Errand

extension Program {
    /// Shows a collection, a part of it, or one member.
    func show(_ selection: Invocation.Selection, from service: APIService<any Error>) async throws {
        guard selection.isCached else { return try await show(selection.kind.model, selection, from: service) }
        let cache = ResponseCache(directory: cacheDirectory, errors: errors, clock: clock, now: now)
        try await cache.use(with: service) { try await show(selection.kind.model, selection, from: $0) }
    }

    private func show<Model: Resource & Tabular>(
        _ model: Model.Type, _ selection: Invocation.Selection, from service: APIService<any Error>
    ) async throws {
        let isJSON = selection.isJSON
        switch selection.extent {
        case .all:
            try await show(ListRequest<Model>(), asJSON: isJSON, from: service) { Table(rows: $0).text }
        case .one(let id):
            try await show(OneRequest<Model>(id: id), asJSON: isJSON, from: service) { Card(row: $0).text }
        case .ofUser(let user):
            if let query = try await query(for: Model.kind, of: user, on: service) {
                let request = ListRequest<Model>(matching: query)
                try await show(request, asJSON: isJSON, from: service) { Table(rows: $0).text }
            } else {
                out.line(isJSON ? "[]" : Table<Model>(rows: []).text)
            }
        }
    }

    private func show<Shown: PlaceholderAPI & Request>(
        _ request: Shown, asJSON isJSON: Bool, from service: APIService<any Error>, text: (Shown.Output) -> String
    ) async throws {
        if isJSON {
            out.line(try await service.value(of: DocumentRequest(like: request)).prettyPrinted)
        } else {
            out.line(text(try await service.value(of: request)))
        }
    }

    /// Returns the query for the members that belong to a user. Comments belong to a user's posts. Returns `nil` if the
    /// user has no member.
    private func query(
        for kind: ResourceKind, of user: Int, on service: APIService<any Error>
    ) async throws -> URLQuery? {
        guard let parent = kind.parent else { return ["id": user] }
        let parents = parent == .users ? [user] : try await ids(of: parent.model, user: user, on: service)
        return parents.isEmpty ? nil : [parent.foreignKey: parents]
    }

    private func ids<Model: Resource>(
        of model: Model.Type, user: Int, on service: APIService<any Error>
    ) async throws -> [Int] {
        guard let query = try await query(for: Model.kind, of: user, on: service) else { return [] }
        return try await service.value(of: ListRequest<Model>(matching: query)).map(\.id)
    }
}
