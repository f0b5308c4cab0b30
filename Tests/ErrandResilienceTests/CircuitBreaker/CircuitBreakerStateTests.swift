import Errand
import Testing

@testable import ErrandResilience

struct `The state of a circuit breaker` {
    private typealias Verdict = CircuitBreaker.Verdict

    private func state(
        _ tripping: CircuitBreaker.Tripping = .consecutiveFailures(3), trials: Int = 1
    ) -> CircuitBreakerState {
        CircuitBreakerState(tripping: tripping, openDuration: .seconds(10), trials: trials)
    }

    private func pass(_ entry: CircuitBreakerState.Entry) throws -> CircuitBreakerState.Pass {
        guard case .pass(let pass) = entry else { throw ErrandError(.circuitOpen) }
        return pass
    }

    /// Sends requests one after the other.
    private func send(
        _ verdicts: [CircuitBreaker.Verdict], through state: inout CircuitBreakerState, now: Duration = .zero
    ) throws {
        for verdict in verdicts { state.leave(try pass(state.enter("a", now: now)), verdict, now: now) }
    }

    private func takeTransitions(_ state: inout CircuitBreakerState) -> [String] {
        var transitions: [String] = []
        var transition = state.beginReporting()
        while let next = transition {
            transitions.append("\(next.account): \(next.from) -> \(next.to)")
            transition = state.continueReporting()
        }
        return transitions
    }

    @Test func `a circuit opens after consecutive failures and rejects requests for the open duration`() throws {
        var state = state()
        try send([.failure, .failure], through: &state)
        #expect(state.state(of: "a") == .closed)
        try send([.failure], through: &state)
        #expect(state.state(of: "a") == .open)
        #expect(state.enter("a", now: .seconds(4)) == .refuse(.seconds(6)))
        #expect(state.enter("a", now: .milliseconds(9999)) == .refuse(.milliseconds(1)))
    }

    @Test func `a success resets the count of consecutive failures`() throws {
        var state = state()
        try send([.failure, .failure, .success, .failure, .failure], through: &state)
        #expect(state.state(of: "a") == .closed)
    }

    @Test func `a neutral outcome does not affect the count of consecutive failures`() throws {
        var state = state()
        try send([.failure, .neither, .failure, .neither], through: &state)
        #expect(state.state(of: "a") == .closed)
        try send([.failure], through: &state)
        #expect(state.state(of: "a") == .open)
    }

    @Test func `another trial starts if a trial does not end in time`() throws {
        var state = state()
        try send([.failure, .failure, .failure], through: &state)
        let slow = try pass(state.enter("a", now: .seconds(10)))
        #expect(state.enter("a", now: .seconds(69)) == .refuse(nil))
        let next = try pass(state.enter("a", now: .seconds(70)))
        #expect(state.enter("a", now: .seconds(71)) == .refuse(nil))
        state.leave(slow, .failure, now: .seconds(72))
        #expect(state.state(of: "a") == .halfOpen)
        state.leave(next, .success, now: .seconds(73))
        #expect(state.state(of: "a") == .closed)
    }

    @Test func `a half-open circuit sends one trial and closes when it succeeds`() throws {
        var state = state()
        try send([.failure, .failure, .failure], through: &state)
        let trial = try pass(state.enter("a", now: .seconds(10)))
        #expect(state.state(of: "a") == .halfOpen)
        #expect(state.enter("a", now: .seconds(10)) == .refuse(nil))
        state.leave(trial, .success, now: .seconds(11))
        #expect(state.state(of: "a") == .closed)
        // The count starts again at zero.
        try send([.failure, .failure], through: &state, now: .seconds(11))
        #expect(state.state(of: "a") == .closed)
        #expect(takeTransitions(&state) == ["a: closed -> open", "a: open -> halfOpen", "a: halfOpen -> closed"])
    }

    @Test func `a failed trial opens the circuit again for the same duration`() throws {
        var state = state()
        try send([.failure, .failure, .failure], through: &state)
        state.leave(try pass(state.enter("a", now: .seconds(10))), .failure, now: .seconds(12))
        #expect(state.enter("a", now: .seconds(12)) == .refuse(.seconds(10)))
        #expect(takeTransitions(&state) == ["a: closed -> open", "a: open -> halfOpen", "a: halfOpen -> open"])
    }

