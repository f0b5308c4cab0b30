import Errand
import Testing

@testable import ErrandResilience

/// Computes the numbers in the guide to resilience, with the interceptors' state machines and simulated servers.
///
/// Requests arrive at random times, 100 per second. Servers, random numbers and times are the same in each run, so the
/// results are, too.
struct `A simulation of resilience` {
    private static let count = 5_000

    /// Starts requests at random times, `rate` per second on average, and runs until all have ended.
    private func run(_ simulation: Simulation, rate: Double = 100, _ begin: @escaping (Int) -> Void) {
        var time = Duration.zero
        for number in 0..<Self.count {
            time += .seconds(-log(1 - simulation.random()) / rate)
            simulation.after(time) { begin(number) }
        }
        simulation.run()
    }

    /// Performs the action that a state machine returns.
    private func perform(
        _ actions: [TurnAction], in simulation: Simulation, wake: @escaping () -> [TurnAction],
        admit: @escaping (Int) -> Void, refuse: @escaping (Int) -> Void
    ) {
        for action in actions {
            switch action {
            case .admit(let ticket): admit(ticket)
            case .refuse(let ticket, _): refuse(ticket)
            case .setAlarm(let setting):
                guard let time = setting.time else { continue }
                simulation.after(max(time - simulation.now, .zero)) { [self] in
                    perform(wake(), in: simulation, wake: wake, admit: admit, refuse: refuse)
                }
            }
        }
    }

    // Hedging: one response in twenty takes 500 ms instead of 10 to 30 ms.

    private func hedged(_ delay: Hedging.Delay?, slowShare: Double = 0.05) -> SimulatedLoad {
        let simulation = Simulation()
        var load = SimulatedLoad()
        var state = HedgingState(delay ?? .percentile(1))
        let budget = RetryBudget()
        func latency() -> Duration {
            load.send()
            return simulation.random() < slowShare ? .milliseconds(500) : .milliseconds(10 + 20 * simulation.random())
        }
        run(simulation) { _ in
            load.request()
            budget.deposit()
            var end = latency()
            let after = delay == nil ? nil : state.delay(for: "")
            guard let after, after < end else {
                load.succeed(after: end)
                simulation.after(end) { state.add(end, to: "") }
                return
            }
            let first = end
            simulation.after(after) {
                let second = budget.withdraw() ? latency() : nil
                end = min(first, second.map { after + $0 } ?? first)
                load.succeed(after: end)
                simulation.after(end - after) {
                    state.add(end, to: "")
                    if let second, after + second == end { return }
                    if second != nil { state.add(end - after, to: "") }
                }
            }
        }
        return load
    }

