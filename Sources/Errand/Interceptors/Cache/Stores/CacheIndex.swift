/// What a store has, found by name and by group, and bounded in bytes: what was not used for longest goes first.
struct CacheIndex<Name: CacheName, Value: Sendable>: Sendable {
    private var values: LeastRecentlyUsed<Name, Value>
    private var groups: [String: Set<Name>] = [:]

    init(maximumBytes: Int) {
        values = LeastRecentlyUsed(limit: maximumBytes)
    }

    /// The bytes of all of it.
    var byteCount: Int { values.cost }
    var names: [Name] { values.keys }

    func names(in group: String) -> Set<Name> { groups[group] ?? [] }

    func contains(_ name: Name) -> Bool { values.peek(name) != nil }

    /// What has this name, which counts as used.
    mutating func use(_ name: Name) -> Value? { values.use(name) }

    /// Puts something in the place of what its name had.
    ///
    /// - Returns: The names of what had to go.
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

/// The name of something stored.
protocol CacheName: Hashable, Sendable {
    /// What all that is stored for one resource has in common.
    var group: String { get }
}