    @Test func `a neutral trial is followed by another trial`() throws {
        var state = state()
        try send([.failure, .failure, .failure], through: &state)
        let trial = try pass(state.enter("a", now: .seconds(10)))
        state.leave(trial, .neither, now: .seconds(10))
        #expect(state.state(of: "a") == .halfOpen)
        _ = try pass(state.enter("a", now: .seconds(10)))
        #expect(state.enter("a", now: .seconds(10)) == .refuse(nil))
    }

    @Test func `a circuit with several trials closes when all of them succeed`() throws {
        var state = state(trials: 3)
        try send([.failure, .failure, .failure], through: &state)
        let trials = try (1...3).map { _ in try pass(state.enter("a", now: .seconds(10))) }
        #expect(state.enter("a", now: .seconds(10)) == .refuse(nil))
        state.leave(trials[0], .success, now: .seconds(10))
        #expect(state.enter("a", now: .seconds(10)) == .refuse(nil))
        state.leave(trials[1], .neither, now: .seconds(10))
        let last = try pass(state.enter("a", now: .seconds(10)))
        state.leave(trials[2], .success, now: .seconds(10))
        #expect(state.state(of: "a") == .halfOpen)
        state.leave(last, .success, now: .seconds(10))
        #expect(state.state(of: "a") == .closed)
    }

    @Test func `a circuit with several trials opens when the first of them fails`() throws {
        var state = state(trials: 2)
        try send([.failure, .failure, .failure], through: &state)
        let trials = try (1...2).map { _ in try pass(state.enter("a", now: .seconds(10))) }
        state.leave(trials[0], .failure, now: .seconds(10))
        #expect(state.state(of: "a") == .open)
        state.leave(trials[1], .success, now: .seconds(11))
        #expect(state.enter("a", now: .seconds(11)) == .refuse(.seconds(9)))
    }

    @Test(arguments: [CircuitBreaker.Verdict.success, .failure, .neither])
    func `an outcome of an earlier phase is not counted`(_ verdict: CircuitBreaker.Verdict) throws {
        var state = state()
        let early = try (1...3).map { _ in try pass(state.enter("a", now: .zero)) }
        try send([.failure, .failure, .failure], through: &state)
        state.leave(early[0], verdict, now: .seconds(1))
        #expect(state.enter("a", now: .seconds(1)) == .refuse(.seconds(9)))
        let trial = try pass(state.enter("a", now: .seconds(10)))
        state.leave(early[1], verdict, now: .seconds(10))
        #expect(state.state(of: "a") == .halfOpen)
        #expect(state.enter("a", now: .seconds(10)) == .refuse(nil))
        state.leave(trial, .success, now: .seconds(10))
        state.leave(early[2], verdict, now: .seconds(10))
        try send([.failure, .failure], through: &state, now: .seconds(10))
        #expect(state.state(of: "a") == .closed)
    }

    @Test func `a circuit opens at the failure ratio after the minimum number of outcomes`() throws {
        var state = state(.failureRatio(0.5, over: .seconds(60), minimumCount: 4))
        try send([.failure, .failure, .failure], through: &state)
        #expect(state.state(of: "a") == .closed)
        try send([.success], through: &state)
        #expect(state.state(of: "a") == .closed, "a success opened it")
        try send([.failure], through: &state)
        #expect(state.state(of: "a") == .open)
    }

    @Test func `a circuit stays closed below the failure ratio`() throws {
        var state = state(.failureRatio(0.5, over: .seconds(60), minimumCount: 4))
        try send([.success, .success, .success, .failure, .failure], through: &state)
        #expect(state.state(of: "a") == .closed)
        try send([.failure], through: &state)
        #expect(state.state(of: "a") == .open)
    }

    @Test func `outcomes older than the window are not counted`() throws {
        var state = state(.failureRatio(0.5, over: .seconds(10), minimumCount: 4))
        try send([.failure, .failure, .failure], through: &state, now: .zero)
        try send([.failure], through: &state, now: .seconds(10))
        #expect(state.state(of: "a") == .closed)
        try send([.failure, .failure], through: &state, now: .milliseconds(10_500))
        #expect(state.state(of: "a") == .closed)
        try send([.failure], through: &state, now: .milliseconds(19_999))
        #expect(state.state(of: "a") == .open)
    }

