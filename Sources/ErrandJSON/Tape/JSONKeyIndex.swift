/// The keys of an object with many members, by a hash that a sender cannot predict.
struct JSONKeyIndex {
    private let tape: JSONTape
    /// The indices of keys. Each is at the place that its hash determines, or after it; 0 means no key, since no key is
    /// the first token.
    private var slots: [UInt32]
    /// Whether a key occurs twice. The first one counts.
    private(set) var hasDuplicates = false

    init(_ tape: JSONTape, from first: Int, members: Int) {
        self.tape = tape
        var size = 16
        while size < members * 2 { size *= 2 }
        slots = Array(repeating: 0, count: size)
        var key = first
        for _ in 0..<members {
            let slot = slot(of: tape.text(of: key))
            if slots[slot] == 0 {
                slots[slot] = UInt32(truncatingIfNeeded: key)
            } else {
                hasDuplicates = true
            }
            key = tape.next(after: tape.next(after: key))
        }
    }

    /// Returns the index of a key, or `nil` if the object does not have it.
    func index(of name: UnsafeBufferPointer<UInt8>) -> Int? {
        let key = slots[slot(of: name)]
        return key == 0 ? nil : Int(key)
    }

    /// Returns the slot that has this key, or the free one where it belongs.
    private func slot(of name: UnsafeBufferPointer<UInt8>) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(name))
        let mask = slots.count - 1
        var slot = hasher.finalize() & mask
        while slots[slot] != 0, !tape.key(at: Int(slots[slot]), equals: name) { slot = (slot + 1) & mask }
        return slot
    }
}
