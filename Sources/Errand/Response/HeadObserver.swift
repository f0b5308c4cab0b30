/// Learns the head of what a scheduled request is answered with, on its way to validation.
///
/// The pipeline between a request and its response is the caller's own, and may turn an answer into anything; so the head
/// is told to whoever runs the pipeline, by way of the task.
final class HeadObserver: Sendable {
    /// Who wants to know, in the run that is under way.
    static var current: HeadObserver? { TaskContext.current[HeadObserver.self] }

    private struct State: Sendable {
        var head: ResponseHead?
        var digest: Int?
        /// Whether this is the answer, and not that of an attempt after which another may follow.
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

    /// Guards the latest answer, and who waits for the last.
    private let state = Locked(State())
    private let wantsDigest: Bool
    /// Who else wants to know: what runs a scheduled request may be observed itself.
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

    /// Forgets the head of the previous run, and returns an observer for a new run that reports here.
    ///
    /// Reports of the previous run, which was cancelled, are ignored from now on. If a later run has begun already, the reports of
    /// this run are ignored: all its waiting tasks have left.
    ///
    /// - Parameters:
    ///   - number: The number of the run, which later runs exceed.
    ///   - other: Another observer that the new one reports to.
    func beginRun(_ number: Int, telling other: HeadObserver?) -> HeadObserver {
        state.withLock { state in
            guard number > state.run else { return }
            state.forget()
            state.run = number
            state.isAbandoned = false
        }
        return HeadObserver(run: number, of: self, telling: other.map { [$0] } ?? [])
    }

    /// Forgets the head of the run that this one observes, and ignores its later reports: all its waiting tasks have left.
    func abandonRun() {
        guard let allRuns else { return }
        allRuns.observer.state.withLock { state in
            guard state.run == allRuns.run else { return }
            state.forget()
            state.isAbandoned = true
        }
    }

    /// The head of the last answer; nil when the request was sent again since, and none came.
    var latest: ResponseHead? { state.withLock { $0.head } }

    /// The same for two answers with the same body; nil where it was not asked for.
    var digest: Int? { state.withLock { $0.digest } }

    /// The request has failed.
    ///
    /// - Parameter response: The response to its last attempt, such as a 401 that was followed by a failed token refresh.
    func failed(after response: DataResponse?) {
        let head = response.map(ResponseHead.init)
        note(head, digest: nil)
        if let allRuns { allRuns.observer.note(head, digest: nil, run: allRuns.run) }
        for other in others { other.failed(after: response) }
    }

    /// The request has its response.
    ///
    /// - Parameter isLast: Whether it is known that nothing is sent again after it.
    func received(_ response: DataResponse, isLast: Bool) {
        let head = ResponseHead(response)
        var waiters = note(head, digest: wantsDigest ? Self.digest(of: response.data) : nil, isLast: isLast)
        if let allRuns { waiters += allRuns.observer.note(head, digest: nil, isLast: isLast, run: allRuns.run) }
        for tell in waiters { tell(head) }
        for other in others { other.received(response, isLast: isLast) }
    }

    /// Has a closure called once with the head of the last answer: when that comes, or now.
    ///
    /// - Parameter run: The number of the run that is waited for; a head of an earlier one does not count. `nil` for any.
    /// - Returns: What to ``forget(_:)``.
    func whenAnswered(in run: Int?, _ tell: @escaping @Sendable (ResponseHead) -> Void) -> Int {
        let (ticket, head) = state.withLock { state in
            state.tickets += 1
            let head = state.isLast && run ?? state.run <= state.run ? state.head : nil
            if head == nil { state.waiters[state.tickets] = (run, tell) }
            return (state.tickets, head)
        }
        if let head { tell(head) }
        return ticket
    }

    /// Somebody does not wait for the last answer any more.
    func forget(_ ticket: Int) {
        _ = state.withLock { $0.waiters.removeValue(forKey: ticket) }
    }

    /// - Parameter run: The run that reports; nil for an observer of one run.
    /// - Returns: The closures to call once the lock is released.
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

    /// `Data`'s own hash looks at the first bytes only.
    private static func digest(of data: Data) -> Int {
        var hasher = Hasher()
        data.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
