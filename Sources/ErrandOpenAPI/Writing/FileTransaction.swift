internal import Foundation

/// Changes of files that are all made or not at all.
///
/// New texts are written beside their files first. Then the files are replaced, and put back if one cannot be.
struct FileTransaction {
    /// The file that could not be changed.
    struct Failure: Error {
        let path: String
        let reason: any Error
    }

    private struct Step {
        let target: URL
        /// The new content; `nil` if the file is removed.
        let content: URL?
        var backup: URL { target.appendingPathExtension("errand-old") }
    }

    private var steps: [Step] = []

    /// Prepares a new content of a file.
    mutating func write(_ text: String, to target: URL) throws(Failure) {
        let content = target.appendingPathExtension("errand-new")
        steps.append(Step(target: target, content: content))
        do {
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            try create(content, text)
        } catch {
            throw Failure(path: target.path, reason: error)
        }
    }

    /// Writes a file. `Data` would wait for the disk after each file, which takes longer than all other work.
    private func create(_ url: URL, _ text: String) throws {
        func failure() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        guard let file = fopen(url.path, "w") else { throw failure() }
        let count = Array(text.utf8).withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
        guard fclose(file) == 0, count == text.utf8.count else { throw failure() }
    }

    /// Prepares the removal of a file.
    mutating func remove(_ target: URL) {
        steps.append(Step(target: target, content: nil))
    }

    /// Removes what was prepared. The files stay as they were.
    func discard() {
        for step in steps { if let content = step.content { try? FileManager.default.removeItem(at: content) } }
    }

    /// Makes the changes, or none of them.
    func commit() throws(Failure) {
        var done: [Step] = []
        var backups: [URL] = []
        for step in steps {
            do {
                if try replace(step) { backups.append(step.backup) }
                done.append(step)
            } catch {
                for step in done.reversed() { restore(step) }
                discard()
                throw Failure(path: step.target.path, reason: error)
            }
        }
        for backup in backups { try? FileManager.default.removeItem(at: backup) }
    }

    /// Replaces or removes a file, and returns whether it has a backup.
    private func replace(_ step: Step) throws -> Bool {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: step.target.path, isDirectory: &isFolder)
        if exists {
            guard !isFolder.boolValue else { throw CocoaError(.fileWriteFileExists) }
            try? FileManager.default.removeItem(at: step.backup)
            try FileManager.default.moveItem(at: step.target, to: step.backup)
        }
        guard let content = step.content else { return exists }
        do {
            try FileManager.default.moveItem(at: content, to: step.target)
            return exists
        } catch {
            if exists { try? FileManager.default.moveItem(at: step.backup, to: step.target) }
            throw error
        }
    }

    private func restore(_ step: Step) {
        if step.content != nil { try? FileManager.default.removeItem(at: step.target) }
        try? FileManager.default.moveItem(at: step.backup, to: step.target)
    }
}
