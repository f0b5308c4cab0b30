/// Where the parts of an upload begin and end.
struct PartPlan: Hashable, Sendable {
    /// The least bytes that a part may have, the last one aside: 5 MiB.
    static let minimumSize = 5 << 20
    /// The most parts that an upload may have.
    static let maximumCount = 10_000

    /// The bytes of each part, in order. A source without bytes has one part without bytes.
    let ranges: [Range<Int>]

    /// Parts of this size; of a larger one where it is too small, or where there would be too many.
    init(byteCount: Int, partSize: Int) {
        let byteCount = max(byteCount, 0)
        let (quotient, rest) = byteCount.quotientAndRemainder(dividingBy: Self.maximumCount)
        let size = max(partSize, Self.minimumSize, quotient + (rest > 0 ? 1 : 0))
        let starts = byteCount == 0 ? [0] : Array(stride(from: 0, to: byteCount, by: size))
        ranges = starts.map { $0..<($0 + min(size, byteCount - $0)) }
    }
}
