/// The operations to generate: those with one of the tags, path prefixes or identifiers. Empty lists choose all.
struct OperationFilter {
    var tags: Set<String> = []
    var paths: [String] = []
    var ids: Set<String> = []

    var isEmpty: Bool { tags.isEmpty && paths.isEmpty && ids.isEmpty }

    func apply(to operations: [Operation], _ diagnostics: Diagnostics) -> [Operation] {
        guard !isEmpty else { return operations }
        let known = Set(operations.compactMap { $0.id?.text })
        for id in ids.subtracting(known).sorted() {
            let hint = References.nearest(id, known.sorted()).map { "; did you mean \($0)?" } ?? ""
            diagnostics.report(.error, .configuration, "there is no operation \"\(id)\"\(hint)")
        }
        let chosen = operations.filter { operation in
            operation.tag.map(tags.contains) == true || operation.id?.text.map(ids.contains) == true
                || paths.contains { operation.path.hasPrefix($0) }
        }
        if chosen.isEmpty { diagnostics.report(.warning, .configuration, "no operation fits the filter") }
        return chosen
    }
}
