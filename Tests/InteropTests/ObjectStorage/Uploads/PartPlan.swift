/// The ranges of the parts of an upload.
struct PartPlan: Hashable, Sendable {
    /// The minimum size of a part in bytes, except for the last: 5 MiB.
    static let minimumSize = 5 << 20
    /// The maximum number of parts of an upload.
    static let maximumCount = 10_000

    /// The bytes of each part, in order. A source without bytes has one part without bytes.
    let ranges: [Range<Int>]

    /// Creates parts of this size, or of a larger one if it is too small or there would be too many parts.
    init(byteCount: Int, partSize: Int) {
        let byteCount = max(byteCount, 0)
        let (quotient, rest) = byteCount.quotientAndRemainder(dividingBy: Self.maximumCount)
        let size = max(partSize, Self.minimumSize, quotient + (rest > 0 ? 1 : 0))
        let starts = byteCount == 0 ? [0] : Array(stride(from: 0, to: byteCount, by: size))
        ranges = starts.map { $0..<($0 + min(size, byteCount - $0)) }
    }
}
