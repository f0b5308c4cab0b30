/// A store that keeps responses in memory.
public final class MemoryCacheStore: CacheStore {
    private struct Name: CacheName {
        let key: CacheKey
        let variant: String
        var group: String { key.resource }
    }

    private let state: Locked<CacheIndex<Name, CacheEntry>>
    private let maximumEntryBytes: Int

    /// Creates an empty store.
    ///
    /// - Parameters:
    ///   - maximumBytes: The maximum total size of the entries in bytes; 16 MiB by default. With zero or less, nothing
    ///     is stored. The least recently used entries are removed first.
    ///   - maximumEntryBytes: The maximum size of one entry in bytes; an eighth of the total by default. A larger entry
    ///     is not stored.
    public init(maximumBytes: Int = 16 << 20, maximumEntryBytes: Int? = nil) {
        self.maximumEntryBytes = maximumEntryBytes ?? maximumBytes / 8
        state = Locked(CacheIndex(maximumBytes: maximumBytes))
    }

    /// The approximate current size of the entries in bytes.
    public var byteCount: Int { state.withLock { $0.byteCount } }

    /// Returns all entries of a key.
    public func entries(for key: CacheKey) async -> [CacheEntry] {
        state.withLock { index in
            index.names(in: key.resource).filter { $0.key == key }.compactMap { index.use($0) }
        }
    }

    /// Stores an entry. An entry that is too large is not stored, and the one that it would replace is removed.
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

    /// Removes all entries of a resource.
    public func removeEntries(ofResource resource: String) async {
        state.withLock { index in
            for name in index.names(in: resource) { index.remove(name) }
        }
    }

    /// Removes all entries.
    public func removeAll() async {
        state.withLock { $0.removeAll() }
    }
}
