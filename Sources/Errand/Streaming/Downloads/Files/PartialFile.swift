/// The file of a download while it is not whole, locked against other downloads, and the record beside it. Each call
/// blocks.
final class PartialFile {
    /// How many bytes it has.
    private(set) var count: Int64 = 0
    private let paths: DownloadPaths
    /// The path of the file. Errors read it as it is: to put it together might change `errno`.
    private let path: String
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
        path = paths.path(paths.partial)
        descriptor = try Self.openLocked(path)
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
                throw .fileFailure("cannot write", path, code: written == 0 ? EIO : errno)
            }
            rest = rest.dropFirst(written)
            count += Int64(written)
        }
        if record != nil, count - flushedCount >= disk.flushInterval { try flush() }
    }

    /// Has all that was written last, also where the machine goes down, and says so in the record.
    func flush() throws(ErrandError) {
        guard flushedCount < count else { return }
        guard fsync(descriptor) == 0 else { throw .fileFailure("cannot write", path) }
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
            guard got > 0 else { throw .fileFailure("cannot read", path, code: got == 0 ? EIO : errno) }
            guard body(buffer.prefix(got)) else { return }
            position += Int64(got)
        }
    }

    /// Puts the file in the target's place, whole and lasting.
    func moveIntoPlace() throws(ErrandError) {
        try checkSize()
        guard fchmod(descriptor, try usualMode()) == 0, fsync(descriptor) == 0 else {
            throw .fileFailure("cannot write", path)
        }
        let target = paths.target.path
        guard rename(path, target) == 0 else { throw .fileFailure("cannot move the download to", target) }
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
        guard descriptor >= 0 else { throw .fileFailure("cannot create", path) }
        defer {
            close(descriptor)
            _ = unlink(path)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .fileFailure("cannot read", path) }
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
            throw ErrandError(.fileAccessFailed, reason: "another program changed \(path) while it was loaded")
        }
    }

    private func size() throws(ErrandError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .fileFailure("cannot read", path) }
        return Int64(status.st_size)
    }

    private func cut(to count: Int64) throws(ErrandError) {
        guard ftruncate(descriptor, off_t(count)) == 0, lseek(descriptor, off_t(count), SEEK_SET) >= 0 else {
            throw .fileFailure("cannot truncate", path)
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
        let path = paths.path(paths.record)
        do {
            let data = try FastJSONEncoder().encode(record)
            try remove(temporary)
            try PrivateDirectory(path: paths.directory).write(data, to: paths.record, by: temporary)
        } catch let error as POSIXError {
            throw .fileFailure("cannot write the record of the download", path, code: error.code.rawValue)
        } catch {
            throw ErrandError(
                .fileAccessFailed, reason: "cannot write the record of the download \(path)", underlyingError: error)
        }
    }

    private func removeRecord() throws(ErrandError) {
        try remove(paths.record)
    }

    private func remove(_ name: String) throws(ErrandError) {
        let path = paths.path(name)
        guard unlink(path) == 0 || errno == ENOENT else { throw .fileFailure("cannot remove", path) }
    }
}
