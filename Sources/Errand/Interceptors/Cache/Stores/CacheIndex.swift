/// The index of a store, by name and by group, with a limit in bytes. The least recently used values are removed first.
struct CacheIndex<Name: CacheName, Value: Sendable>: Sendable {
    private var values: LeastRecentlyUsed<Name, Value>
    private var groups: [String: Set<Name>] = [:]

    init(maximumBytes: Int) {
        values = LeastRecentlyUsed(limit: maximumBytes)
    }

    /// The total size in bytes.
    var byteCount: Int { values.cost }
    var names: [Name] { values.keys }

    func names(in group: String) -> Set<Name> { groups[group] ?? [] }

    /// Returns the value of this name, and marks it as used.
    mutating func use(_ name: Name) -> Value? { values.use(name) }

    /// Inserts a value, or replaces the value of its name.
    ///
    /// - Returns: The names of the values that were removed. If the new value alone exceeds the limit, its own name.
    mutating func insert(_ value: Value, _ name: Name, byteCount: Int) -> [Name] {
        groups[name.group, default: []].insert(name)
        let gone = values.insert(value, for: name, cost: byteCount)
        for name in gone { leaveGroup(name) }
        return gone
    }

    mutating func remove(_ name: Name) {
        values.remove(name)
        leaveGroup(name)
    }

    mutating func removeAll() {
        values.removeAll()
        groups = [:]
    }

    private mutating func leaveGroup(_ name: Name) {
        groups[name.group]?.remove(name)
        if groups[name.group]?.isEmpty == true { groups[name.group] = nil }
    }
}

/// The name of a stored value.
protocol CacheName: Hashable, Sendable {
    /// The common group of all values of one resource.
    var group: String { get }
}
