extension JSONTape {
    /// The maximum number of members that are searched one by one. Larger objects are searched by a hash.
    static let fewMembers = 32

    /// A bit for a hash of the length and the first eight bytes of a key.
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
        return 1 &<< (((word ^ word &>> 29) &* 0x9E37_79B9_7F4A_7C15) &>> 58)
    }

    /// Whether one of the members before a key has the same key.
    func has(_ key: Int, among members: Int, from first: Int) -> Bool {
        let text = text(of: key)
        var other = first
        for _ in 0..<members {
            if Self.equal(self.text(of: other), text) { return true }
            other = next(after: next(after: other))
        }
        return false
    }
}
