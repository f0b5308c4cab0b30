/// Where an ``HTTPCache`` keeps answers.
///
/// A store never fails a request: what it cannot read is not there, and what it cannot write is not kept. It is bounded,
/// and forgets what it likes. ``MemoryCacheStore`` and ``DiskCacheStore`` are two; a caller may bring another, whose
/// methods may be called from many tasks at once.
public protocol CacheStore: Sendable {
    /// Everything stored for a key: one entry for each variant, in any order.
    func entries(for key: CacheKey) async -> [CacheEntry]
    /// Stores an entry, in place of the one of the same key and variant. Where it cannot, the old one goes too.
    func store(_ entry: CacheEntry, for key: CacheKey) async
    /// Removes the entry of one variant.
    func removeEntry(ofVariant variant: String, for key: CacheKey) async
    /// Removes everything stored for a resource, in every partition.
    func removeEntries(ofResource resource: String) async
    /// Removes everything.
    func removeAll() async
}
