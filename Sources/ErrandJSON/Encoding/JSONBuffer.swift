/// Bytes of JSON that grow at their end.
struct JSONBuffer {
    private(set) var bytes: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity: Int
    /// The slash if slashes are escaped; otherwise the backslash, which is always escaped.
    private let slash: UInt8

    init(capacity: Int, escapesSlashes: Bool) {
        self.capacity = capacity
        bytes = JSONMemory.resized(nil, to: capacity)
        slash = escapesSlashes ? UInt8(ascii: "/") : UInt8(ascii: "\\")
    }

    func deallocate() { free(bytes) }

    /// Returns the bytes. The buffer is empty afterwards, and is only to be deallocated.
    mutating func take() -> Data {
        // A program may keep many small documents, so a small one releases its unused memory. The unused memory of a
        // large document was mostly never written, and costs nothing.
        let taken = count < 16_384 ? JSONMemory.resized(bytes, to: max(count, 1)) : bytes
        defer { self = JSONBuffer(capacity: 1, escapesSlashes: false) }
        return Data(bytesNoCopy: taken, count: count, deallocator: .free)
    }

    /// Makes room for a number of bytes.
    @inline(__always)
    mutating func reserve(_ length: Int) {
        if count &+ length > capacity { grow(length) }
    }

    @inline(never)
    private mutating func grow(_ length: Int) {
        capacity = max(capacity * 2, count + length)
        bytes = JSONMemory.resized(bytes, to: capacity)
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        bytes[count] = byte
        count &+= 1
    }

    /// Appends a comma, unless an array or object has just begun.
    @inline(__always)
    mutating func appendComma() {
        // The opening brackets differ in one bit. After a bracket inside a string, the last byte is a quote.
        if bytes[count &- 1] | 0x20 != UInt8(ascii: "{") { append(UInt8(ascii: ",")) }
    }

    @inline(__always)
    mutating func append(_ source: UnsafePointer<UInt8>, _ length: Int) {
        reserve(length)
        memcpy(bytes + count, source, length)
        count &+= length
    }

    mutating func append(literal: StaticString) {
        append(literal.utf8Start, literal.utf8CodeUnitCount)
    }

    /// Returns a hash of some of the bytes, which are a key. It is used to find keys that occur twice. It need not
    /// withstand an attack: keys from outside come from a dictionary, in which each key occurs once.
    @inline(__always)
    mutating func hash(from start: Int, length: Int) -> UInt64 {
        // Eight bytes are read at once, the last of which may be after the end.
        reserve(8)
        var hash = UInt64(truncatingIfNeeded: length)
        var at = 0
        while at < length {
            var word = JSONBytes.eightBytes(bytes + start + at)
            if length &- at < 8 { word &= 1 &<< (8 &* UInt64(truncatingIfNeeded: length &- at)) &- 1 }
            // The factor is 2^64 divided by the golden ratio, which mixes all bits into the upper ones.
            hash = (hash ^ word ^ word &>> 29) &* 0x9E37_79B9_7F4A_7C15
            at &+= 8
        }
        return hash
    }

    /// Removes what was appended after a length.
    mutating func truncate(to length: Int) { count = length }

    // MARK: Values

    @inline(__always)
    mutating func append(_ value: some FixedWidthInteger) {
        if value.bitWidth > 64 { return appendText("\(value)") }
        reserve(20)
        if value < 0 {
            bytes[count] = UInt8(ascii: "-")
            count &+= 1
        }
        count &+= JSONNumberText.write(UInt64(truncatingIfNeeded: value.magnitude), to: bytes + count)
    }

    /// Appends a finite number.
    @inline(__always)
    mutating func append(_ value: Double, _ powers: PowersOfFive) {
        reserve(JSONNumberText.capacity)
        count &+= JSONNumberText.write(value, to: bytes + count, powers)
    }

    /// Appends a finite number.
    mutating func append(_ value: Float) {
        let text = "\(value)"
        appendText(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    /// Appends characters without escaping them.
    mutating func appendText(_ text: String) {
        var text = text
        text.withUTF8 { source in
            if let start = source.baseAddress { append(start, source.count) }
        }
    }

    /// Appends a string in quotes, and escapes the characters that JSON requires to be escaped.
    @inline(__always)
    mutating func append(_ string: String) {
        var string = string
        string.withUTF8 { appendString($0) }
    }

    private mutating func appendString(_ source: UnsafeBufferPointer<UInt8>) {
        // Room for both quotes.
        reserve(source.count &+ 2)
        bytes[count] = UInt8(ascii: "\"")
        count &+= 1
        if let start = source.baseAddress { appendEscaped(start, source.count) }
        bytes[count] = UInt8(ascii: "\"")
        count &+= 1
    }

    /// Appends the characters of a string, eight at a time up to the next one that must be escaped.
    private mutating func appendEscaped(_ source: UnsafePointer<UInt8>, _ length: Int) {
        var at = 0
        while at < length {
            var target = bytes + count
            while at &+ 8 <= length {
                let word = JSONBytes.eightBytes(source + at)
                UnsafeMutableRawPointer(target).storeBytes(of: word.littleEndian, as: UInt64.self)
                let plain = JSONBytes.marksOfEscapes(word, slash: slash).trailingZeroBitCount &>> 3
                at &+= plain
                target += plain
                if plain < 8 { break }
            }
            count = target - bytes
            // The next byte is special, or there are fewer than eight.
            while at < length {
                let byte = source[at]
                at &+= 1
                if byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == slash {
                    escape(byte, rest: length &- at)
                    break
                }
                bytes[count] = byte
                count &+= 1
            }
        }
    }

    /// Appends a byte that must be escaped.
    ///
    /// - Parameter rest: The number of bytes of the string after this one.
    private mutating func escape(_ byte: UInt8, rest: Int) {
        // Reserves room for the escape, and again the room for the rest of the string.
        reserve(rest &+ 16)
        bytes[count] = UInt8(ascii: "\\")
        let letter: UInt8
        switch byte {
        case 0x08: letter = UInt8(ascii: "b")
        case 0x09: letter = UInt8(ascii: "t")
        case 0x0A: letter = UInt8(ascii: "n")
        case 0x0C: letter = UInt8(ascii: "f")
        case 0x0D: letter = UInt8(ascii: "r")
        case 0x20...: letter = byte
        default:
            let digits: StaticString = "0123456789abcdef"
            bytes[count + 1] = UInt8(ascii: "u")
            bytes[count + 2] = UInt8(ascii: "0")
            bytes[count + 3] = UInt8(ascii: "0")
            bytes[count + 4] = digits.utf8Start[Int(byte >> 4)]
            bytes[count + 5] = digits.utf8Start[Int(byte & 15)]
            count &+= 6
            return
        }
        bytes[count + 1] = letter
        count &+= 2
    }
}
