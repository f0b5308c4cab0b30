/// Who goes first when requests wait for a connection: the higher priority, and within one, the earlier.
public enum RequestPriority: Int, Comparable, Sendable, CaseIterable {
    /// Prefetching, and whatever nobody waits for.
    case low
    /// The usual.
    case normal
    /// What somebody is looking at.
    case high

    /// Lower.
    public static func < (one: RequestPriority, other: RequestPriority) -> Bool { one.rawValue < other.rawValue }
}
