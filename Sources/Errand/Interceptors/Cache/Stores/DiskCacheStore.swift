internal import Dispatch

/// Keeps answers in a directory, where they outlive the process.
///
/// ```swift
/// let caches = try FileManager.default.url(
///     for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
/// let cache = HTTPCache(store: DiskCacheStore(directory: caches.appendingPathComponent("library")))
/// ```
///
/// The directory has to be the user's own: nothing is read from or written to one that belongs to another user, or that the
/// group or others may write into, since anybody could have put answers there. A file of another user is removed.
///
/// What is on disk: for each entry one file, readable by its owner alone, with the status, the header fields and the body
/// in clear. It has digests of the URL and of the credentials, not these themselves; it never has `Set-Cookie`, nor any
/// field of a request. Whoever must not leave bodies on a disk keeps them out with the cache's `shouldStore`.
///
/// A file is written under another name and moved into place, and has a checksum: the process may be killed at any moment,
/// and what is not whole is not there. Several processes may use one directory at once; the last to write wins, also where another has
/// made its answer out of date meanwhile.
/// Whatever goes wrong with the directory, the request does not notice: what cannot be read is not stored.
///
/// All work with files is done on a queue of its own. Storing does not wait for it: while as much as the largest entry waits
/// to be written, nothing more is stored; see ``flush()``.
public final class DiskCacheStore: CacheStore {
    /// How long what a killed process left unfinished is let be: another may still be at it.
    static let temporaryLifetime: TimeInterval = 3600

    private struct State: Sendable {
        var files: CacheIndex<CacheFileName, Bool>
        /// When the directory had changed last, as it was read; nil when it was not.
        var readAt: Date?
        /// The bytes that wait to be written.
        var waiting = 0
        var hasTold = false
    }

    private let directory: PrivateDirectory
    private let maximumBytes: Int
    private let maximumEntryBytes: Int
    private let now: @Sendable () -> Date
    private let onError: (@Sendable (any Error) -> Void)?
    private let queue = DispatchQueue(label: "Errand.DiskCacheStore", qos: .utility)
    /// Everything but `waiting` is touched by the queue alone.
    private let state: Locked<State>

    /// A store in a directory, which is made when it is first needed, with its parents, for its owner alone.
    ///
    /// It should be a directory for nothing else, though files of other names are left alone.
    ///
    /// - Parameters:
    ///   - directory: A directory of the file system, not one that all users share.
    ///   - maximumBytes: The most bytes that all files have together; 64 MiB by default, and nothing is stored for zero or
    ///     less. What was not used for longest goes first.
    ///   - maximumEntryBytes: The most bytes that one file has; an eighth of the whole by default. What is larger is not
    ///     stored.
    ///   - onError: Told of the first thing that goes wrong with the directory, once, on the store's queue.
    ///   - now: Who tells the time of day.
    public init(
        directory: URL, maximumBytes: Int = 64 << 20, maximumEntryBytes: Int? = nil,
        onError: (@Sendable (any Error) -> Void)? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        // Nothing can be in what is no directory, and the error says so.
        self.directory = PrivateDirectory(path: directory.isFileURL ? directory.path : "/dev/null/none")
        self.maximumBytes = max(0, maximumBytes)
        self.maximumEntryBytes = max(0, maximumEntryBytes ?? maximumBytes / 8)
        self.now = now
        self.onError = onError
        state = Locked(State(files: CacheIndex(maximumBytes: maximumBytes)))
    }

    /// Every whole entry of a key.
    public func entries(for key: CacheKey) async -> [CacheEntry] {
        // A waiter that is cancelled is not kept waiting by a slow disk.
        await onQueue { self.load(key) } ?? []
    }

    /// Stores an entry, without waiting for the disk.
    public func store(_ entry: CacheEntry, for key: CacheKey) async {
        let cost = entry.byteCount
        let mayWait = state.withLock { state in
            guard cost <= max(maximumEntryBytes, maximumBytes / 8) - state.waiting else { return false }
            state.waiting += cost
            return true
        }
        guard mayWait else { return await removeEntry(ofVariant: entry.variant, for: key) }
        queue.async {
            self.save(entry, key)
            self.state.withLock { $0.waiting -= cost }
        }
    }

    /// Removes the entry of one variant.
    public func removeEntry(ofVariant variant: String, for key: CacheKey) async {
        queue.async { self.delete(CacheFileName(key, variant: variant)) }
    }

