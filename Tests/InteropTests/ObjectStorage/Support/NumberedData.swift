import Errand

extension Data {
    /// Returns this number of bytes, in which each thousand has its own number, so that a confusion of two would show.
    static func numbered(_ count: Int) -> Data {
        var data = Data(capacity: count + 1_000)
        for number in 0...(count / 1_000) {
            let digits = Data(String(number).utf8)
            data += digits + Data(repeating: UInt8(ascii: "."), count: 1_000 - digits.count)
        }
        return data.prefix(count)
    }
}
