import Errand

/// The state machine of ``CircuitBreaker``, with a circuit for each account, which is a name of the scope.
struct CircuitBreakerState: Sendable {
    typealias Transition = (account: String, from: CircuitBreaker.CircuitState, to: CircuitBreaker.CircuitState)

    /// The minimum time without use before a circuit with failures is discarded, however short the open duration is.
    private static let shortestIdleTime = Duration.seconds(1)

    /// The permission to send, which is returned with the verdict.
    struct Pass: Hashable, Sendable {
        let account: String
        /// The number of the phase in which the permission was given.
        let phaseNumber: Int
    }

    /// The decision about a request.
    enum Entry: Hashable, Sendable {
        case pass(Pass)
        /// The request fails. The value is the time until a trial may begin; `nil` while running trials decide.
        case refuse(Duration?)
    }

    /// A period in which a circuit stays in one state, and the counts of that period.
    enum Phase {
        case closed(FailureTally)
        case open(until: Duration)
        /// - Parameter since: The time when the last trial began.
        case halfOpen(running: Int, succeeded: Int, since: Duration)

        var state: CircuitBreaker.CircuitState {
            switch self {
            case .closed: .closed
            case .open: .open
            case .halfOpen: .halfOpen
            }
        }
    }

    struct Circuit {
        var phase: Phase
        /// The unique number of the phase. Outcomes of requests from earlier phases are ignored.
        var phaseNumber: Int
        /// The time when a request last began or ended.
        var lastUse: Duration
    }

    private let tripping: CircuitBreaker.Tripping
    private let openDuration: Duration
    private let trials: Int
    private let trialTimeout: Duration

    private(set) var circuits: [String: Circuit] = [:]
    /// The number of circuits above which circuits are discarded: those that do not differ from a new one, and those
    /// that have been unused for long enough.
    private var circuitLimit = 64
    /// The number of phases so far, of all circuits.
    private var phaseCount = 0
    private var unreported: [Transition] = []
    /// Whether a task is reporting transitions. It also reports those that other tasks cause meanwhile.
    private var isReporting = false

    init(
        tripping: CircuitBreaker.Tripping, openDuration: Duration, trials: Int, trialTimeout: Duration = .seconds(60)
    ) {
        self.tripping = tripping
        self.openDuration = openDuration
        self.trials = trials
        self.trialTimeout = trialTimeout
    }

    func state(of account: String) -> CircuitBreaker.CircuitState {
        circuits[account]?.phase.state ?? .closed
    }

    /// Decides whether a request passes.
    mutating func enter(_ account: String, now: Duration) -> Entry {
        var circuit = circuit(of: account, now: now)
        circuits[account]?.lastUse = now
        switch circuit.phase {
        case .closed: break
        case .open(let end):
            guard end <= now else { return .refuse(end - now) }
            circuit = change(account, to: .halfOpen(running: 1, succeeded: 0, since: now), now: now)
        case .halfOpen(let running, let succeeded, _) where running + succeeded < trials:
            circuits[account]?.phase = .halfOpen(running: running + 1, succeeded: succeeded, since: now)
        case .halfOpen(_, _, let since):
            guard now - since >= trialTimeout else { return .refuse(nil) }
            // A new phase, so that neither the trials that have not ended in time nor earlier successes count.
            circuit = begin(.halfOpen(running: 1, succeeded: 0, since: now), for: account, now: now)
        }
        return .pass(Pass(account: account, phaseNumber: circuit.phaseNumber))
    }

    /// Records the end of a request that passed.
    mutating func leave(_ pass: Pass, _ verdict: CircuitBreaker.Verdict, now: Duration) {
        guard let circuit = circuits[pass.account], circuit.phaseNumber == pass.phaseNumber else { return }
        circuits[pass.account]?.lastUse = now
        switch (circuit.phase, verdict) {
        case (.closed, .neither), (.open, _): break
        case (.closed(var tally), _):
            tally.add(isFailure: verdict == .failure, now: now)
            circuits[pass.account]?.phase = .closed(tally)
            if verdict == .failure, tally.reaches(tripping) { open(pass.account, now: now) }
        case (.halfOpen, .failure):
            open(pass.account, now: now)
        case (.halfOpen(let running, let succeeded, let since), .success):
            if succeeded + 1 == trials {
                change(pass.account, to: .closed(FailureTally(tripping)), now: now)
            } else {
                circuits[pass.account]?.phase =
                    .halfOpen(running: running - 1, succeeded: succeeded + 1, since: since)
            }
        case (.halfOpen(let running, let succeeded, let since), .neither):
            circuits[pass.account]?.phase = .halfOpen(running: running - 1, succeeded: succeeded, since: since)
        }
    }

