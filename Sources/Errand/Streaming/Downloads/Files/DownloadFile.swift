/// The file of one run of a download, with the record that the next run needs to resume it. It performs its operations
/// in order on a serial queue for blocking I/O.
///
/// `@unchecked Sendable` is safe because only closures of ``perform(_:)`` and ``close()`` access the mutable state, and
/// they run on that queue.
final class DownloadFile: @unchecked Sendable {
    private let paths: DownloadPaths
    /// The digest of the request, by which a later run recognizes the file.
    private let key: String
    private let disk: DownloadDisk
    private let claims: DownloadClaims
    private let queue = BlockingQueue(label: "Errand.Download")
    /// Whether ``close()`` was called, on any thread. It stops the hashing of bytes on disk.
    private let isClosed = Locked(false)

    /// The open file; `nil` only before ``open()`` and after it was closed, when the run performs no operation.
    private var partial: PartialFile?
    /// The hashers of the complete file, by algorithm; empty until a digest is known.
    private var hashers: [FileDigest.Algorithm: FileDigest.Hasher] = [:]
    /// The hasher of the current part.
    private var partHasher: FileDigest.Hasher?

    /// Creates the file for a claimed target. ``close()`` releases the claim.
    init(_ paths: DownloadPaths, key: String, disk: DownloadDisk, claims: DownloadClaims) {
        self.paths = paths
        self.key = key
        self.disk = disk
        self.claims = claims
    }

    /// Opens the file and returns the point from which it can resume; `nil` for none.
    func open() async throws -> ResumePoint? {
        try await perform { file in
            var isDirectory = false as ObjCBool
            if FileManager.default.fileExists(atPath: file.paths.target.path, isDirectory: &isDirectory),
                isDirectory.boolValue
            {
                throw ErrandError(.invalidDownloadTarget, reason: "\(file.paths.target.path) is a directory")
            }
            let partial = try PartialFile(file.paths, disk: file.disk)
            file.partial = partial
            return try partial.load(key: file.key)
        }
    }

    /// Starts with an empty file.
    ///
    /// - Parameter algorithms: The algorithms to hash it with.
    func begin(_ representation: DownloadStep.Representation, hashedBy algorithms: Set<FileDigest.Algorithm>)
        async throws
    {
        try await perform { file in
            let record = representation.validator.map { validator in
                PartialRecord(
                    key: file.key, validator: validator, total: representation.total, digest: representation.digest,
                    bootSession: file.disk.bootSession)
            }
            // The previous content is removed first, which frees its space.
            try file.partial?.begin(record)
            try file.checkFreeSpace(for: representation.total)
            file.hashers = Dictionary(uniqueKeysWithValues: algorithms.map { ($0, FileDigest.Hasher($0)) })
            file.partHasher = nil
        }
    }

    /// Continues after the bytes on disk.
    ///
    /// If there is a digest to verify, the bytes on disk are read again, unless this run has already hashed them with
    /// its algorithm.
    func append(_ part: DownloadStep.Part, hashedBy algorithms: Set<FileDigest.Algorithm>) async throws {
        try await perform { file in
            let count = file.partial?.count ?? 0
            try file.checkFreeSpace(for: part.total.map { $0 - count } ?? part.count)
            try file.partial?.updateRecord(total: part.total, digest: part.digest)
            try file.hashBytesOnDisk(by: algorithms)
            file.partHasher = part.contentDigest.map { FileDigest.Hasher($0.algorithm) }
        }
    }

    /// Hashes the bytes on disk, unless this run has already hashed them with these algorithms.
    func hash(by algorithms: Set<FileDigest.Algorithm>) async throws {
        try await perform { try $0.hashBytesOnDisk(by: algorithms) }
    }

    /// Appends bytes and returns the new length of the file.
    func add(_ data: Data) async throws -> Int64 {
        try await perform { file in
            guard let partial = file.partial else { return 0 }
            let before = partial.count
            defer {
                // If the disk became full, the bytes that were written before are in the file too.
                let written = data.prefix(Int(partial.count - before))
                for algorithm in file.hashers.keys { file.hashers[algorithm]?.update(written) }
                file.partHasher?.update(written)
            }
            try partial.append(data)
            return partial.count
        }
    }

    /// Compares the received part with its digest.
    func checkPart(_ digest: FileDigest?) async throws {
        guard let digest else { return }
        try await perform { file in
            guard let hasher = file.partHasher, hasher.digest != digest.bytes else { return }
            try file.partial?.remove()
            throw Self.mismatch("part", hasher.digest, digest)
        }
    }

    /// Compares the file with its digests, and moves it into place.
    func finish(_ digests: [FileDigest]) async throws {
        try await perform { file in
            for digest in digests where file.hashers[digest.algorithm]?.digest != digest.bytes {
                try file.partial?.remove()
                throw Self.mismatch("file", file.hashers[digest.algorithm]?.digest, digest)
            }
            try file.partial?.moveIntoPlace()
        }
    }

    /// Removes the file and its record.
    func discard() async throws {
        try await perform { file in
            file.hashers = [:]
            try file.partial?.remove()
        }
    }

