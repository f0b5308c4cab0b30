/// The claims of running work on keys, which decide whether its results may be stored.
///
/// Code that invalidates a key's value revokes the claims on the key. Results of work that began before that are not
/// stored.
struct Claims<Key: Hashable & Sendable>: Sendable {
    private var keys: [Int: Key] = [:]
    private var begun = 0

    /// Begins work on a key's value and returns its claim.
    mutating func begin(_ key: Key) -> Int {
        begun += 1
        keys[begun] = key
        return begun
    }

    /// Returns `true` if the claim was not revoked.
    func isValid(_ claim: Int) -> Bool { keys[claim] != nil }

    /// Ends the work and returns `true` if the claim was not revoked.
    mutating func end(_ claim: Int) -> Bool { keys.removeValue(forKey: claim) != nil }

    /// Revokes all claims on a key.
    mutating func revoke(_ key: Key) {
        keys = keys.filter { $0.value != key }
    }

    mutating func revokeAll() {
        keys = [:]
    }
}
