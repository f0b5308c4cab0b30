/// The file of a download, for one run of it: what is asked of it is done on a thread that may block, in order.
///
/// `@unchecked Sendable` holds because everything that changes is touched in closures of ``perform(_:)`` and ``close()``
/// alone, which run on one serial queue.
final class DownloadFile: @unchecked Sendable {
    private let paths: DownloadPaths
    private let key: String
    private let disk: DownloadDisk
    private let claims: DownloadClaims
    private let queue = BlockingQueue(label: "Errand.Download")
    private let isClosed = Locked(false)

    private var partial: PartialFile?
    /// What hashes all of the file, by algorithm; empty as long as nobody has named a digest.
    private var hashers: [FileDigest.Algorithm: FileDigest.Hasher] = [:]
    /// What hashes the part that is coming.
    private var partHasher: FileDigest.Hasher?

    /// A file whose target is claimed, which ``close()`` gives back.
    init(_ paths: DownloadPaths, key: String, disk: DownloadDisk, claims: DownloadClaims) {
        self.paths = paths
        self.key = key
        self.disk = disk
        self.claims = claims
    }

    /// Opens the file, and finds out what of it can be gone on with; nil for nothing.
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

    /// Begins with an empty file.
    ///
    /// - Parameter algorithms: What it is to be hashed by.
    func begin(_ representation: DownloadStep.Representation, hashedBy algorithms: Set<FileDigest.Algorithm>)
        async throws
    {
        try await perform { file in
            let record = representation.validator.map { validator in
                PartialRecord(
                    key: file.key, validator: validator, total: representation.total, digest: representation.digest,
                    bootSession: file.disk.bootSession)
            }
            // What there was goes first, and makes room.
            try file.partial?.begin(record)
            try file.checkRoom(for: representation.total)
            file.hashers = Dictionary(uniqueKeysWithValues: algorithms.map { ($0, FileDigest.Hasher($0)) })
            file.partHasher = nil
        }
    }

    /// Goes on behind what is there.
    ///
    /// Where a digest is to be checked, what is there is read once more, unless this run wrote it.
    func append(_ part: DownloadStep.Part, hashedBy algorithms: Set<FileDigest.Algorithm>) async throws {
        try await perform { file in
            let count = file.partial?.count ?? 0
            try file.checkRoom(for: part.total.map { $0 - count } ?? part.count)
            try file.partial?.learn(total: part.total, digest: part.digest)
            try file.hashWhatIsThere(by: algorithms)
            file.partHasher = part.contentDigest.map { FileDigest.Hasher($0.algorithm) }
        }
    }

    /// Hashes what is there, where no answer came to say more of it.
    func hash(by algorithms: Set<FileDigest.Algorithm>) async throws {
        try await perform { try $0.hashWhatIsThere(by: algorithms) }
    }

    /// Adds bytes at the end, and tells how many there are.
    func add(_ data: Data) async throws -> Int64 {
        try await perform { file in
            guard let partial = file.partial else { return 0 }
            let before = partial.count
            defer {
                // What was written of it before the disk was full is in the file too.
                let written = data.prefix(Int(partial.count - before))
                for algorithm in file.hashers.keys { file.hashers[algorithm]?.update(written) }
                file.partHasher?.update(written)
            }
            try partial.append(data)
            return partial.count
        }
    }

    /// Compares the part that came with its digest.
    func checkPart(_ digest: FileDigest?) async throws {
        guard let digest else { return }
        try await perform { file in
            guard let hasher = file.partHasher, hasher.digest != digest.bytes else { return }
            try file.partial?.remove()
            throw ErrandError(
                .digestMismatch, reason: "a part of the file has another \(digest.algorithm.rawValue) digest")
        }
    }

    /// Compares the file with its digests, and moves it into place.
    func finish(_ digests: [FileDigest]) async throws {
        try await perform { file in
            for digest in digests where file.hashers[digest.algorithm]?.digest != digest.bytes {
                try file.partial?.remove()
                throw ErrandError(.digestMismatch, reason: "the file has another \(digest.algorithm.rawValue) digest")
            }
            try file.partial?.moveIntoPlace()
        }
    }

    /// Has nothing kept of what is there.
    func discard() async throws {
        try await perform { file in
            file.hashers = [:]
            try file.partial?.remove()
        }
    }

    /// Puts the file away, behind all that was asked of it: kept where the next run can go on with it. Others may have the
    /// target then. To close again does nothing.
    func close() {
        let wasClosed = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        guard !wasClosed else { return }
        claims.leave(paths.target.path)
        queue.begin { [self] in
            if let partial {
                // The download has failed already, or is whole, and says so; nobody is left to be told of this.
                if partial.isWorthKeeping { try? partial.flush() } else { try? partial.removeOwn() }
            }
            partial = nil
            claims.release(paths.target.path)
        }
    }

    /// Waits until the file is put away; no longer than the waiting task lives.
    func waitUntilClosed() async {
        try? await queue.run {}
    }

    private func perform<Value: Sendable>(_ body: @escaping @Sendable (DownloadFile) throws -> Value) async throws
        -> Value
    {
        try await queue.run { try body(self) }
    }

    private func checkRoom(for count: Int64?) throws(ErrandError) {
        guard let count, let available = disk.availableBytes(paths.directory), available < count else { return }
        throw ErrandError(
            .insufficientDiskSpace,
            reason: "the disk of \(paths.directory) has room for \(available) bytes, and \(count) are to come")
    }

    private func hashWhatIsThere(by algorithms: Set<FileDigest.Algorithm>) throws(ErrandError) {
        guard let partial, hashers.count != algorithms.count || !algorithms.allSatisfy({ hashers[$0] != nil }) else {
            return
        }
        var found = Dictionary(uniqueKeysWithValues: algorithms.map { ($0, FileDigest.Hasher($0)) })
        try partial.read { piece in
            for algorithm in algorithms { found[algorithm]?.update(piece) }
            return !isClosed.withLock { $0 }
        }
        hashers = found
    }
}
