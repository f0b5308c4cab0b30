/// An observer of the response head of a scheduled request, before validation.
///
/// The caller creates the pipeline between a request and its response, which may convert the response to any value. The
/// head is therefore reported through the task context, to the code that runs the pipeline.
final class HeadObserver: Sendable {
    /// The observer of the run in progress.
    static var current: HeadObserver? { TaskContext.current[HeadObserver.self] }

    private struct State: Sendable {
        var head: ResponseHead?
        var digest: Int?
        /// Whether this is the final response, after which no further attempt follows.
        var isLast = false
        /// The closures that wait for the last response, each with the number of its run; `nil` accepts any run.
        var waiters: [Int: (run: Int?, tell: @Sendable (ResponseHead) -> Void)] = [:]
        var tickets = 0
        /// The number of the latest run, for an observer of a response that can run again.
        var run = 0
        /// Whether all tasks that waited for the latest run have left.
        var isAbandoned = false

        mutating func forget() {
            head = nil
            digest = nil
            isLast = false
        }
    }

    /// Guards the latest head and the closures that wait for the last one.
    private let state = Locked(State())
    private let wantsDigest: Bool
    /// Other observers, because the code that runs a scheduled request may itself be observed.
    private let others: [HeadObserver]
    /// The observer of all runs, and the number of the run that this one observes.
    private let allRuns: (observer: HeadObserver, run: Int)?

    init(wantsDigest: Bool = false) {
        self.wantsDigest = wantsDigest
        others = []
        allRuns = nil
    }

    private init(run: Int, of observer: HeadObserver, telling others: [HeadObserver]) {
        wantsDigest = false
        self.others = others
        allRuns = (observer, run)
    }

    /// Discards the head of the previous run, and returns an observer for a new run that reports here.
    ///
    /// Later reports of the previous run, which was cancelled, are ignored. If a later run has already begun, the
    /// reports of this run are ignored, because all its waiting tasks have left.
    ///
    /// - Parameters:
    ///   - number: The number of the run, which increases with each run.
    ///   - other: Another observer to which the new one reports.
    func beginRun(_ number: Int, telling other: HeadObserver?) -> HeadObserver {
        state.withLock { state in
            guard number > state.run else { return }
            state.forget()
            state.run = number
            state.isAbandoned = false
        }
        return HeadObserver(run: number, of: self, telling: other.map { [$0] } ?? [])
    }

    /// Discards the head of the run that this observer observes, and ignores its later reports. All its waiting tasks
    /// have left.
    func abandonRun() {
        guard let allRuns else { return }
        allRuns.observer.state.withLock { state in
            guard state.run == allRuns.run else { return }
            state.forget()
            state.isAbandoned = true
        }
    }

    /// The head of the latest response; `nil` if the request was sent again and has no response yet.
    var latest: ResponseHead? { state.withLock { $0.head } }

    /// A digest that is equal for two responses with the same body; `nil` if no digest was requested.
    var digest: Int? { state.withLock { $0.digest } }

    /// Reports that the request has failed.
    ///
    /// - Parameter response: The response to its last attempt, such as a 401 after which the token refresh failed.
    func failed(after response: DataResponse?) {
        let head = response.map(ResponseHead.init)
        note(head, digest: nil)
        if let allRuns { allRuns.observer.note(head, digest: nil, run: allRuns.run) }
        for other in others { other.failed(after: response) }
    }

    /// Reports that the request has a response.
    ///
    /// - Parameter isLast: Whether it is certain that no further attempt follows.
    func received(_ response: DataResponse, isLast: Bool) {
        let head = ResponseHead(response)
        var waiters = note(head, digest: wantsDigest ? Self.digest(of: response.data) : nil, isLast: isLast)
        if let allRuns { waiters += allRuns.observer.note(head, digest: nil, isLast: isLast, run: allRuns.run) }
        for tell in waiters { tell(head) }
        for other in others { other.received(response, isLast: isLast) }
    }

    /// Calls a closure once with the head of the last response: immediately if it is known, otherwise when it arrives.
    ///
    /// - Parameter run: The number of the run whose head is awaited; heads of earlier runs are ignored. `nil` accepts
    ///   any run.
    /// - Returns: A ticket for ``forget(_:)``.
    func awaitResponse(in run: Int?, _ tell: @escaping @Sendable (ResponseHead) -> Void) -> Int {
        let (ticket, head) = state.withLock { state in
            state.tickets += 1
            let head = state.isLast && run ?? state.run <= state.run ? state.head : nil
            if head == nil { state.waiters[state.tickets] = (run, tell) }
            return (state.tickets, head)
        }
        if let head { tell(head) }
        return ticket
    }

    /// Removes a closure that waits for the last response.
    func forget(_ ticket: Int) {
        _ = state.withLock { $0.waiters.removeValue(forKey: ticket) }
    }

    /// - Parameter run: The run that reports; `nil` for an observer of one run.
    /// - Returns: The closures to call after the lock is released.
    @discardableResult
    private func note(
        _ head: ResponseHead?, digest: Int?, isLast: Bool = false, run: Int? = nil
    ) -> [@Sendable (ResponseHead) -> Void] {
        state.withLock { state in
            if let run, run != state.run || state.isAbandoned { return [] }
            state.head = head
            state.digest = digest
            state.isLast = isLast
            guard isLast else { return [] }
            let told = state.waiters.filter { $0.value.run ?? state.run <= state.run }
            for ticket in told.keys { state.waiters[ticket] = nil }
            return told.values.map(\.tell)
        }
    }

    /// A digest of all bytes; `Data`'s own hash uses only the first bytes.
    private static func digest(of data: Data) -> Int {
        var hasher = Hasher()
        data.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