    /// Removes everything of a resource, also what another process stored.
    public func removeEntries(ofResource resource: String) async {
        let group = CacheFileName.group(ofResource: resource)
        queue.async { self.deleteAll { $0.group == group } }
    }

    /// Removes every entry; files of other names stay.
    public func removeAll() async {
        queue.async { self.deleteAll { _ in true } }
    }

    /// Waits until all that was asked of the store before is on the disk: before a program ends, say.
    ///
    /// A task that is cancelled stops waiting; nothing else is changed by that.
    public func flush() async {
        await onQueue {}
    }

    private func onQueue<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result? {
        let promise = PipelinePromise<Result, any Error>()
        queue.async { promise.resolve(with: .success(work())) }
        return try? await promise.value
    }
}

extension DiskCacheStore {
    private func load(_ key: CacheKey) -> [CacheEntry] {
        do { try readDirectoryIfChanged() } catch { tell(error) }
        let beginning = CacheFileName.beginning(key)
        let group = CacheFileName.group(ofResource: key.resource)
        let names = state.withLock { Array($0.files.names(in: group)) }
        return names.filter { $0.text.hasPrefix(beginning) }.compactMap { load($0, key) }
    }

    private func load(_ name: CacheFileName, _ key: CacheKey) -> CacheEntry? {
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
            tell(error)
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
            for gone in state.withLock({ $0.files.insert(true, name, byteCount: file.count) }) {
                try directory.remove(gone.text)
            }
            directory.touch(name.text, at: now())
            noteChange()
        } catch {
            tell(error)
            // What could not be replaced is out of date.
            delete(name)
        }
    }

    private func delete(_ name: CacheFileName) {
        state.withLock { $0.files.remove(name) }
        do { try directory.remove(name.text) } catch { tell(error) }
    }

    /// The directory is read anew, whatever is known: nothing that another process stored may stay.
    private func deleteAll(where isDeleted: (CacheFileName) -> Bool) {
        do { try readDirectory() } catch { tell(error) }
        for name in state.withLock({ $0.files.names }).filter(isDeleted) { delete(name) }
    }

    /// Another process may have put files there, or taken some away.
    private func readDirectoryIfChanged() throws {
        let changed = try changed()
        if let readAt = state.withLock({ $0.readAt }), readAt == changed { return }
        try readDirectory(changed)
    }

    private func readDirectory() throws {
        try readDirectory(changed())
    }

    private func readDirectory(_ changed: Date?) throws {
        guard let changed else { return forgetDirectory() }
        let listed = try directory.names()
        let names = Set(listed.compactMap { CacheFileName($0) })
        let (gone, new) = state.withLock { state in
            let known = Set(state.files.names)
            let gone = known.subtracting(names)
            for name in gone { state.files.remove(name) }
            state.readAt = changed
            return (gone, names.subtracting(known))
        }
        if !gone.isEmpty || !new.isEmpty { try add(new) }
        removeLeftovers(listed)
    }

    /// When the directory changed; nothing is known any more of one that others may write into.
    private func changed() throws -> Date? {
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
            state.readAt = nil
        }
    }

    /// Takes over files that this store did not write, those used last as the last.
    private func add(_ names: Set<CacheFileName>) throws {
        let found = names.compactMap { name in directory.status(of: name.text).map { (name, $0.size, $0.used) } }
            .sorted { $0.2 < $1.2 }
        for (name, size, _) in found {
            for gone in state.withLock({ $0.files.insert(true, name, byteCount: size) }) {
                try directory.remove(gone.text)
            }
        }
        // What has our names and is no regular file was not made by us.
        for name in names.subtracting(found.map(\.0)) { try directory.remove(name.text) }
    }

    private func removeLeftovers(_ names: [String]) {
        let oldest = now().addingTimeInterval(-Self.temporaryLifetime)
        for name in names where name.hasSuffix(CacheFileName.temporarySuffix) {
            if let status = directory.status(of: name), status.used < oldest { try? directory.remove(name) }
        }
    }

    /// The directory changed by our own doing, so what is known of it is still right. Where another process was at it in
    /// the same moment, its entry is missed until the next change.
    private func noteChange() {
        let changed = try? directory.changed()
        state.withLock { $0.readAt = changed }
    }

    private func tell(_ error: any Error) {
        let isFirst = state.withLock { state in
            defer { state.hasTold = true }
            return !state.hasTold
        }
        if isFirst { onError?(error) }
    }
}
