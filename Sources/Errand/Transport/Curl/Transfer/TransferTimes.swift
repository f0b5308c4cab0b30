#if canImport(CCurl)
/// When a transfer was begun, when something last happened, and when it has to end, in nanoseconds of ``Monotonic``.
struct TransferTimes {
    /// How long nothing may happen.
    let idleLimit: UInt64
    private(set) var submitted: UInt64 = 0
    /// When the hop that is under way was given to libcurl.
    private(set) var started: UInt64 = 0
    private(set) var lastActivity: UInt64 = 0
    /// When all of it has to be over.
    private(set) var deadline = UInt64.max
    /// Since when the answer is complete, and only the rest of the request goes on.
    private(set) var completed: UInt64?
    /// Whether the reader of the body has no room. No time limit but that of the whole applies then.
    var isPausedByReader = false
    /// Whether the body of a redirect is read, which has the idle limit for all of it.
    var isReadingRedirect = false

    /// How long a request may go on being sent after its answer is complete, while nothing of it is taken: 1 second.
    static let earlyAnswerGrace: UInt64 = 1_000_000_000

    init(idleLimit: UInt64) {
        self.idleLimit = idleLimit
    }

    mutating func submit(_ now: UInt64, totalLimit: UInt64) {
        submitted = now
        lastActivity = now
        deadline = now.addingReportingOverflow(totalLimit).overflow ? .max : now + totalLimit
    }

    mutating func start(_ now: UInt64) {
        started = now
        lastActivity = now
        completed = nil
        isReadingRedirect = false
    }

    /// Something happened.
    mutating func touch(_ now: UInt64) {
        if !isReadingRedirect { lastActivity = now }
        if completed != nil { completed = now }
    }

    /// The answer is complete, and the request is not.
    mutating func complete(_ now: UInt64) {
        completed = completed ?? now
    }

    /// When a running transfer has to end unless something happens.
    var next: UInt64 {
        if let completed { return min(deadline, completed + Self.earlyAnswerGrace) }
        return isPausedByReader ? deadline : min(deadline, idleEnd(since: lastActivity))
    }

    /// When a transfer has to end that waits for a connection.
    ///
    /// - Parameter moved: When one of those that wait for the same origin was last let through.
    func next(waitingSince moved: UInt64) -> UInt64 {
        min(deadline, idleEnd(since: max(lastActivity, moved)))
    }

    private func idleEnd(since start: UInt64) -> UInt64 {
        let end = start.addingReportingOverflow(idleLimit)
        return end.overflow ? .max : end.partialValue
    }
}
#endif
