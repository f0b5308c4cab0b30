/// The file of a download while it is not whole, locked against other downloads, and the record beside it. Each call
/// blocks.
final class PartialFile {
    /// How many bytes it has.
    private(set) var count: Int64 = 0
    private let paths: DownloadPaths
    private let disk: DownloadDisk
    private let descriptor: Int32
    private var record: PartialRecord?
    /// Whether what is in it is this download's, and not what one of something else has left.
    private var isOwn = false
    /// Whether the path leads to it no more.
    private var isGone = false
    private var flushedCount: Int64 = 0

    /// Opens the file, or makes it.
    ///
    /// - Throws: ``ErrandError`` with `downloadInProgress` where somebody else has it, or with `fileAccessFailed`.
    init(_ paths: DownloadPaths, disk: DownloadDisk) throws(ErrandError) {
        self.paths = paths
        self.disk = disk
        descriptor = try Self.openLocked(paths.path(paths.partial))
    }

    deinit {
        // Which gives the lock back too.
        close(descriptor)
    }

    /// Finds out what of the file can be gone on with, and cuts off the rest; nil for nothing.
    func load(key: String) throws(ErrandError) -> ResumePoint? {
        guard let record = readRecord(),
            let point = record.resumePoint(fileSize: try size(), key: key, bootSession: disk.bootSession)
        else { return nil }
        try cut(to: point.count)
        self.record = record
        isOwn = true
        flushedCount = min(record.durableCount, count)
        return point
    }

    /// Begins with an empty file.
    ///
    /// The record of what was there goes first: it must not be taken for one of what comes.
    ///
    /// - Parameter record: What the next run needs to go on; nil where it cannot.
    func begin(_ record: PartialRecord?) throws(ErrandError) {
        try removeRecord()
        try cut(to: 0)
        isOwn = true
        flushedCount = 0
        self.record = record
        if record != nil { try writeRecord() }
    }

    /// Keeps in the record what was learned since.
    func learn(total: Int64?, digest: FileDigest?) throws(ErrandError) {
        guard var changed = record else { return }
        changed.total = total ?? changed.total
        changed.digest = digest.map { [$0.algorithm.rawValue: $0.bytes.hexadecimal] } ?? changed.digest
        guard changed != record else { return }
        record = changed
        try writeRecord()
    }

    /// Adds bytes at the end.
    ///
    /// - Throws: ``ErrandError`` also if another program has changed the size of the file: what was cut would become zeros.
    func append(_ data: Data) throws(ErrandError) {
        try checkSize()
        var rest = data[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { disk.write(descriptor, $0) }
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else {
                throw .fileFailure("the file cannot be written", code: written == 0 ? EIO : errno)
            }
            rest = rest.dropFirst(written)
            count += Int64(written)
        }
        if record != nil, count - flushedCount >= disk.flushInterval { try flush() }
    }

    /// Has all that was written last, also where the machine goes down, and says so in the record.
    func flush() throws(ErrandError) {
        guard flushedCount < count else { return }
        guard fsync(descriptor) == 0 else { throw .fileFailure("the file cannot be written") }
        flushedCount = count
        guard record != nil else { return }
        record?.durableCount = count
        record?.bootSession = disk.bootSession
        try writeRecord()
    }