    @Test func `each account has its own circuit`() throws {
        var state = state()
        try send([.failure, .failure, .failure], through: &state)
        _ = try pass(state.enter("b", now: .zero))
        #expect(state.state(of: "b") == .closed)
    }

    @Test(arguments: [
        CircuitBreaker.Tripping.consecutiveFailures(-1), .consecutiveFailures(0),
        .failureRatio(-.infinity, over: .seconds(-1), minimumCount: -1),
        .failureRatio(.nan, over: .seconds(Int64.max), minimumCount: 0),
        .failureRatio(.infinity, over: .zero, minimumCount: Int.min),
    ])
    func `invalid tripping values are limited, so that only a failure opens the circuit`(
        _ tripping: CircuitBreaker.Tripping
    ) throws {
        var state = state(tripping)
        try send([.success], through: &state)
        #expect(state.state(of: "a") == .closed)
        try send([.failure], through: &state, now: .seconds(1_000_000_000_000))
        #expect(state.state(of: "a") == (Self.needsAllToFail(tripping) ? .closed : .open))
    }

    /// Returns `true` if only failures trip the breaker, and the window is so long that it still contains the success.
    private static func needsAllToFail(_ tripping: CircuitBreaker.Tripping) -> Bool {
        guard case .ratio(let ratio, let window, _) = tripping.rule else { return false }
        return ratio == 1 && window > .seconds(1_000_000_000_000)
    }

    @Test func `transitions are reported one at a time`() throws {
        var state = state(.consecutiveFailures(1))
        try send([.failure], through: &state)
        #expect(state.beginReporting()?.to == .open)
        _ = state.enter("a", now: .seconds(10))
        #expect(state.beginReporting() == nil)
        #expect(state.continueReporting()?.to == .halfOpen)
        #expect(state.continueReporting() == nil)
        #expect(state.beginReporting() == nil)
    }

    @Test func `circuits without failures are removed`() throws {
        var state = state(.consecutiveFailures(1))
        try send([.failure], through: &state)
        for number in 1...1000 {
            state.leave(try pass(state.enter("\(number)", now: .zero)), .success, now: .zero)
        }
        #expect(state.circuits.count <= 70)
        #expect(state.state(of: "a") == .open)
    }

    @Test(arguments: [
        (CircuitBreaker.Tripping.consecutiveFailures(5), CircuitBreaker.CircuitState.closed),
        (.failureRatio(0.5, over: .seconds(10), minimumCount: 5), .closed), (.consecutiveFailures(1), .open),
    ])
    func `circuits with failures that are not used for the open duration are removed`(
        _ tripping: CircuitBreaker.Tripping, _ state: CircuitBreaker.CircuitState
    ) throws {
        var machine = self.state(tripping)
        for number in 0..<1000 {
            machine.leave(
                try pass(machine.enter("\(number)", now: .seconds(number))), .failure, now: .seconds(number))
            #expect(machine.state(of: "\(number)") == state)
        }
        #expect(machine.circuits.count <= 64)
    }

    @Test func `half-open circuits without running trials are removed`() throws {
        var state = state(.consecutiveFailures(1), trials: 2)
        for number in 0..<64 { state.leave(try pass(state.enter("\(number)", now: .zero)), .failure, now: .zero) }
        _ = try pass(state.enter("0", now: .seconds(10)))
        for number in 1..<64 {
            state.leave(try pass(state.enter("\(number)", now: .seconds(10))), .success, now: .seconds(10))
        }
        _ = takeTransitions(&state)
        _ = state.enter("new", now: .seconds(20))
        #expect(state.circuits.count == 2)
        #expect(state.state(of: "0") == .halfOpen)
        let transitions = takeTransitions(&state)
        #expect(Set(transitions) == Set((1..<64).map { "\($0): halfOpen -> closed" }))
        #expect(transitions.count == 63)
    }

