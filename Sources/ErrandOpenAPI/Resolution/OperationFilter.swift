/// The operations to generate: those with one of the tags, path prefixes or identifiers. Empty lists choose all.
struct OperationFilter {
    var tags: Set<String> = []
    var paths: [String] = []
    var ids: Set<String> = []

    var isEmpty: Bool { tags.isEmpty && paths.isEmpty && ids.isEmpty }

    func apply(to operations: [Operation], _ diagnostics: Diagnostics) -> [Operation] {
        guard !isEmpty else { return operations }
        let tagsOfAll = Set(operations.flatMap(\.tags))
        for tag in tags.subtracting(tagsOfAll).sorted() { report("no operation has the tag", tag, tagsOfAll) }
        for path in paths.sorted() where !operations.contains(where: { $0.path.hasPrefix(path) }) {
            report("no path begins with", path, Set(operations.map(\.path)))
        }
        let known = Set(operations.compactMap { $0.id?.text })
        for id in ids.subtracting(known).sorted() { report("no operation has the identifier", id, known) }
        return operations.filter { operation in
            !tags.isDisjoint(with: operation.tags) || operation.id?.text.map(ids.contains) == true
                || paths.contains { operation.path.hasPrefix($0) }
        }

        /// A part of the filter without an operation would remove the files of those that it was meant for.
        func report(_ fault: String, _ name: String, _ others: Set<String>) {
            let hint = References.nearest(name, others.sorted()).map { "; did you mean \($0)?" } ?? ""
            diagnostics.report(.error, .configuration, "\(fault) \"\(name)\"\(hint)")
        }
    }
}
