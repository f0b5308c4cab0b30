import Errand

extension Data {
    /// So many bytes, in which each thousand has a number of its own: none can take the place of another.
    static func numbered(_ count: Int) -> Data {
        var data = Data(capacity: count + 1_000)
        for number in 0...(count / 1_000) {
            let digits = Data(String(number).utf8)
            data += digits + Data(repeating: UInt8(ascii: "."), count: 1_000 - digits.count)
        }
        return data.prefix(count)
    }
}
