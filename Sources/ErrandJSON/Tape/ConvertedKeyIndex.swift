/// The keys of an object by the names that a strategy gives them, found by a hash that a sender cannot predict.
///
/// It stores no names, which would need much more memory than the document. A name is converted again for each
/// comparison.
struct ConvertedKeyIndex {
    /// The indices of keys. Each is at the place that the hash of its name determines, or after it; 0 means no key.
    private var slots: [UInt32]

    /// - Parameter name: Returns the name of a key.
    init(_ tape: JSONTape, _ object: Int, name: (Int) -> String) {
        var size = 16
        while size < tape[object].length * 2 { size *= 2 }
        slots = Array(repeating: 0, count: size)
        var key = tape.firstChild(of: object)
        while key < tape[object].high {
            // Of two keys with one name, the first counts.
            let slot = slot(of: name(key), name)
            if slots[slot] == 0 { slots[slot] = UInt32(truncatingIfNeeded: key) }
            key = tape.next(after: tape.next(after: key))
        }
    }

    /// Returns the index of the key with a name, or `nil` if the object does not have it.
    func index(of searched: String, name: (Int) -> String) -> Int? {
        let key = slots[slot(of: searched, name)]
        return key == 0 ? nil : Int(key)
    }

    private func slot(of searched: String, _ name: (Int) -> String) -> Int {
        let mask = slots.count - 1
        var slot = searched.hashValue & mask
        while slots[slot] != 0, name(Int(slots[slot])) != searched { slot = (slot + 1) & mask }
        return slot
    }
}
