import Errand

extension Data {
    /// Returns this many bytes. Each block of 1,000 bytes begins with its number, so that tests detect swapped blocks.
    static func numbered(_ count: Int) -> Data {
        var data = Data(capacity: count + 1_000)
        for number in 0...(count / 1_000) {
            let digits = Data(String(number).utf8)
            data += digits + Data(repeating: UInt8(ascii: "."), count: 1_000 - digits.count)
        }
        return data.prefix(count)
    }
}