    /// Closes the file after all earlier operations and releases the target. The file is kept if the next run can
    /// resume it. Closing again has no effect.
    func close() {
        let wasClosed = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        guard !wasClosed else { return }
        claims.leave(paths.target.path)
        queue.begin { [self] in
            // The download has already failed or succeeded, so there is no one to report this error to.
            if let partial, !partial.isWorthKeeping { try? partial.removeOwn() }
            partial = nil
            claims.release(paths.target.path)
        }
    }

    /// Waits until the file is closed. A cancelled task does not wait.
    func waitUntilClosed() async {
        try? await queue.run {}
    }

    /// Performs an operation on the queue and waits for it. A cancelled task does not wait; the operation continues.
    private func perform<Value: Sendable>(_ body: @escaping @Sendable (DownloadFile) throws -> Value) async throws
        -> Value
    {
        try await queue.run { try body(self) }
    }

    private static func mismatch(_ what: String, _ found: Data?, _ expected: FileDigest) -> ErrandError {
        let found = found?.hexadecimal ?? "not known"
        return ErrandError(
            .digestMismatch, reason: "the digest of the \(what) is \(found); \(expected) was expected")
    }

    /// Fails if the disk does not have this number of bytes free. If one of the numbers is unknown, it does nothing.
    private func checkFreeSpace(for count: Int64?) throws(ErrandError) {
        guard let count, let available = disk.availableBytes(paths.directory), available < count else { return }
        throw ErrandError(
            .insufficientDiskSpace,
            reason: "the disk of \(paths.directory) has \(available) bytes free; the download needs \(count) more")
    }

    /// Hashes the bytes on disk, unless the hashers for these algorithms already contain them. It stops if the file is
    /// closed.
    private func hashBytesOnDisk(by algorithms: Set<FileDigest.Algorithm>) throws(ErrandError) {
        guard let partial, Set(hashers.keys) != algorithms else { return }
        var found = Dictionary(uniqueKeysWithValues: algorithms.map { ($0, FileDigest.Hasher($0)) })
        try partial.read { piece in
            for algorithm in algorithms { found[algorithm]?.update(piece) }
            return !isClosed.withLock { $0 }
        }
        hashers = found
    }
}

/// The paths of a download's files. They are in the target's directory, so that moving the file into place is one step.
struct DownloadPaths: Hashable, Sendable {
    let target: URL
    let directory: String
    /// The name of the partial file: `.NAME.errand-partial`.
    let partial: String
    /// The name of its record: `.NAME.errand-resume`.
    let record: String

    /// - Throws: ``ErrandError`` with `invalidDownloadTarget`.
    init(_ target: URL) throws(ErrandError) {
        let name = target.lastPathComponent
        guard target.isFileURL, !target.hasDirectoryPath, !["", "/", ".", ".."].contains(name),
            !name.utf8.contains(0)
        else {
            throw ErrandError(
                .invalidDownloadTarget,
                reason: "the target is not a file URL with a file name: use `URL(filePath:)`")
        }
        self.target = target.standardizedFileURL
        directory = self.target.deletingLastPathComponent().path
        // File systems limit names to 255 bytes.
        let short = name.utf8.count <= 200 ? name : String(SHA256.hexDigest(texts: [name]).prefix(32))
        partial = ".\(short).errand-partial"
        record = ".\(short).errand-resume"
    }

    /// Returns the path of one of the names.
    func path(_ name: String) -> String { directory == "/" ? "/\(name)" : "\(directory)/\(name)" }
}

/// The part of the system that tests of downloads replace.
struct DownloadDisk: Sendable {
    /// Returns the free space in bytes of the directory's file system; `nil` if the system does not report it.
    var availableBytes: @Sendable (_ directory: String) -> Int64?
    /// Writes bytes, as `write(2)` does.
    var write: @Sendable (Int32, UnsafeRawBufferPointer) -> Int
    /// The identifier of the system's current boot, which changes with each boot; `nil` if the system has none.
    var bootSession: String?

    /// The disk of the system.
    static let system = DownloadDisk(
        availableBytes: { directory in
            let attributes = try? FileManager.default.attributesOfFileSystem(forPath: directory)
            return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
        },
        write: { descriptor, bytes in Foundation.write(descriptor, bytes.baseAddress, bytes.count) },
        bootSession: systemBootSession)
}

extension ErrandError {
    /// Creates the error of a failed system call, with the action, the path and the system's message for `errno`.
    ///
    /// - Parameter action: The action that failed, such as `cannot write`.
    static func fileFailure(_ action: String, _ path: String, code: Int32 = errno) -> ErrandError {
        let cause = POSIXErrorCode(rawValue: code).map { POSIXError($0) } ?? POSIXError(.EIO)
        let isFull = [ENOSPC, EDQUOT].contains(code)
        return ErrandError(
            isFull ? .insufficientDiskSpace : .fileAccessFailed,
            reason: "\(action) \(path): \(String(cString: strerror(code)))", underlyingError: cause)
    }
}
