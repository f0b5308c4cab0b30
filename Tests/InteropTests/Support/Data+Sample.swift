import Errand

extension Data {
    /// This many bytes, in which no block equals its neighbors.
    ///
    /// The repeated sequence has a prime number of bytes, so that it fits no buffer size.
    static func sample(_ count: Int) -> Data {
        let block = Data((0..<65_521).map { UInt8(truncatingIfNeeded: $0 ^ ($0 >> 8) &* 7) })
        var data = Data(capacity: count)
        while data.count < count { data += block.prefix(count - data.count) }
        return data
    }
}
