/// Reads the characters of JSON texts, eight bytes at a time where possible.
enum JSONBytes {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// Returns eight bytes as a number, the first as its lowest byte.
    @inline(__always)
    static func eightBytes(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
    }

    /// Marks, with its highest bit, each byte that is a quote, a backslash, a control character or not ASCII.
    ///
    /// A byte after the first that is marked may be marked by mistake, because of the borrow of a subtraction.
    @inline(__always)
    static func marks(_ word: UInt64) -> UInt64 {
        // A byte of `quotes` is 0 if the character is a quote. The subtraction then sets its highest bit.
        let quotes = word ^ (ones &* 0x22)
        let backslashes = word ^ (ones &* 0x5C)
        let found = (quotes &- ones) | (backslashes &- ones) | (word &- ones &* 0x20)
        return (found | word) & highs
    }

    /// Returns the offset of the first byte that is a quote, a backslash, a control character or not ASCII, or `end`.
    @inline(__always)
    static func endOfPlainText(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
        var at = start
        while at &+ 8 <= end {
            let found = marks(eightBytes(bytes + at))
            if found != 0 { return at &+ found.trailingZeroBitCount &>> 3 }
            at &+= 8
        }
        while at < end {
            let byte = bytes[at]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C || byte >= 0x80 { return at }
            at &+= 1
        }
        return at
    }

    /// Copies bytes up to the first one that is a quote, a backslash, a control character or not ASCII, and returns its
    /// offset.
    ///
    /// - Parameter target: Must have room for eight bytes more than are copied.
    @inline(__always)
    static func copyPlainText(
        _ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int, _ target: UnsafeMutablePointer<UInt8>
    ) -> Int {
        var at = start
        while at &+ 8 <= end {
            let word = eightBytes(bytes + at)
            UnsafeMutableRawPointer(target + (at &- start)).storeBytes(of: word.littleEndian, as: UInt64.self)
            let found = marks(word)
            if found != 0 { return at &+ found.trailingZeroBitCount &>> 3 }
            at &+= 8
        }
        let plain = endOfPlainText(bytes, from: at, to: end)
        (target + (at &- start)).update(from: bytes + at, count: plain &- at)
        return plain
    }

    /// Marks, with its highest bit, each byte that must be escaped in a string: a quote, a backslash, a control
    /// character, and the byte `slash`, which is a backslash if slashes are not escaped. A byte after the first that is
    /// marked may be marked by mistake.
    @inline(__always)
    static func marksOfEscapes(_ word: UInt64, slash: UInt8) -> UInt64 {
        let quotes = word ^ (ones &* 0x22)
        let backslashes = word ^ (ones &* 0x5C)
        let slashes = word ^ (ones &* UInt64(slash))
        let found = (quotes &- ones) | (backslashes &- ones) | (slashes &- ones) | (word &- ones &* 0x20)
        return found & ~word & highs
    }

    /// Returns the offset after white space. The usual white space is a line break with an indentation, which is read
    /// fastest.
    @inline(__always)
    static func endOfWhiteSpace(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
        var at = start
        while at < end {
            if bytes[at] == 0x0A { at &+= 1 }
            while at &+ 8 <= end {
                let others = eightBytes(bytes + at) ^ (ones &* 0x20)
                if others != 0 {
                    at &+= others.trailingZeroBitCount &>> 3
                    if bytes[at] > 0x20 { return at }
                    break
                }
                at &+= 8
            }
            while at < end, bytes[at] == 0x20 || bytes[at] == 0x09 || bytes[at] == 0x0D { at &+= 1 }
            guard at < end, bytes[at] == 0x0A else { return at }
        }
        return at
    }

