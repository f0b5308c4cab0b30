/// Keeps answers in memory, for as long as it lives.
public final class MemoryCacheStore: CacheStore {
    private struct Name: CacheName {
        let key: CacheKey
        let variant: String
        var group: String { key.resource }
    }

    private let state: Locked<CacheIndex<Name, CacheEntry>>
    private let maximumEntryBytes: Int

    /// An empty store.
    ///
    /// - Parameters:
    ///   - maximumBytes: The most bytes that all entries together take; 16 MiB by default, and nothing is stored for zero
    ///     or less. What was not used for longest goes first.
    ///   - maximumEntryBytes: The most bytes that one entry takes; an eighth of the whole by default. A larger one is not
    ///     stored.
    public init(maximumBytes: Int = 16 << 20, maximumEntryBytes: Int? = nil) {
        self.maximumEntryBytes = maximumEntryBytes ?? maximumBytes / 8
        state = Locked(CacheIndex(maximumBytes: maximumBytes))
    }

    /// About how many bytes the entries take now.
    public var byteCount: Int { state.withLock { $0.byteCount } }

    /// Every entry of a key.
    public func entries(for key: CacheKey) async -> [CacheEntry] {
        state.withLock { index in
            index.names(in: key.resource).filter { $0.key == key }.compactMap { index.use($0) }
        }
    }

    /// Stores an entry, unless it is too large.
    public func store(_ entry: CacheEntry, for key: CacheKey) async {
        let name = Name(key: key, variant: entry.variant)
        let byteCount = entry.byteCount
        guard byteCount <= maximumEntryBytes else { return state.withLock { $0.remove(name) } }
        state.withLock { _ = $0.insert(entry, name, byteCount: byteCount) }
    }

    /// Removes the entry of one variant.
    public func removeEntry(ofVariant variant: String, for key: CacheKey) async {
        state.withLock { $0.remove(Name(key: key, variant: variant)) }
    }

    /// Removes everything of a resource.
    public func removeEntries(ofResource resource: String) async {
        state.withLock { index in
            for name in index.names(in: resource) { index.remove(name) }
        }
    }

    /// Removes everything.
    public func removeAll() async {
        state.withLock { $0.removeAll() }
    }
}
