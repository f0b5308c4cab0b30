/// The state machine of ``TokenAuthentication``: every event returns what is to be done once the lock is released.
///
/// A flight first asks the provider what it has by now, and refreshes only what is still as bad as its waiters found it:
/// so a request that was refused with an older token starts no refresh of a newer one.
///
/// A flight that nobody waits for any more is cancelled, and has not landed before the provider has come back: whoever
/// comes meanwhile waits for the next one.
struct RefreshState: Sendable {
    typealias Waiter = Promise<AccessToken, any Error>
    typealias Outcome = Result<AccessToken, any Error>

    enum Action {
        case none
        /// Begin a flight of this number, on the ways that its waiters are on.
        case start(Int, Set<Passage>)
        case cancel(Task<Void, Never>)
        case resolve([Waiter], Outcome)
        /// Get a new token in place of this one; the flight goes on.
        case refresh(AccessToken?)
    }

    private enum Phase {
        case idle
        case starting
        case flying(Task<Void, Never>)
        /// Given up, while the provider has not come back.
        case abandoned
    }

    private struct Waiting {
        let waiter: Waiter
        let refused: AccessToken?
        let passages: Set<Passage>
    }

    private var phase = Phase.idle
    /// Which flight is under way, or was last; one of another number is over, though its call may go on.
    private var flight = 0
    private var waiters: [Int: Waiting] = [:]
    private var joined = 0
    /// What the server has refused while nobody could wait for another.
    private var knownBad: AccessToken?

    var waiterCount: Int { waiters.count }

    /// Whether a request can be sent with this token, as far as is known here.
    func allows(_ token: AccessToken) -> Bool {
        guard case .idle = phase else { return false }
        return !token.isSame(as: knownBad)
    }

    /// Somebody waits for a token.
    ///
    /// - Parameters:
    ///   - refused: What the server has refused; nil when nothing was sent yet.
    ///   - passages: The ways that it is on.
    mutating func join(
        _ waiter: Waiter, refused: AccessToken?, passages: Set<Passage> = []
    ) -> (ticket: Int, action: Action) {
        joined += 1
        waiters[joined] = Waiting(waiter: waiter, refused: refused, passages: passages)
        guard case .idle = phase else { return (joined, .none) }
        return (joined, begin())
    }

    /// The server has refused a token, but the request cannot be sent again: the next one has to see to it.
    mutating func remember(refused token: AccessToken) {
        knownBad = token
    }

    mutating func started(_ task: Task<Void, Never>, _ number: Int) -> Action {
        guard number == flight, case .starting = phase else { return .none }
        phase = .flying(task)
        return waiters.isEmpty ? giveUp(task) : .none
    }

    /// A waiter has been cancelled; the last takes the flight with it.
    mutating func leave(_ ticket: Int) -> Action {
        guard waiters.removeValue(forKey: ticket) != nil, waiters.isEmpty, case .flying(let task) = phase else {
            return .none
        }
        return giveUp(task)
    }

    /// The provider has said what it has.
    ///
    /// - Parameter isFresh: Whether that is not about to expire.
    mutating func found(_ current: Result<AccessToken?, any Error>, isFresh: Bool, _ number: Int) -> Action {
        guard isUnderWay(number) else { return .none }
        switch current {
        case .failure(let error):
            return land(.failure(error))
        case .success(let token?) where isFresh && !isRefused(token):
            return land(.success(token))
        case .success(let token):
            return .refresh(token)
        }
    }

    /// The refresh has given a token, or failed.
    mutating func refreshed(_ outcome: Outcome, _ number: Int) -> Action {
        guard isUnderWay(number) else { return .none }
        if case .success = outcome { knownBad = nil }
        return land(outcome)
    }

    /// A call has taken too long, and is cancelled.
    mutating func ranOut(_ number: Int) -> Action {
        if isUnderWay(number) { return land(.failure(ErrandError(.timedOut))) }
        return returned(number)
    }

    /// The provider has come back from all calls of a flight.
    mutating func returned(_ number: Int) -> Action {
        guard case .abandoned = phase, number == flight else { return .none }
        guard waiters.isEmpty else { return begin() }
        phase = .idle
        return .none
    }

    private mutating func begin() -> Action {
        phase = .starting
        flight += 1
        return .start(flight, waiters.values.reduce(into: []) { $0.formUnion($1.passages) })
    }

    private func isRefused(_ token: AccessToken) -> Bool {
        token.isSame(as: knownBad) || waiters.values.contains { token.isSame(as: $0.refused) }
    }

    private func isUnderWay(_ number: Int) -> Bool {
        switch phase {
        case .idle, .abandoned: false
        case .starting, .flying: number == flight
        }
    }

    private mutating func giveUp(_ task: Task<Void, Never>) -> Action {
        phase = .abandoned
        return .cancel(task)
    }

    private mutating func land(_ outcome: Outcome) -> Action {
        defer {
            phase = .idle
            waiters = [:]
        }
        return .resolve(waiters.values.map(\.waiter), outcome)
    }
}