    /// Returns the offset after a run of valid UTF-8 sequences of two to four bytes (Unicode 16, table 3-7). An offset
    /// whose byte is not ASCII is that of an invalid sequence.
    @inline(__always)
    static func endOfNonASCII(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
        func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
        var at = start
        while at < end, bytes[at] >= 0x80 {
            let first = bytes[at]
            if first < 0xE0 {
                guard first >= 0xC2, at &+ 1 < end, isContinuation(bytes[at &+ 1]) else { return at }
                at &+= 2
            } else if first < 0xF0 {
                guard at &+ 2 < end, isContinuation(bytes[at &+ 1]), isContinuation(bytes[at &+ 2]) else { return at }
                // The scalar without its last six bits. It is neither too small for three bytes nor a surrogate.
                let leading = UInt32(first & 0xF) &<< 6 | UInt32(bytes[at &+ 1] & 0x3F)
                guard leading >= 0x20, leading &>> 5 != 0x1B else { return at }
                at &+= 3
            } else {
                guard first < 0xF5, at &+ 3 < end, isContinuation(bytes[at &+ 1]), isContinuation(bytes[at &+ 2]),
                    isContinuation(bytes[at &+ 3])
                else { return at }
                // The scalar without its last twelve bits, which is from 0x10 to 0x10F.
                let leading = UInt32(first & 7) &<< 6 | UInt32(bytes[at &+ 1] & 0x3F)
                guard leading >= 0x10, leading < 0x110 else { return at }
                at &+= 4
            }
        }
        return at
    }

    /// Whether four bytes are hexadecimal digits.
    @inline(__always)
    static func areHexadecimal(_ digits: UnsafePointer<UInt8>) -> Bool {
        let ones: UInt32 = 0x0101_0101
        let word = UnsafeRawPointer(digits).loadUnaligned(as: UInt32.self)
        let lowercased = word | ones &* 0x20
        // The first sum sets the highest bit of a byte that is at least `0`, the second one that of a byte greater than
        // `9`.
        let areDigits = (word &+ ones &* 0x50) & ~(word &+ ones &* 0x46)
        // The same for `a` and `f`.
        let areLetters = (lowercased &+ ones &* 0x1F) & ~(lowercased &+ ones &* 0x19)
        let highs = ones &* 0x80
        return (areDigits | areLetters) & ~word & highs == highs
    }

    /// Returns the value of four hexadecimal digits.
    @inline(__always)
    static func hexadecimal(_ digits: UnsafePointer<UInt8>) -> UInt32 {
        let word = UInt32(littleEndian: UnsafeRawPointer(digits).loadUnaligned(as: UInt32.self))
        // The low half of a digit is its value, and that of a letter is 9 less.
        let value = (word & 0x0F0F_0F0F) &+ 9 &* ((word &>> 6) & 0x0101_0101)
        // The first digit is in the lowest byte.
        return (value & 0xF) &<< 12 | (value & 0xF00) | (value &>> 12) & 0xF0 | value &>> 24
    }

    /// Writes a scalar in UTF-8 and returns how many bytes it has.
    @inline(__always)
    static func encode(_ scalar: UInt32, to target: UnsafeMutablePointer<UInt8>) -> Int {
        func byte(_ mark: UInt32, _ shift: UInt32, _ mask: UInt32) -> UInt8 {
            UInt8(truncatingIfNeeded: mark | (scalar &>> shift) & mask)
        }
        if scalar < 0x80 {
            target[0] = byte(0, 0, 0x7F)
            return 1
        }
        if scalar < 0x800 {
            target[0] = byte(0xC0, 6, 0x1F)
            target[1] = byte(0x80, 0, 0x3F)
            return 2
        }
        if scalar < 0x1_0000 {
            target[0] = byte(0xE0, 12, 0x0F)
            target[1] = byte(0x80, 6, 0x3F)
            target[2] = byte(0x80, 0, 0x3F)
            return 3
        }
        target[0] = byte(0xF0, 18, 0x07)
        target[1] = byte(0x80, 12, 0x3F)
        target[2] = byte(0x80, 6, 0x3F)
        target[3] = byte(0x80, 0, 0x3F)
        return 4
    }

    /// Returns the character that a letter after a backslash stands for, or `nil` if JSON does not have this escape
    /// sequence.
    @inline(__always)
    static func character(of letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        default: nil
        }
    }
}
