/// Values by key, bounded in what they cost together: what was not used for longest goes first.
///
/// Every operation takes constant time, but for the values that have to go.
struct LeastRecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Node: Sendable {
        var value: Value
        var cost: Int
        var older: Key?
        var newer: Key?
    }

    /// The most that all values may cost together.
    let limit: Int
    /// What they cost together.
    private(set) var cost = 0
    private var nodes: [Key: Node] = [:]
    private var oldest: Key?
    private var newest: Key?

    /// Nothing yet; a limit below zero is zero.
    init(limit: Int) {
        self.limit = max(0, limit)
    }

    var count: Int { nodes.count }
    var keys: [Key] { Array(nodes.keys) }

    /// The value for a key, which counts as used.
    mutating func use(_ key: Key) -> Value? {
        guard let node = unlink(key) else { return nil }
        link(key, node.value, cost: node.cost)
        return node.value
    }

    /// The value for a key, without using it.
    func peek(_ key: Key) -> Value? { nodes[key]?.value }

    /// Puts a value in the place of the one that its key had, as the one used last.
    ///
    /// - Returns: The keys of the values that had to go; the new one's own when it costs more than the limit alone.
    mutating func insert(_ value: Value, for key: Key, cost: Int) -> [Key] {
        remove(key)
        let cost = max(0, cost)
        guard cost <= limit else { return [key] }
        var evicted: [Key] = []
        while self.cost > limit - cost, let oldest {
            remove(oldest)
            evicted.append(oldest)
        }
        link(key, value, cost: cost)
        return evicted
    }

    /// Removes the value of a key, if there is one.
    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        unlink(key)?.value
    }

    mutating func removeAll() {
        self = LeastRecentlyUsed(limit: limit)
    }

    private mutating func link(_ key: Key, _ value: Value, cost: Int) {
        nodes[key] = Node(value: value, cost: cost, older: newest)
        if let newest { nodes[newest]?.newer = key }
        newest = key
        oldest = oldest ?? key
        self.cost += cost
    }

    private mutating func unlink(_ key: Key) -> Node? {
        guard let node = nodes.removeValue(forKey: key) else { return nil }
        if let older = node.older { nodes[older]?.newer = node.newer } else { oldest = node.newer }
        if let newer = node.newer { nodes[newer]?.older = node.older } else { newest = node.older }
        cost -= node.cost
        return node
    }
}
