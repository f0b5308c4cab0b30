/// The operations to generate: those with one of the tags, path prefixes or identifiers. Empty lists choose all.
struct OperationFilter {
    var tags: Set<String> = []
    var paths: [String] = []
    var ids: Set<String> = []

    var isEmpty: Bool { tags.isEmpty && paths.isEmpty && ids.isEmpty }

    func chooses(path: String, tags: [String], id: String?) -> Bool {
        isEmpty || !self.tags.isDisjoint(with: tags) || id.map(ids.contains) == true
            || paths.contains { path.hasPrefix($0) }
    }

    /// Whether an operation of a path can be chosen. Without tags and identifiers, its path decides.
    func canChoose(path: String) -> Bool {
        !tags.isEmpty || !ids.isEmpty || chooses(path: path, tags: [], id: nil)
    }

    /// Reports the parts that fit no operation: they would remove the files of those that they were meant for.
    func check(_ names: OperationNames, _ diagnostics: Diagnostics) {
        for tag in tags.subtracting(names.tags).sorted() { report("no operation has the tag", tag, names.tags) }
        for path in paths.sorted() where !names.paths.contains(where: { $0.hasPrefix(path) }) {
            report("no path begins with", path, names.paths)
        }
        for id in ids.subtracting(names.ids).sorted() { report("no operation has the identifier", id, names.ids) }

        func report(_ fault: String, _ name: String, _ others: Set<String>) {
            let hint = SimilarNames.nearest(name, others.sorted()).map { "; did you mean \($0)?" } ?? ""
            diagnostics.report(.error, .configuration, "\(fault) \"\(name)\"\(hint)")
        }
    }
}

/// The names of the operations of a document, by which a filter chooses.
struct OperationNames {
    var tags: Set<String> = []
    var paths: Set<String> = []
    var ids: Set<String> = []
}
