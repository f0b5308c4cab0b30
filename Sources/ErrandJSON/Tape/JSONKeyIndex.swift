/// The keys of an object with many members, by a hash that a sender cannot predict.
struct JSONKeyIndex {
    private let tape: JSONTape
    /// The indices of keys. Each is in the slot that its hash determines, or in the next free one; 0 means no key,
    /// since no key is the first token. The number of slots is a power of two, of which at most half are used.
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

/// The keys of an object by the names that a strategy gives them, found by a hash that a sender cannot predict.
///
/// It stores no names, which would need much more memory than the document. A name is converted again for each
/// comparison.
struct ConvertedKeyIndex {
    /// The indices of keys. They are placed as in ``JSONKeyIndex``, by the hashes of their names.
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

    /// Returns the slot of the key with this name, or the free one where it belongs.
    private func slot(of searched: String, _ name: (Int) -> String) -> Int {
        let mask = slots.count - 1
        var slot = searched.hashValue & mask
        while slots[slot] != 0, name(Int(slots[slot])) != searched { slot = (slot + 1) & mask }
        return slot
    }
}

extension JSONTape {
    /// The maximum number of members that are searched one by one. Larger objects are searched by a hash.
    static let fewMembers = 32

    /// One of 64 bits, chosen by a hash of the length and the first eight bytes of a key.
    @inline(__always)
    func keyBit(of key: Int) -> UInt64 {
        let text = text(of: key)
        let length = UInt64(truncatingIfNeeded: text.count)
        var word: UInt64 = 0
        // A text always has eight bytes that can be read: it is long, or in the tokenizer's memory.
        if self[key].kind == .text || self[key].high &+ 8 <= end {
            word = JSONBytes.eightBytes(text.baseAddress.unsafelyUnwrapped)
            if length < 8 { word &= (1 &<< (8 &* length)) &- 1 }
        } else {
            for index in 0..<min(text.count, 8) { word |= UInt64(text[index]) &<< UInt64(8 &* index) }
        }
        word ^= length &<< 56
        // The factor is 2^64 divided by the golden ratio. The upper six bits choose one of 64 bits.
        return 1 &<< (((word ^ word &>> 29) &* 0x9E37_79B9_7F4A_7C15) &>> 58)
    }

    /// Whether one of the first members of an object has the same key.
    func hasDuplicate(of key: Int, among members: Int, from first: Int) -> Bool {
        let text = text(of: key)
        var other = first
        for _ in 0..<members {
            if Self.equal(self.text(of: other), text) { return true }
            other = next(after: next(after: other))
        }
        return false
    }
}
