internal import Dispatch

/// A store that keeps responses in a directory, where they outlive the process.
///
/// ```swift
/// let caches = try FileManager.default.url(
///     for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
/// let cache = HTTPCache(store: DiskCacheStore(directory: caches.appendingPathComponent("library")))
/// ```
///
/// The directory must belong to the user. A directory of another user, or one that the group or others may write to, is
/// neither read nor written, because anyone could have stored responses there. A file of another user is removed.
///
/// Each entry is one file, readable only by its owner, with the status, the header fields and the body in clear text.
/// It contains digests of the URL and of the credentials instead of the values, and never contains `Set-Cookie` or a
/// field of a request. To keep bodies off the disk, use the cache's `shouldStore`.
///
/// A file is written under another name and then moved, and has a checksum. If the process is killed, an incomplete
/// entry counts as missing. Several processes may use one directory at the same time. The last write wins, even if
/// another process has invalidated its response meanwhile.
///
/// Errors of the directory never fail a request: an entry that cannot be read counts as missing.
///
/// All file operations run in order on a separate queue. Storing and removing do not wait for it. At most the maximum
/// size of one entry, or an eighth of the total if that is more, waits to be written. An entry beyond this limit is not
/// stored; see ``flush()``.
public final class DiskCacheStore: CacheStore {
    /// The age at which an unfinished temporary file is removed. Until then, another process may still be writing it.
    static let temporaryLifetime: TimeInterval = 3600

    private struct State: Sendable {
        var files: CacheIndex<CacheFileName, Void>
        /// The modification date that the directory had when the index was last up to date; `nil` if it was not read.
        var knownChange: Date?
        /// The number of bytes that wait to be written.
        var waiting = 0
    }

    private let directory: PrivateDirectory
    private let maximumBytes: Int
    private let maximumEntryBytes: Int
    private let now: @Sendable () -> Date
    private let firstError: FirstError
    private let queue = DispatchQueue(label: "Errand.DiskCacheStore", qos: .utility)
    /// Only the queue uses the properties other than `waiting`.
    private let state: Locked<State>

    /// Creates a store in a directory. The directory and its parents are created when they are first needed, accessible
    /// only to the owner.
    ///
    /// Use a separate directory for it. Files with other names are not changed.
    ///
    /// - Parameters:
    ///   - directory: A directory of the file system, which must not be shared by all users.
    ///   - maximumBytes: The maximum total size of the files in bytes; 64 MiB by default. With zero or less, nothing is
    ///     stored. The least recently used entries are removed first.
    ///   - maximumEntryBytes: The maximum size of one file in bytes; an eighth of the total by default. A larger entry
    ///     is not stored.
    ///   - onError: A closure that receives the first error of the directory. It is called once, on the store's queue.
    ///   - now: Returns the current date.
    public init(
        directory: URL, maximumBytes: Int = 64 << 20, maximumEntryBytes: Int? = nil,
        onError: (@Sendable (any Error) -> Void)? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        // For a URL that is not a file URL, a path at which nothing can be created: the first `store` reports an error.
        self.directory = PrivateDirectory(path: directory.isFileURL ? directory.path : "/dev/null/none")
        self.maximumBytes = max(0, maximumBytes)
        self.maximumEntryBytes = max(0, maximumEntryBytes ?? maximumBytes / 8)
        self.now = now
        firstError = FirstError(receive: onError)
        state = Locked(State(files: CacheIndex(maximumBytes: maximumBytes)))
    }

    /// Returns all complete entries of a key.
    public func entries(for key: CacheKey) async -> [CacheEntry] {
        // A cancelled task does not wait for a slow disk, and gets no entries.
        await onQueue { self.loadEntries(for: key) } ?? []
    }

    /// Stores an entry, without waiting for the disk.
    public func store(_ entry: CacheEntry, for key: CacheKey) async {
        let cost = entry.byteCount
        let isAccepted = state.withLock { state in
            guard cost <= max(maximumEntryBytes, maximumBytes / 8) - state.waiting else { return false }
            state.waiting += cost
            return true
        }
        guard isAccepted else { return await removeEntry(ofVariant: entry.variant, for: key) }
        queue.async {
            self.save(entry, key)
            self.state.withLock { $0.waiting -= cost }
        }
    }

    /// Removes the entry of one variant.
    public func removeEntry(ofVariant variant: String, for key: CacheKey) async {
        queue.async { self.delete(CacheFileName(key, variant: variant)) }
    }

    /// Removes all entries of a resource, including those that another process stored.
    public func removeEntries(ofResource resource: String) async {
        let group = CacheFileName.group(ofResource: resource)
        queue.async { self.deleteAll { $0.group == group } }
    }

    /// Removes all entries. Files with other names are kept.
    public func removeAll() async {
        queue.async { self.deleteAll { _ in true } }
    }

    /// Waits until all earlier operations have ended, for example before a program ends.
    ///
    /// Cancelling the task ends the wait, and has no other effect.
    public func flush() async {
        await onQueue {}
    }

    /// Runs work on the queue and waits for it. Returns `nil` as soon as the calling task is cancelled.
    private func onQueue<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value? {
        let promise = PipelinePromise<Value, any Error>()
        queue.async { promise.resolve(with: .success(work())) }
        return try? await promise.value
    }
}