    @Test func `circuits that are open or have recent failures are not removed`() throws {
        var state = state(.consecutiveFailures(3))
        try send([.failure, .failure], through: &state, now: .seconds(11))
        for _ in 1...3 { state.leave(try pass(state.enter("open", now: .seconds(9))), .failure, now: .seconds(9)) }
        for number in 0..<200 {
            state.leave(try pass(state.enter("\(number)", now: .seconds(20))), .failure, now: .seconds(20))
        }
        #expect(state.state(of: "open") == .open)
        try send([.failure], through: &state, now: .seconds(20))
        #expect(state.state(of: "a") == .open)
    }

    @Test func `consecutive failures are counted over many circuits without an open duration`() throws {
        var state = CircuitBreakerState(tripping: .consecutiveFailures(2), openDuration: .zero, trials: 1)
        for _ in 1...2 {
            for number in 0..<200 {
                state.leave(try pass(state.enter("\(number)", now: .zero)), .failure, now: .zero)
            }
        }
        #expect((0..<200).allSatisfy { state.state(of: "\($0)") == .open })
    }

    /// All events of a circuit, in every order, five in a row.
    @Test(arguments: [1, 2])
    func `the invariants of a circuit hold in every order of events`(_ trials: Int) {
        enum Event: CaseIterable {
            case enter, success, failure, neither, second, tenSeconds
        }
        var sequences: [[Event]] = [[]]
        for _ in 1...5 { sequences = sequences.flatMap { sequence in Event.allCases.map { sequence + [$0] } } }
        var broken = 0
        var seen: Set<String> = []
        for sequence in sequences {
            var state = state(.consecutiveFailures(1), trials: trials)
            var passes: [CircuitBreakerState.Pass] = []
            var now = Duration.zero
            var openedAt: Duration?
            var runningTrials = 0
            for event in sequence {
                let before = state.state(of: "a")
                switch event {
                case .second: now += .seconds(1)
                case .tenSeconds: now += .seconds(10)
                case .enter:
                    switch (before, state.enter("a", now: now)) {
                    case (.closed, .pass(let pass)):
                        passes.append(pass)
                    case (.open, .pass(let pass)):
                        passes.append(pass)
                        runningTrials = 1
                        if now < (openedAt ?? now) + .seconds(10) { broken += 1 }
                    case (.halfOpen, .pass(let pass)):
                        passes.append(pass)
                        runningTrials += 1
                        if runningTrials > trials { broken += 1 }
                    case (.closed, .refuse): broken += 1
                    case (.open, .refuse(let wait)):
                        if wait != openedAt.map({ $0 + .seconds(10) - now }) { broken += 1 }
                    case (.halfOpen, .refuse(let wait)):
                        if wait != nil { broken += 1 }
                    }
                case .success, .failure, .neither:
                    guard let pass = passes.popLast() else { continue }
                    let verdict: CircuitBreaker.Verdict =
                        event == .success ? .success : event == .failure ? .failure : .neither
                    state.leave(pass, verdict, now: now)
                    if before == .halfOpen, verdict == .neither, state.state(of: "a") == .halfOpen {
                        runningTrials = max(runningTrials - 1, 0)
                    }
                    if before != .open, state.state(of: "a") == .open {
                        openedAt = now
                        if verdict != .failure { broken += 1 }
                    }
                    if before == .open, state.state(of: "a") != .open { broken += 1 }
                    if before != .closed, state.state(of: "a") == .closed, verdict != .success { broken += 1 }
                }
            }
            let transitions = takeTransitions(&state)
            seen.formUnion(transitions)
            // Each change begins in the state in which the previous one ended.
            let ends = transitions.map { $0.components(separatedBy: " -> ").last ?? "" }
            let begins = transitions.map {
                $0.components(separatedBy: " -> ")[0].replacingOccurrences(of: "a: ", with: "")
            }
            if begins.first ?? "closed" != "closed" || !zip(begins.dropFirst(), ends).allSatisfy({ $0 == $1 }) {
                broken += 1
            }
        }
        #expect(broken == 0)
        let always = ["a: closed -> open", "a: open -> halfOpen", "a: halfOpen -> open"]
        #expect(seen == Set(always + (trials == 1 ? ["a: halfOpen -> closed"] : [])))
    }
}