    /// Gives the bytes from the beginning to `body`, in pieces, until it returns false.
    func read(_ body: (Data) -> Bool) throws(ErrandError) {
        var position: Int64 = 0
        var buffer = Data(count: 1 << 20)
        while position < count {
            let wanted = Int(min(Int64(buffer.count), count - position))
            let got = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, wanted, off_t(position)) }
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else { throw .fileFailure("the file cannot be read", code: got == 0 ? EIO : errno) }
            guard body(buffer.prefix(got)) else { return }
            position += Int64(got)
        }
    }

    /// Puts the file in the target's place, whole and lasting.
    func moveIntoPlace() throws(ErrandError) {
        try checkSize()
        guard fchmod(descriptor, try usualMode()) == 0, fsync(descriptor) == 0 else {
            throw .fileFailure("the file cannot be written")
        }
        guard rename(paths.path(paths.partial), paths.target.path) == 0 else {
            throw .fileFailure("the file cannot be moved to its target")
        }
        isGone = true
        record = nil
        try removeRecord()
        // Some file systems cannot do that; the file is in its place all the same.
        let directory = open(paths.directory, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { return }
        _ = fsync(directory)
        close(directory)
    }

    /// The rights of a new file, as the process has set them for others (`umask`), which can be read in no other way without
    /// being changed for a moment.
    private func usualMode() throws(ErrandError) -> mode_t {
        let path = paths.path(paths.record) + "-mode"
        _ = unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else { throw .fileFailure("the file cannot be made") }
        defer {
            close(descriptor)
            _ = unlink(path)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .fileFailure("the file cannot be read") }
        return status.st_mode & 0o777
    }

    /// Removes all of it, but for what a download of something else has left.
    func removeOwn() throws(ErrandError) {
        let isEmpty = try size() == 0
        if isOwn || isEmpty { try remove() }
    }

    /// Removes all of it, unless it is in the target's place.
    func remove() throws(ErrandError) {
        guard !isGone else { return }
        record = nil
        isGone = true
        try removeRecord()
        try remove(paths.partial)
    }

    /// Whether anything is worth to be kept for another run.
    var isWorthKeeping: Bool { record != nil && count > 0 }

    private func checkSize() throws(ErrandError) {
        guard try size() == count else {
            throw ErrandError(.fileAccessFailed, reason: "another program changed the file while it was loaded")
        }
    }

    private func size() throws(ErrandError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .fileFailure("the file cannot be read") }
        return Int64(status.st_size)
    }

    private func cut(to count: Int64) throws(ErrandError) {
        guard ftruncate(descriptor, off_t(count)) == 0, lseek(descriptor, off_t(count), SEEK_SET) >= 0 else {
            throw .fileFailure("the file cannot be cut")
        }
        self.count = count
    }
}

// The record.
extension PartialFile {
    private func readRecord() -> PartialRecord? {
        guard let data = try? PrivateDirectory(path: paths.directory).read(paths.record, atMost: 65_536) else {
            return nil
        }
        return try? FastJSONDecoder().decode(PartialRecord.self, from: data)
    }

    private func writeRecord() throws(ErrandError) {
        guard let record else { return }
        let temporary = paths.record + "-new"
        do {
            let data = try FastJSONEncoder().encode(record)
            try remove(temporary)
            try PrivateDirectory(path: paths.directory).write(data, to: paths.record, by: temporary)
        } catch let error as POSIXError {
            throw .fileFailure("the record of the download cannot be written", code: error.code.rawValue)
        } catch {
            throw ErrandError(
                .fileAccessFailed, reason: "the record of the download cannot be written", underlyingError: error)
        }
    }

    private func removeRecord() throws(ErrandError) {
        try remove(paths.record)
    }

    private func remove(_ name: String) throws(ErrandError) {
        guard unlink(paths.path(name)) == 0 || errno == ENOENT else { throw .fileFailure("a file cannot be removed") }
    }
}

// The lock.
extension PartialFile {
    private static func openLocked(_ path: String) throws(ErrandError) -> Int32 {
        // Whoever had the lock before may have moved the file away or removed it: then the lock is on something else.
        for _ in 0..<100 {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
            guard descriptor >= 0 else { throw .fileFailure("the file cannot be made") }
            do throws(ErrandError) {
                if try lock(descriptor, path) { return descriptor }
            } catch {
                close(descriptor)
                throw error
            }
            close(descriptor)
        }
        throw ErrandError(.downloadInProgress, reason: "other downloads to the same target come and go")
    }

    /// Locks the file, and tells whether it is still the one at this path.
    ///
    /// A file that another user could have written is removed: one of another owner, with more than one link, or with rights
    /// for others.
    private static func lock(_ descriptor: Int32, _ path: String) throws(ErrandError) -> Bool {
        var (opened, found) = (stat(), stat())
        guard fstat(descriptor, &opened) == 0 else { throw .fileFailure("the file cannot be read") }
        guard opened.st_mode & S_IFMT == S_IFREG else {
            throw ErrandError(.fileAccessFailed, reason: "what is in the file's place is no file")
        }
        guard opened.st_uid == geteuid(), opened.st_nlink <= 1, opened.st_mode & 0o077 == 0 else {
            guard unlink(path) == 0 || errno == ENOENT else { throw .fileFailure("a file cannot be removed") }
            return false
        }
        // Some file systems of a network know no locks.
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            throw ErrandError(.downloadInProgress, reason: "another download writes to the same target")
        }
        return lstat(path, &found) == 0 && found.st_ino == opened.st_ino && found.st_dev == opened.st_dev
    }
}
