/// Work under way on behalf of keys, and whether what comes of it may still be kept.
///
/// Whoever makes a key's value out of date revokes its claims: what was asked for before that is not stored after it.
struct Claims<Key: Hashable & Sendable>: Sendable {
    private var keys: [Int: Key] = [:]
    private var begun = 0

    /// Begins work on a key's value.
    mutating func begin(_ key: Key) -> Int {
        begun += 1
        keys[begun] = key
        return begun
    }

    /// Whether nobody revoked the claim.
    func isValid(_ claim: Int) -> Bool { keys[claim] != nil }

    /// Ends the work, and tells whether nobody revoked the claim.
    mutating func end(_ claim: Int) -> Bool { keys.removeValue(forKey: claim) != nil }

    /// Has nothing kept of the work that is under way for a key.
    mutating func revoke(_ key: Key) {
        keys = keys.filter { $0.value != key }
    }

    mutating func revokeAll() {
        keys = [:]
    }
}