// The file operations, all of which run on the queue.
extension DiskCacheStore {
    private func loadEntries(for key: CacheKey) -> [CacheEntry] {
        do { try readDirectoryIfChanged() } catch { firstError.report(error) }
        let prefix = CacheFileName.commonPrefix(of: key)
        let group = CacheFileName.group(ofResource: key.resource)
        let names = state.withLock { Array($0.files.names(in: group)) }
        return names.filter { $0.text.hasPrefix(prefix) }.compactMap { loadEntry($0, for: key) }
    }

    private func loadEntry(_ name: CacheFileName, for key: CacheKey) -> CacheEntry? {
        do {
            guard let file = try directory.read(name.text, atMost: maximumBytes) else {
                state.withLock { $0.files.remove(name) }
                return nil
            }
            guard let entry = CacheFile.decode(file, for: key), CacheFileName(key, variant: entry.variant) == name
            else {
                throw PrivateDirectory.Unreadable()
            }
            state.withLock { _ = $0.files.use(name) }
            directory.touch(name.text, at: now())
            return entry
        } catch is PrivateDirectory.Unreadable {
            delete(name)
        } catch {
            firstError.report(error)
        }
        return nil
    }

    private func save(_ entry: CacheEntry, _ key: CacheKey) {
        let name = CacheFileName(key, variant: entry.variant)
        do {
            let file = try CacheFile.encode(entry, for: key)
            guard file.count <= min(maximumEntryBytes, maximumBytes) else { return delete(name) }
            try directory.create()
            try readDirectoryIfChanged()
            try directory.write(file, to: name.text, by: name.temporary)
            for gone in state.withLock({ $0.files.insert((), name, byteCount: file.count) }) {
                try directory.remove(gone.text)
            }
            directory.touch(name.text, at: now())
            recordChange()
        } catch {
            firstError.report(error)
            // An entry that could not be replaced is out of date. If only another file could not be removed, the new
            // entry goes too.
            delete(name)
        }
    }

    private func delete(_ name: CacheFileName) {
        state.withLock { $0.files.remove(name) }
        do { if try directory.exists() { try directory.remove(name.text) } } catch { firstError.report(error) }
    }

    /// Deletes the files that match, including those that other processes have added.
    private func deleteAll(where isDeleted: (CacheFileName) -> Bool) {
        do { try readDirectory(modificationDate()) } catch { firstError.report(error) }
        for name in state.withLock({ $0.files.names }).filter(isDeleted) { delete(name) }
    }

    /// Reads the directory again if another process may have added or removed files.
    private func readDirectoryIfChanged() throws {
        let changed = try modificationDate()
        if let known = state.withLock({ $0.knownChange }), known == changed { return }
        try readDirectory(changed)
    }

    /// Updates the index with the names in the directory.
    ///
    /// - Parameter changed: The modification date of the directory; `nil` if it does not exist.
    private func readDirectory(_ changed: Date?) throws {
        guard let changed else { return forgetDirectory() }
        let listed = try directory.names()
        let names = Set(listed.compactMap { CacheFileName($0) })
        let new = state.withLock { state in
            let known = Set(state.files.names)
            for gone in known.subtracting(names) { state.files.remove(gone) }
            return names.subtracting(known)
        }
        try add(new)
        // After a failure, the next use reads the directory again.
        state.withLock { $0.knownChange = changed }
        removeLeftovers(listed)
    }

    /// Returns the modification date of the directory; `nil` if it does not exist.
    ///
    /// - Throws: An error if the directory belongs to another user, or if others may write to it. The index is then
    ///   discarded.
    private func modificationDate() throws -> Date? {
        do {
            return try directory.changed()
        } catch {
            forgetDirectory()
            throw error
        }
    }

    private func forgetDirectory() {
        state.withLock { state in
            state.files.removeAll()
            state.knownChange = nil
        }
    }

    /// Adds files that are not in the index, ordered by their last use.
    private func add(_ names: Set<CacheFileName>) throws {
        // The store sets the modification date of a file at each use; the status returns it as `used`.
        let found = names.compactMap { name in directory.status(of: name.text).map { (name: name, status: $0) } }
            .sorted { $0.status.used < $1.status.used }
        for (name, status) in found {
            for gone in state.withLock({ $0.files.insert((), name, byteCount: status.size) }) {
                try directory.remove(gone.text)
            }
        }
        // A directory entry with such a name that is not a regular file was not created by a store. A folder stays.
        for name in names.subtracting(found.map(\.name)) { try? directory.remove(name.text) }
    }

    /// Removes the temporary files of writes that did not end.
    private func removeLeftovers(_ names: [String]) {
        let oldest = now().addingTimeInterval(-Self.temporaryLifetime)
        for name in names where name.hasSuffix(CacheFileName.temporarySuffix) {
            if let status = directory.status(of: name), status.used < oldest { try? directory.remove(name) }
        }
    }

    /// Records that the store itself changed the directory, so that the index stays valid. If another process changes
    /// it at the same moment, its entry is missed until the next change. A removal alone is not recorded: the next
    /// operation reads the directory again.
    private func recordChange() {
        let changed = try? directory.changed()
        state.withLock { $0.knownChange = changed }
    }
}
