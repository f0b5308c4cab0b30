/// The bytes of one run: the first few say how the rest is used.
struct FuzzInput {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        rest = Array(bytes)[...]
    }

    /// Returns the next byte as a number; 0 after the last one.
    mutating func number() -> Int {
        rest.popFirst().map(Int.init) ?? 0
    }

    /// The remaining bytes.
    var data: Data { Data(rest) }

    /// The remaining bytes as text.
    var text: String { String(decoding: rest, as: UTF8.self) }

    /// The remaining bytes, in pieces whose sizes a number decides: the same number gives the same sizes.
    func pieces(_ seed: Int) -> [Data] {
        var pieces: [Data] = []
        var rest = rest
        var state = UInt32(truncatingIfNeeded: seed)
        while !rest.isEmpty {
            state = state &* 1_664_525 &+ 1_013_904_223
            let size = Int(state >> 28)
            pieces.append(Data(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return pieces
    }

    /// The remaining bytes as texts, each of which a zero byte ends.
    var fields: [ArraySlice<UInt8>] { rest.split(separator: 0, omittingEmptySubsequences: false) }
}