    /// Returns the first transition to report; `nil` also while another task is reporting.
    mutating func beginReporting() -> Transition? {
        guard !isReporting else { return nil }
        isReporting = true
        return continueReporting()
    }

    /// Returns the next transition to report; `nil` ends the reporting.
    mutating func continueReporting() -> Transition? {
        isReporting = !unreported.isEmpty
        return unreported.isEmpty ? nil : unreported.removeFirst()
    }

    private mutating func open(_ account: String, now: Duration) {
        change(account, to: .open(until: now + openDuration), now: now)
    }

    /// Begins a phase of another state, and records the transition.
    @discardableResult
    private mutating func change(_ account: String, to phase: Phase, now: Duration) -> Circuit {
        unreported.append((account, state(of: account), phase.state))
        return begin(phase, for: account, now: now)
    }

    /// Begins a phase without a report, such as a second phase of the same state.
    private mutating func begin(_ phase: Phase, for account: String, now: Duration) -> Circuit {
        phaseCount += 1
        let circuit = Circuit(phase: phase, phaseNumber: phaseCount, lastUse: now)
        circuits[account] = circuit
        return circuit
    }

    /// Returns the circuit of an account; a new, closed one if it has none.
    private mutating func circuit(of account: String, now: Duration) -> Circuit {
        if let circuit = circuits[account] { return circuit }
        forgetCircuits(now: now)
        return begin(.closed(FailureTally(tripping)), for: account, now: now)
    }

    /// Discards circuits. A running request through a discarded circuit no longer counts. A circuit that was not closed
    /// is reported as closed, because it is closed when it is needed again.
    private mutating func forgetCircuits(now: Duration) {
        guard circuits.count >= circuitLimit else { return }
        for (account, circuit) in circuits where isForgettable(circuit, now: now) {
            let state = circuit.phase.state
            if state != .closed { unreported.append((account, state, .closed)) }
            circuits[account] = nil
        }
        circuitLimit = max(64, 2 * circuits.count)
    }

    /// Returns `true` if a circuit can be discarded: its state is that of a new one, or it has been unused for long
    /// enough.
    private func isForgettable(_ circuit: Circuit, now: Duration) -> Bool {
        let idleTime = max(openDuration, Self.shortestIdleTime)
        let isIdle = circuit.lastUse + idleTime <= now
        switch circuit.phase {
        case .closed(var tally): return tally.isLikeNew(now: now) || (isIdle && tally.hasEmptyWindow(now: now))
        case .open(let end): return isIdle && end + idleTime <= now
        case .halfOpen(let running, _, _): return isIdle && running == 0
        }
    }
}

/// A count of the failures among the latest outcomes.
struct FailureTally: Sendable {
    /// The outcomes of one tenth of the window.
    private struct Slice {
        let start: Duration
        var failures = 0
        var total = 0
    }

    /// The length of the window; zero if only consecutive failures count.
    private let window: Duration
    private var slices: [Slice] = []
    /// The number of failures since the last success.
    private var consecutive = 0

    init(_ tripping: CircuitBreaker.Tripping) {
        switch tripping.rule {
        case .consecutive: window = .zero
        case .ratio(_, let window, _): self.window = window
        }
    }

    mutating func add(isFailure: Bool, now: Duration) {
        consecutive = isFailure ? consecutive + 1 : 0
        guard window > .zero else { return }
        forgetEndedSlices(now: now)
        if slices.last.map({ $0.start + window / 10 <= now }) ?? true { slices.append(Slice(start: now)) }
        let last = slices.count - 1
        slices[last].total += 1
        if isFailure { slices[last].failures += 1 }
    }

    /// Returns `true` if the circuit must open by a rule.
    func reaches(_ tripping: CircuitBreaker.Tripping) -> Bool {
        switch tripping.rule {
        case .consecutive(let count):
            return consecutive >= count
        case .ratio(let ratio, _, let minimumCount):
            let total = slices.reduce(0) { $0 + $1.total }
            let failures = slices.reduce(0) { $0 + $1.failures }
            return failures > 0 && total >= minimumCount && Double(failures) >= ratio * Double(total)
        }
    }

    /// Returns `true` if the tally is equivalent to a new one.
    mutating func isLikeNew(now: Duration) -> Bool {
        hasEmptyWindow(now: now) && (consecutive == 0 || window > .zero)
    }

    /// Returns `true` if no outcome is left in the window; always `true` without a window.
    mutating func hasEmptyWindow(now: Duration) -> Bool {
        forgetEndedSlices(now: now)
        return slices.isEmpty
    }

    private mutating func forgetEndedSlices(now: Duration) {
        slices.removeAll { $0.start + window <= now }
    }
}