    @Test func `hedging reduces the 99th percentile of latency with at most a tenth more load`() {
        let (without, fixed, percentile) = (hedged(nil), hedged(.fixed(.milliseconds(50))), hedged(.percentile(0.9)))
        #expect(without.latency(0.99) == .milliseconds(500))
        #expect(fixed.latency(0.99) < .milliseconds(100))
        #expect(percentile.latency(0.99) < .milliseconds(100))
        let slowForAll = hedged(.fixed(.milliseconds(50)), slowShare: 1)
        for load in [fixed, percentile, slowForAll] { #expect(load.sent <= Self.count + Self.count / 10 + 10) }
        Self.report([
            without.row("one response of 20 is slow"),
            fixed.row("the same, `Hedging(after: .fixed(.milliseconds(50)))`"),
            percentile.row("the same, `Hedging(after: .percentile(0.9))`"),
            slowForAll.row("all are slow, `Hedging(after: .fixed(.milliseconds(50)))`"),
        ])
    }

    // Attempt timeout: one request in fifty never receives a response. A request with all its attempts may take 10 s.

    private func limited(_ attemptTimeout: Duration?) -> SimulatedLoad {
        let simulation = Simulation()
        var load = SimulatedLoad()
        func attempt(_ number: Int, since start: Duration) {
            load.send()
            guard simulation.random() < 0.02 else {
                let latency = Duration.milliseconds(10 + 20 * simulation.random())
                return simulation.after(latency) { load.succeed(after: simulation.now - start) }
            }
            guard let attemptTimeout, number < 3 else { return }
            simulation.after(attemptTimeout) { attempt(number + 1, since: start) }
        }
        run(simulation) { _ in
            load.request()
            attempt(1, since: simulation.now)
        }
        return load
    }

    @Test func `an attempt timeout leaves time for another attempt`() {
        let (without, with) = (limited(nil), limited(.seconds(1)))
        #expect(without.failures > 0.015)
        #expect(with.failures < 0.001)
        Self.report([
            without.row("one request of 50 gets no response"),
            with.row("the same, `AttemptTimeout(.seconds(1))` and three attempts"),
        ])
    }

    // Shared pause: from second 10 to 20, the server rejects requests with `Retry-After`. They are sent again after
    // that time.

    private func paused(_ isShared: Bool) -> SimulatedLoad {
        let simulation = Simulation()
        var load = SimulatedLoad()
        var state = RetryAfterPauseState(maximumWait: .seconds(60), queueLimit: 10_000)
        let refusal = Duration.seconds(10)..<Duration.seconds(20)
        var starts: [Int: Duration] = [:]
        func send(_ ticket: Int) {
            load.send()
            guard refusal.contains(simulation.now) else {
                return simulation.after(.milliseconds(20)) {
                    load.succeed(after: simulation.now - (starts[ticket] ?? .zero))
                    act(state.succeed(ticket, now: simulation.now))
                }
            }
            // `Retry-After` contains whole seconds.
            let wait = Duration.seconds(((refusal.upperBound - simulation.now) / .seconds(1)).rounded(.up))
            if isShared { act(state.pause("", for: wait, now: simulation.now)) }
            act(state.finish(ticket, now: simulation.now))
            simulation.after(wait) { arrive(ticket) }
        }
        func arrive(_ ticket: Int) {
            act(state.arrive(Arrival(ticket: ticket), now: simulation.now))
        }
        func act(_ actions: [TurnAction]) {
            perform(
                actions, in: simulation, wake: { state.wake(now: simulation.now) }, admit: send, refuse: { _ in })
        }
        run(simulation) { number in
            load.request()
            starts[number] = simulation.now
            arrive(number)
        }
        return load
    }

    @Test func `a shared pause sends few requests to a server that rejects them`() {
        let (without, with) = (paused(false), paused(true))
        #expect(without.sent - Self.count > 900)
        #expect(with.sent - Self.count <= 2)
        #expect(with.failures == 0)
        Self.report([
            without.row("a server refuses for 10 s, with `Retry-After`"), with.row("the same, `RetryAfterPause()`"),
        ])
    }

    // Adaptive concurrency: the server runs 20 requests at once, for 40 ms each. 20 more can wait, and the server
    // rejects further ones.

    private func adapted(_ limit: AdaptiveLimit) -> SimulatedLoad {
        let simulation = Simulation()
        var load = SimulatedLoad()
        var state = ConcurrencyLimitState(limit, queueLimit: 10_000)
        var starts: [Int: Duration] = [:]
        var (working, waiting) = (0, [() -> Void]())
        func end(_ ticket: Int, isOverload: Bool) {
            act(state.learn(from: ticket, isOverload: isOverload, slowAfter: nil, now: simulation.now))
            act(state.finish(ticket, now: simulation.now))
        }
        func send(_ ticket: Int) {
            load.send()
            func work() {
                working += 1
                simulation.after(.milliseconds(40)) {
                    working -= 1
                    load.succeed(after: simulation.now - (starts[ticket] ?? .zero))
                    if !waiting.isEmpty { waiting.removeFirst()() }
                    end(ticket, isOverload: false)
                }
            }
            if working < 20 { return work() }
            if waiting.count < 20 { return waiting.append(work) }
            simulation.after(.milliseconds(1)) { end(ticket, isOverload: true) }
        }
        func act(_ actions: [TurnAction]) {
            perform(
                actions, in: simulation, wake: { state.wake(now: simulation.now) }, admit: send, refuse: { _ in })
        }
        run(simulation, rate: 480) { number in
            load.request()
            starts[number] = simulation.now
            act(state.arrive(Arrival(ticket: number), now: simulation.now))
        }
        return load
    }

    @Test func `an adaptive limit halves the failures of an overloaded server`() {
        let fixed = adapted(AdaptiveLimit(200, in: 200...200, decrease: 1))
        let adaptive = adapted(AdaptiveLimit(10, in: 1...200, decrease: 0.75))
        #expect(adaptive.failures < fixed.failures / 2)
        Self.report([
            fixed.row("a server of 20 places gets 96 % of what it can do, `ConcurrencyLimit(200)`"),
            adaptive.row("the same, `ConcurrencyLimit(adaptingIn: 1...200)`"),
        ])
    }

    // Failover: the first server is unavailable from second 10 to 40. Each attempt to connect to it takes a second.

    private func failedOver(_ servers: Int) -> SimulatedLoad {
        let simulation = Simulation()
        var load = SimulatedLoad()
        var state = FailoverState(count: servers, downtime: .seconds(5))
        func attempt(_ order: [Int], since start: Duration) {
            guard let server = order.first else { return }
            load.send()
            guard server == 0, (Duration.seconds(10)..<Duration.seconds(40)).contains(simulation.now) else {
                state.worked(server)
                return load.succeed(after: simulation.now + .milliseconds(20) - start)
            }
            simulation.after(.seconds(1)) {
                state.failed(server, now: simulation.now)
                attempt(Array(order.dropFirst()), since: start)
            }
        }
        run(simulation) { _ in
            load.request()
            attempt(state.order(now: simulation.now), since: simulation.now)
        }
        return load
    }

    @Test func `failover avoids failures with few extra requests`() {
        let (without, with) = (failedOver(1), failedOver(2))
        #expect(without.failures > 0.5)
        #expect(with.failures == 0)
        #expect(Double(with.sent) < 1.05 * Double(Self.count))
        Self.report([without.row("a server is away for 30 of 50 s"), with.row("the same, `Failover` with two servers")])
    }

    // Ageing: two thirds of the requests have a high priority. All requests together nearly reach the limit.

    private func aged(_ ageing: Duration?) -> SimulatedLoad {
        let simulation = Simulation()
        var low = SimulatedLoad()
        var state = ConcurrencyLimitState(limit: 4, queueLimit: 10_000, ageing: ageing)
        var starts: [Int: Duration] = [:]
        func send(_ ticket: Int) {
            if ticket % 3 == 0 { low.send() }
            simulation.after(.milliseconds(39)) {
                if ticket % 3 == 0 { low.succeed(after: simulation.now - (starts[ticket] ?? .zero)) }
                act(state.finish(ticket, now: simulation.now))
            }
        }
        func act(_ actions: [TurnAction]) {
            perform(
                actions, in: simulation, wake: { state.wake(now: simulation.now) }, admit: send, refuse: { _ in })
        }
        run(simulation) { number in
            if number % 3 == 0 { low.request() }
            starts[number] = simulation.now
            let arrival = Arrival(ticket: number, priority: number % 3 == 0 ? .low : .high)
            act(state.arrive(arrival, now: simulation.now))
        }
        return low
    }

    @Test func `ageing reduces the wait of low priorities`() {
        let (without, with) = (aged(nil), aged(.milliseconds(200)))
        #expect(with.latency(0.99) < without.latency(0.99))
        #expect(with.failures == 0)
        Self.report([
            without.row("a full `ConcurrencyLimit(4)`, those of low priority"),
            with.row("the same, `ageing: .milliseconds(200)`"),
        ])
    }

    private static let guide = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Sources/ErrandResilience/ErrandResilience.docc/ErrandResilience.md").standardized

    /// Prints the rows, and checks that the guide contains them if its file exists.
    private static func report(_ rows: [String]) {
        for row in rows { print(row) }
        guard let text = try? String(contentsOf: guide, encoding: .utf8) else { return }
        for row in rows { #expect(text.contains(row + "\n")) }
    }
}
