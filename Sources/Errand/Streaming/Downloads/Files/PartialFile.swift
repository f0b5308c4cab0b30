/// The locked file of an incomplete download, and its record. Each call blocks.
final class PartialFile {
    /// The length of the file in bytes; 0 until its content is resumed or begun.
    private(set) var count: Int64 = 0
    private let paths: DownloadPaths
    /// The path of the file. It is stored, since computing it for an error message might change `errno`.
    private let path: String
    private let disk: DownloadDisk
    private let descriptor: Int32
    /// The record of this download; `nil` if the next run cannot resume it.
    private var record: PartialRecord?
    /// Whether this run has resumed or begun the content, which may otherwise be that of another download.
    private var isOwn = false
    /// Whether the file was moved or removed, so that the path does not lead to it.
    private var isGone = false

    /// Opens or creates the file.
    ///
    /// - Throws: ``ErrandError`` with `downloadInProgress` if another download holds the lock, or with
    ///   `fileAccessFailed`.
    init(_ paths: DownloadPaths, disk: DownloadDisk) throws(ErrandError) {
        self.paths = paths
        self.disk = disk
        path = paths.path(paths.partial)
        descriptor = try Self.openLocked(path)
    }

    deinit {
        // This also releases the lock.
        close(descriptor)
    }

    /// Returns the point from which the file can resume, where the next bytes are then written. If the file
    /// cannot resume, returns `nil` and leaves the content unchanged.
    func load(key: String) throws(ErrandError) -> ResumePoint? {
        guard let record = readRecord(),
            let point = record.resumePoint(fileSize: try size(), key: key, bootSession: disk.bootSession)
        else { return nil }
        try cut(to: point.count)
        self.record = record
        isOwn = true
        return point
    }

    /// Starts with an empty file.
    ///
    /// The old record is removed first, since it must not describe the new content.
    ///
    /// - Parameter record: The record that the next run needs to resume; `nil` if it cannot.
    func begin(_ record: PartialRecord?) throws(ErrandError) {
        try removeRecord()
        try cut(to: 0)
        isOwn = true
        self.record = record
        if record != nil { try writeRecord() }
    }

    /// Updates the record with the length and the digest of the complete file.
    func updateRecord(total: Int64?, digest: FileDigest?) throws(ErrandError) {
        guard var changed = record else { return }
        changed.total = total ?? changed.total
        changed.digest = digest.map { [$0.algorithm.rawValue: $0.bytes.hexadecimal] } ?? changed.digest
        guard changed != record else { return }
        record = changed
        try writeRecord()
    }

    /// Appends bytes.
    ///
    /// - Throws: ``ErrandError``, also if another program has changed the size of the file: truncated bytes would
    ///   become zeros.
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
    }

    /// Passes the content to `body` in pieces, until `body` returns `false`.
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

    /// Moves the complete file to the target, after it has reached the disk.
    func moveIntoPlace() throws(ErrandError) {
        try checkSize()
        let mode = try usualMode()
        // The permissions change as late as possible: if this run is killed after that, the next one removes the file,
        // since others could have opened it.
        guard fsync(descriptor) == 0, fchmod(descriptor, mode) == 0 else {
            throw .fileFailure("cannot write", path)
        }
        let target = paths.target.path
        guard rename(path, target) == 0 else { throw .fileFailure("cannot move the download to", target) }
        isGone = true
        record = nil
        // A record without its file has no effect.
        try? removeRecord()
        // This flushes the new name to the disk. Some file systems do not support it; the file is in place anyway.
        let directory = open(paths.directory, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { return }
        _ = fsync(directory)
        close(directory)
    }

    /// Removes the file and its record, unless they belong to another download. An empty file belongs to none.
    func removeOwn() throws(ErrandError) {
        let isEmpty = try size() == 0
        if isOwn || isEmpty { try remove() }
    }

    /// Removes the file and its record, unless the file was already moved or removed.
    func remove() throws(ErrandError) {
        guard !isGone else { return }
        record = nil
        isGone = true
        try removeRecord()
        try remove(paths.partial)
    }

    /// Whether another run can resume the file.
    var isWorthKeeping: Bool { record != nil && count > 0 }

    /// Returns the permissions of a new file under the process's `umask`. Reading the `umask` directly would require
    /// changing it for a moment.
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

    /// Truncates the file, so that the next bytes are written at its new end.
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

/// The record of an incomplete file, which the next run needs to resume it.
///
/// It contains a digest of the URL instead of the URL, which may contain a secret.
struct PartialRecord: Codable, Hashable, Sendable {
    static let currentVersion = 1

    var version = PartialRecord.currentVersion
    /// The digest of the request.
    var key: String
    var validator: RepresentationValidator
    var total: Int64?
    /// The hexadecimal digest of the complete file, by the name of its algorithm; empty if it is unknown.
    var digest: [String: String] = [:]
    /// The boot of the system in which the download began; `nil` if it is unknown, and the file is not resumed.
    var bootSession: String?

    init(key: String, validator: RepresentationValidator, total: Int64?, digest: FileDigest?, bootSession: String?) {
        self.key = key
        self.validator = validator
        self.total = total
        self.digest = digest.map { [$0.algorithm.rawValue: $0.bytes.hexadecimal] } ?? [:]
        self.bootSession = bootSession
    }

    /// Returns the point from which a file of this size can resume; `nil` if its content cannot be used.
    ///
    /// Bytes that a process wrote are safe while the system runs, however the process ended. After a restart of the
    /// system, some may be missing, so the download starts again.
    func resumePoint(fileSize: Int64, key: String, bootSession: String?) -> ResumePoint? {
        guard version == Self.currentVersion, self.key == key, let bootSession, bootSession == self.bootSession,
            fileSize > 0, fileSize <= (total ?? .max)
        else { return nil }
        return ResumePoint(count: fileSize, validator: validator, total: total, digest: fileDigest)
    }

    private var fileDigest: FileDigest? {
        digest.first.flatMap { name, digits in
            FileDigest.Algorithm(rawValue: name).flatMap { try? FileDigest($0, hex: digits) }
        }
    }
}
