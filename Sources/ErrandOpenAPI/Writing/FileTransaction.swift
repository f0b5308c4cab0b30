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

    /// A symbolic link where a file or folder is expected. It could lead out of the output folder.
    struct Link: Error, CustomStringConvertible {
        let path: String
        var description: String { "\(path) is a symbolic link, which is not followed" }
    }

    private struct Step {
        let target: URL
        /// The new content; `nil` if the file is removed.
        let content: URL?
        var backup: URL { target.appendingPathExtension("errand-old") }
    }

    private var steps: [Step] = []

    /// Prepares a new content of a file.
    ///
    /// - Parameter folder: The folder that the file stays in, even if a folder on the way to it is a link.
    mutating func write(_ text: String, to path: String, in folder: URL) throws(Failure) {
        let target = folder.appending(path: path)
        let content = target.appendingPathExtension("errand-new")
        do {
            try Self.checkFolders(of: path, in: folder)
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            try create(content, text)
        } catch {
            throw Failure(path: target.path, reason: error)
        }
        steps.append(Step(target: target, content: content))
    }

    /// Fails if a folder between an output folder and a file in it is a symbolic link.
    static func checkFolders(of path: String, in folder: URL) throws(Link) {
        var url = folder
        for name in path.split(separator: "/").dropLast() {
            url.append(path: String(name))
            if url.isLink { throw Link(path: url.path) }
        }
    }

    /// Creates a file, after it removes one that an earlier run left. A link in its place is removed, and not followed.
    ///
    /// `Data` would wait for the disk after each file, which takes longer than all other work.
    private func create(_ url: URL, _ text: String) throws {
        func failure() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        guard unlink(url.path) == 0 || errno == ENOENT else { throw failure() }
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw failure() }
        guard let file = fdopen(descriptor, "w") else {
            defer { close(descriptor) }
            throw failure()
        }
        let count = Array(text.utf8).withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
        guard fclose(file) == 0, count == text.utf8.count else {
            defer { unlink(url.path) }
            throw failure()
        }
    }

    /// Prepares the removal of a file.
    mutating func remove(_ path: String, in folder: URL) throws(Failure) {
        let target = folder.appending(path: path)
        do throws(Link) {
            try Self.checkFolders(of: path, in: folder)
        } catch {
            throw Failure(path: target.path, reason: error)
        }
        steps.append(Step(target: target, content: nil))
    }

    /// Removes what was prepared. The files stay as they were.
    func discard() {
        for step in steps { if let content = step.content { unlink(content.path) } }
    }

    /// Makes the changes, or none of them.
    func commit() throws(Failure) {
        var done: [(step: Step, hasBackup: Bool)] = []
        for step in steps {
            do {
                done.append((step, try replace(step)))
            } catch {
                for (step, hasBackup) in done.reversed() { restore(step, hasBackup) }
                discard()
                throw Failure(path: step.target.path, reason: error)
            }
        }
        for (step, hasBackup) in done where hasBackup { unlink(step.backup.path) }
    }

    /// Replaces or removes a file, and returns whether it has a backup. A link is replaced itself.
    private func replace(_ step: Step) throws -> Bool {
        let exists = step.target.kind != nil
        if exists {
            guard step.target.kind != S_IFDIR else { throw CocoaError(.fileWriteFileExists) }
            try Self.move(step.target, to: step.backup)
        }
        guard let content = step.content else { return exists }
        do {
            try Self.move(content, to: step.target)
            return exists
        } catch {
            if exists { try? Self.move(step.backup, to: step.target) }
            throw error
        }
    }

    private func restore(_ step: Step, _ hasBackup: Bool) {
        if step.content != nil { unlink(step.target.path) }
        if hasBackup { try? Self.move(step.backup, to: step.target) }
    }

    /// Renames a file or a link, and replaces what has the name. No link is followed.
    private static func move(_ url: URL, to other: URL) throws {
        guard rename(url.path, other.path) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }
}

extension URL {
    /// The kind of file, without following a link; `nil` if no file exists.
    fileprivate var kind: mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    var isLink: Bool { kind == S_IFLNK }
}
