/// The storage of the responses of an ``HTTPCache``.
///
/// A store never fails a request. An entry that it cannot read counts as missing, and one that it cannot write is not
/// stored. Its size is limited, and it may discard any entry. ``MemoryCacheStore`` and ``DiskCacheStore`` are stores.
/// The methods of a custom store may be called from many tasks at the same time.
public protocol CacheStore: Sendable {
    /// Returns all entries of a key: one for each variant, in any order.
    func entries(for key: CacheKey) async -> [CacheEntry]
    /// Stores an entry, or replaces the one of the same key and variant. If this fails, the old entry is removed too.
    func store(_ entry: CacheEntry, for key: CacheKey) async
    /// Removes the entry of one variant.
    func removeEntry(ofVariant variant: String, for key: CacheKey) async
    /// Removes all entries of a resource, in every partition.
    func removeEntries(ofResource resource: String) async
    /// Removes all entries.
    func removeAll() async
}
