/// The parts of a document to generate: the operations with one of the tags, path prefixes or identifiers, the schemas
/// with one of the names, and what they need. Empty lists choose all.
struct DocumentFilter {
    var tags: Set<String> = []
    var paths: [String] = []
    var ids: Set<String> = []
    var schemas: Set<String> = []

    var isEmpty: Bool { tags.isEmpty && paths.isEmpty && ids.isEmpty && schemas.isEmpty }

    /// Whether only schemas are chosen, and no operation.
    var isTypesOnly: Bool { tags.isEmpty && paths.isEmpty && ids.isEmpty && !schemas.isEmpty }

    func chooses(schema: String) -> Bool { isEmpty || schemas.contains(schema) }

    func chooses(path: String, tags: [String], id: String?) -> Bool {
        isEmpty || !self.tags.isDisjoint(with: tags) || id.map(ids.contains) == true
            || paths.contains { path.hasPrefix($0) }
    }

    /// Whether an operation of a path can be chosen. Without tags and identifiers, its path decides.
    func canChoose(path: String) -> Bool {
        !tags.isEmpty || !ids.isEmpty || chooses(path: path, tags: [], id: nil)
    }

    /// Reports the parts that fit nothing: they would remove the files of what they were meant for.
    func check(_ names: DocumentNames, _ diagnostics: Diagnostics) {
        for tag in tags.subtracting(names.tags).sorted() { report("no operation has the tag", tag, names.tags) }
        for path in paths.sorted() where !names.paths.contains(where: { $0.hasPrefix(path) }) {
            report("no path begins with", path, names.paths)
        }
        for id in ids.subtracting(names.ids).sorted() { report("no operation has the identifier", id, names.ids) }
        for name in schemas.subtracting(names.schemas).sorted() {
            report("no schema has the name", name, names.schemas)
        }

        func report(_ fault: String, _ name: String, _ others: Set<String>) {
            let hint = SimilarNames.hint(for: name, among: others.sorted(), mark: "")
            diagnostics.report(.error, .configuration, "\(fault) \"\(name)\"\(hint)")
        }
    }
}

/// The names in a document, by which a filter chooses.
struct DocumentNames {
    var tags: Set<String> = []
    var paths: Set<String> = []
    var ids: Set<String> = []
    var schemas: Set<String> = []
}
