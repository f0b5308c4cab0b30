package import Foundation

/// A random number generator whose numbers are the same in each run.
package struct SeededChance: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    // SplitMix64.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns the text of some of these tokens, one after the other.
    package mutating func text(of tokens: [String], atMost count: Int) -> Data {
        let chosen = (0..<Int.random(in: 0...count, using: &self)).compactMap { _ in
            tokens.randomElement(using: &self)
        }
        return Data(chosen.joined().utf8)
    }

    /// Splits these bytes into pieces, some of which are empty.
    package mutating func pieces(of data: Data) -> [Data] {
        var pieces: [Data] = []
        var rest = data[...]
        while !rest.isEmpty {
            let count = Int.random(in: 0...min(rest.count, 9), using: &self)
            pieces.append(Data(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return pieces
    }
}
