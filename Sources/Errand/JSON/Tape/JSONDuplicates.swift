extension JSONTape {
    /// Objects with more members are looked up by a hash.
    static let fewMembers = 32

    /// Whether an object has a key twice. Its end need not be known yet.
    ///
    /// - Parameters:
    ///   - first: The index of its first key.
    ///   - members: How many members it has; two or more.
    func hasDuplicates(from first: Int, members: Int) -> Bool {
        guard members <= Self.fewMembers else { return JSONKeyIndex(self, from: first, members: members).hasDuplicates }
        var seen: UInt64 = 0
        var hasEscapes = false
        var key = first
        for member in 0..<members {
            let token = self[key]
            hasEscapes = hasEscapes || token.isMarked
            let bit = 1 &<< (signature(of: token) &>> 58)
            if seen & bit != 0, has(key, among: member, from: first) { return true }
            seen |= bit
            key = next(after: next(after: key))
        }
        // The same key can be written with and without escapes.
        return hasEscapes && JSONKeyIndex(self, from: first, members: members).hasDuplicates
    }

    /// A hash of the length and the first eight bytes.
    @inline(__always)
    private func signature(of key: JSONToken) -> UInt64 {
        let length = UInt64(truncatingIfNeeded: key.length)
        var word: UInt64 = 0
        if key.high &+ 8 <= end {
            word = JSONBytes.eightBytes(bytes + key.high)
            if length < 8 { word &= (1 &<< (8 &* length)) &- 1 }
        } else {
            for index in 0..<min(key.length, 8) { word |= UInt64(bytes[key.high + index]) &<< UInt64(8 &* index) }
        }
        word ^= length &<< 56
        return (word ^ word &>> 29) &* 0x9E37_79B9_7F4A_7C15
    }

    private func has(_ key: Int, among count: Int, from first: Int) -> Bool {
        let text = text(of: key)
        var other = first
        for _ in 0..<count {
            if Self.equal(self.text(of: other), text) { return true }
            other = next(after: next(after: other))
        }
        return false
    }
}
