/// The priority of a request that waits for a connection or at a limit. A higher priority comes first, and within one
/// priority the earlier request.
public enum RequestPriority: Int, Comparable, Sendable, CaseIterable {
    /// For prefetching and other requests whose results are not needed yet.
    case low
    /// For most requests.
    case normal
    /// For a response that the user waits to see.
    case high

    /// Returns `true` if the first priority is lower.
    public static func < (one: RequestPriority, other: RequestPriority) -> Bool { one.rawValue < other.rawValue }
}
