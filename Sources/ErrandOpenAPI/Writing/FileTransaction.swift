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
            try Data(text.utf8).write(to: content)
        } catch {
            throw Failure(path: target.path, reason: error)
        }
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
        for step in steps {
            do {
                try replace(step)
                done.append(step)
            } catch {
                for step in done.reversed() { restore(step) }
                discard()
                throw Failure(path: step.target.path, reason: error)
            }
        }
        for step in done { try? FileManager.default.removeItem(at: step.backup) }
    }

    private func replace(_ step: Step) throws {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: step.target.path, isDirectory: &isFolder)
        if exists {
            guard !isFolder.boolValue else { throw CocoaError(.fileWriteFileExists) }
            try? FileManager.default.removeItem(at: step.backup)
            try FileManager.default.moveItem(at: step.target, to: step.backup)
        }
        guard let content = step.content else { return }
        do {
            try FileManager.default.moveItem(at: content, to: step.target)
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
