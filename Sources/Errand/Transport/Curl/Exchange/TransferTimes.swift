#if canImport(CCurl)
/// The start, last activity and deadlines of a transfer, in nanoseconds of ``Monotonic``. A transfer consists of hops:
/// the request, redirected requests, and repetitions.
struct TransferTimes {
    /// The maximum time without activity.
    let idleLimit: UInt64
    /// The maximum time for the first connection to an origin, including the time in its queue.
    private(set) var connectLimit = UInt64.max
    private(set) var submitted: UInt64 = 0
    /// The time at which the current hop began to wait for a connection, or started without waiting.
    private var queued: UInt64 = 0
    /// The time at which the current hop was given to libcurl.
    private(set) var started: UInt64 = 0
    private(set) var lastActivity: UInt64 = 0
    /// The deadline of the whole transfer.
    private(set) var deadline = UInt64.max
    /// The time at which the response was complete while the request was still being sent, or of the last activity
    /// since then.
    private(set) var completed: UInt64?
    /// Whether the transfer waits for the reader of the body, who has no room, or for the decision about a redirect.
    /// Only the deadline of the whole transfer applies then.
    var isPaused = false
    /// Whether the body of a redirect is being read. The idle limit applies to the whole of that body.
    var isReadingRedirect = false

    /// The time for which a request may continue after its response is complete, if the server accepts none of it: 1
    /// second.
    static let earlyResponseGrace: UInt64 = 1_000_000_000

    /// Returns when the loop must check the deadlines of its transfers again.
    ///
    /// Each check looks at every transfer. With more transfers, the checks have more time between them: a microsecond
    /// for each transfer. The deadlines that pass in this time share a check, so that the cost does not grow with the
    /// square of the number of transfers.
    ///
    /// - Parameters:
    ///   - earliest: The earliest deadline.
    ///   - count: The number of transfers that have not ended.
    static func nextCheck(_ earliest: UInt64, of count: Int, after now: UInt64) -> UInt64 {
        max(earliest, now + UInt64(count) * 1_000)
    }

    init(idleLimit: UInt64) {
        self.idleLimit = idleLimit
    }

    mutating func submit(_ now: UInt64, totalLimit: UInt64, connectLimit: UInt64 = .max) {
        submitted = now
        queued = now
        lastActivity = now
        self.connectLimit = connectLimit
        deadline = Self.end(of: totalLimit, since: now)
    }

    mutating func queue(_ now: UInt64) {
        queued = now
    }

    /// Records that the current hop is given to libcurl.
    ///
    /// - Parameter unreached: The transfer's ``CurlOrigin/unreachedSince``. Waiting for the first connection is not
    ///   activity.
    mutating func start(_ now: UInt64, unreachedSince unreached: UInt64? = nil) {
        started = now
        lastActivity = unreached.map { max(lastActivity, $0) } ?? now
        completed = nil
        isReadingRedirect = false
    }

    /// Records activity.
    mutating func touch(_ now: UInt64) {
        if !isReadingRedirect { lastActivity = now }
        if completed != nil { completed = now }
    }

    /// Records that the response is complete while the request is not.
    mutating func complete(_ now: UInt64) {
        completed = completed ?? now
    }

    /// The time at which a running transfer must end if nothing happens.
    var next: UInt64 {
        if let completed { return min(deadline, completed + Self.earlyResponseGrace) }
        return isPaused ? deadline : min(deadline, Self.end(of: idleLimit, since: lastActivity))
    }

    /// Returns the time at which a transfer that waits for a connection must end.
    ///
    /// - Parameters:
    ///   - moved: The time at which a transfer that waited for the same origin was last started.
    ///   - unreached: The transfer's ``CurlOrigin/unreachedSince``.
    func next(waitingSince moved: UInt64, unreachedSince unreached: UInt64? = nil) -> UInt64 {
        min(
            deadline, Self.end(of: idleLimit, since: max(lastActivity, moved)), connectionEnd(unreachedSince: unreached)
        )
    }

    /// Returns the time until which a transfer waits for the first connection to its origin.
    ///
    /// - Parameter unreached: The transfer's ``CurlOrigin/unreachedSince``.
    func connectionEnd(unreachedSince unreached: UInt64?) -> UInt64 {
        unreached.map { Self.end(of: connectLimit, since: max(queued, $0)) } ?? .max
    }

    /// Returns the time left for opening a connection.
    ///
    /// - Parameter unreached: The transfer's ``CurlOrigin/unreachedSince``.
    func timeToConnect(_ now: UInt64, unreachedSince unreached: UInt64?) -> UInt64 {
        let end = connectionEnd(unreachedSince: unreached)
        if end == .max { return connectLimit }
        return end > now ? end - now : 0
    }

    /// Returns the limit that has passed.
    ///
    /// - Parameter patience: If the transfer waits for a connection, that of its origin.
    func passedLimit(_ now: UInt64, _ patience: CurlPool.Patience?) -> TimeoutReason.Limit {
        if now >= deadline { return .total(.nanoseconds(Int64(clamping: deadline - submitted))) }
        if let patience, now >= connectionEnd(unreachedSince: patience.unreachedSince) {
            return .connecting(.nanoseconds(Int64(clamping: connectLimit)))
        }
        return .idle(.nanoseconds(Int64(clamping: idleLimit)))
    }

    private static func end(of limit: UInt64, since start: UInt64) -> UInt64 {
        let end = start.addingReportingOverflow(limit)
        return end.overflow ? .max : end.partialValue
    }
}
#endif
