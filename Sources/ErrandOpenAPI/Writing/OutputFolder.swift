internal import ErrandJSON
internal import Foundation

/// The folder of generated files, and the list of those that it has.
///
/// The list `.errand-openapi.json` has a digest of each file. By it, files that are not generated any more are removed,
/// and files that were changed are recognized.
struct OutputFolder {
    static let listName = ".errand-openapi.json"

    enum Failure: Error {
        /// Files that were changed after they were generated.
        case edited([String])
        case unreadable(String, any Error)
        case unwritable(String, any Error)
    }

    /// What a run would change.
    struct Changes {
        var written: [String] = []
        var removed: [String] = []
        var isEmpty: Bool { written.isEmpty && removed.isEmpty }

        mutating func add(_ other: Changes) {
            written += other.written
            removed += other.removed
        }
    }

    private let url: URL
    let files: [String: String]

    /// - Parameter files: The texts by the paths within the folder.
    init(_ path: String, files: [String: String]) {
        url = URL(fileURLWithPath: path, isDirectory: true)
        self.files = files
    }

    /// Compares the files with those of the folder.
    func changes() throws(Failure) -> Changes {
        let known = try list()
        for path in Set(known.keys).union(files.keys).sorted() {
            do throws(FileTransaction.Link) {
                try FileTransaction.checkFolders(of: path, in: url)
            } catch {
                throw .unwritable(path, error)
            }
        }
        var changes = Changes()
        for (path, text) in files where current(path) != Data(text.utf8) { changes.written.append(path) }
        for path in known.keys where files[path] == nil && current(path) != nil { changes.removed.append(path) }
        changes.written.sort()
        changes.removed.sort()
        return changes
    }

    /// Fails if a file that would be written or removed was changed after the last run.
    private func checkEdits(_ changes: Changes) throws(Failure) {
        let known = try list()
        let edited = (changes.written + changes.removed).filter { path in
            guard let content = current(path) else { return false }
            return known[path] != Self.digest(content)
        }
        guard edited.isEmpty else { throw .edited(edited) }
    }

    /// Writes what has changed in all folders, and removes files that are not generated any more; or changes nothing.
    ///
    /// - Parameter force: Whether files that were changed after the last run are replaced.
    static func write(_ folders: [OutputFolder], force: Bool) throws(Failure) -> Changes {
        var all = Changes()
        var work: [(folder: OutputFolder, changes: Changes)] = []
        for folder in folders {
            let changes = try folder.changes()
            if !force { try folder.checkEdits(changes) }
            all.add(changes)
            work.append((folder, changes))
        }
        var transaction = FileTransaction()
        do throws(FileTransaction.Failure) {
            for (folder, changes) in work { try folder.prepare(changes, in: &transaction) }
            try transaction.commit()
        } catch {
            transaction.discard()
            throw .unwritable(error.path, error.reason)
        }
        return all
    }

    private func prepare(
        _ changes: Changes, in transaction: inout FileTransaction
    ) throws(FileTransaction.Failure) {
        for path in changes.written { try transaction.write(files[path] ?? "", to: path, in: url) }
        for path in changes.removed { try transaction.remove(path, in: url) }
        let list = listText()
        if current(Self.listName) != Data(list.utf8) {
            try transaction.write(list, to: Self.listName, in: url)
        }
    }

    /// The content of a file. That of a link is what it names, so that it counts as changed.
    private func current(_ path: String) -> Data? {
        let file = url.appending(path: path)
        guard file.isLink else { return try? Data(contentsOf: file) }
        return (try? FileManager.default.destinationOfSymbolicLink(atPath: file.path)).map { Data("link \($0)".utf8) }
    }

    /// The digests of the last run, by path.
    private func list() throws(Failure) -> [String: String] {
        let file = url.appending(path: Self.listName)
        guard !file.isLink else {
            throw .unreadable(Self.listName, FileTransaction.Link(path: file.path))
        }
        guard FileManager.default.fileExists(atPath: file.path) else { return [:] }
        do {
            let list = try FastJSONDecoder().decode([String: String].self, from: Data(contentsOf: file))
            // A damaged list must not lead to files elsewhere.
            return list.filter { !$0.key.hasPrefix("/") && !$0.key.split(separator: "/").contains("..") }
        } catch {
            throw .unreadable(Self.listName, error)
        }
    }

    private func listText() -> String {
        let entries = files.sorted { $0.key < $1.key }.map { path, text in
            "  \(path.jsonLiteral): \"\(Self.digest(text.utf8))\""
        }
        return "{\n" + entries.joined(separator: ",\n") + "\n}\n"
    }

    /// A digest that recognizes changes (FNV-1a, 64 bits).
    private static func digest(_ content: some Sequence<UInt8>) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in content { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
