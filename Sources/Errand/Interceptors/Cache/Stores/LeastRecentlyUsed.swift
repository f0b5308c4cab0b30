/// A dictionary with a limit on the total cost of its values. When the limit is exceeded, the least recently used
/// values are removed first.
///
/// Every operation on one key takes constant time, apart from the removal of values that exceed the limit.
package struct LeastRecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Node: Sendable {
        var value: Value
        var cost: Int
        var older: Key?
        var newer: Key?
    }

    /// The maximum total cost of the values.
    let limit: Int
    /// The total cost of the values.
    private(set) var cost = 0
    private var nodes: [Key: Node] = [:]
    private var oldest: Key?
    private var newest: Key?

    /// Creates an empty dictionary. A negative limit counts as zero.
    package init(limit: Int) {
        self.limit = max(0, limit)
    }

    var keys: [Key] { Array(nodes.keys) }

    /// Returns the value for a key, and marks it as used.
    mutating func use(_ key: Key) -> Value? {
        guard let node = unlink(key) else { return nil }
        link(key, node.value, cost: node.cost)
        return node.value
    }

    /// Returns the value for a key, without marking it as used.
    package func peek(_ key: Key) -> Value? { nodes[key]?.value }

    /// Inserts a value, or replaces the value of the key, and marks it as used.
    ///
    /// - Returns: The keys of the values that were removed. If the new value alone costs more than the limit, its own
    ///   key.
    @discardableResult
    package mutating func insert(_ value: Value, for key: Key, cost: Int) -> [Key] {
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
    package mutating func remove(_ key: Key) -> Value? {
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
