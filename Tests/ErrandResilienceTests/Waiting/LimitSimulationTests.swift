import Errand
import Testing

@testable import ErrandResilience

/// Checks properties that hold in every order of events, with thousands of random events that are the same in every
/// run.
struct `A simulation of limits` {
    /// Drives a state machine, and records its actions.
    private struct Simulation<Machine: AdmissionPolicy> {
        var machine: Machine
        var now = Duration.zero
        var alarm: Duration?
        var waiting: Set<Int> = []
        var admitted: [(ticket: Int, time: Duration)] = []
        var running: [Int] = []
        var refused = 0
        private var tickets = 0
        private var seed: UInt64

        init(_ machine: Machine, seed: UInt64) {
            self.machine = machine
            self.seed = seed
        }

        mutating func random(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % bound
        }

        mutating func arrive() {
            tickets += 1
            waiting.insert(tickets)
            let priority = RequestPriority.allCases[random(3)]
            let deadline = random(3) == 0 ? now + .milliseconds(random(3000)) : nil
            perform(machine.arrive(Arrival(ticket: tickets, priority: priority, deadline: deadline), now: now))
        }

        mutating func withdrawOne() {
            guard let ticket = waiting.sorted().dropFirst(random(5)).first else { return }
            waiting.remove(ticket)
            perform(machine.withdraw(ticket, now: now))
        }

        mutating func finishOne() {
            guard !running.isEmpty else { return }
            perform(machine.finish(running.remove(at: random(running.count)), now: now))
        }

        /// Advances the time, and fires the alarm when it is due.
        mutating func pass(_ duration: Duration) {
            let end = now + duration
            while let time = alarm, time <= end {
                now = max(now, time)
                alarm = nil
                perform(machine.wake(now: now))
            }
            now = end
        }

        private mutating func perform(_ actions: [TurnAction]) {
            for action in actions {
                switch action {
                case .admit(let ticket):
                    #expect(waiting.remove(ticket) != nil, "\(ticket) was not waiting")
                    admitted.append((ticket, now))
                    running.append(ticket)
                case .refuse(let ticket, _):
                    #expect(waiting.remove(ticket) != nil, "\(ticket) was not waiting")
                    refused += 1
                case .setAlarm(let setting):
                    alarm = setting.time
                }
            }
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `a rate limit never exceeds its tokens and handles every request`(_ seed: UInt64) {
        let machine = RateLimitState(requests: 4, per: .seconds(1), burst: 3, queueLimit: 20)
        var simulation = Simulation(machine, seed: seed)
        for _ in 0..<2000 {
            switch simulation.random(10) {
            case 0...4: simulation.arrive()
            case 5: simulation.withdrawOne()
            default: simulation.pass(.milliseconds(simulation.random(400)))
            }
            while !simulation.running.isEmpty { simulation.finishOne() }
        }
        simulation.pass(.seconds(60))
        #expect(simulation.waiting.isEmpty)
        #expect(simulation.alarm == nil)
        #expect(simulation.refused > 0)
        #expect(simulation.admitted.count > 300)
        let times = simulation.admitted.map(\.time)
        for first in times.indices.dropLast(4) {
            // At most three at once, and then one every quarter of a second.
            #expect(times[first + 3] - times[first] >= .milliseconds(250))
            #expect(times[first + 4] - times[first] >= .milliseconds(500))
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `a concurrency limit runs requests up to its limit and never more`(_ seed: UInt64) {
        var simulation = Simulation(ConcurrencyLimitState(limit: 3, queueLimit: 10), seed: seed)
        for _ in 0..<2000 {
            switch simulation.random(10) {
            case 0...3: simulation.arrive()
            case 4: simulation.withdrawOne()
            case 5...7: simulation.finishOne()
            default: simulation.pass(.milliseconds(simulation.random(400)))
            }
            #expect(simulation.running.count <= 3)
            #expect(simulation.running.count == 3 || simulation.waiting.isEmpty)
            #expect(simulation.machine.runningCount == simulation.running.count)
        }
        while !simulation.running.isEmpty { simulation.finishOne() }
        #expect(simulation.waiting.isEmpty)
        #expect(simulation.refused > 0)
        #expect(simulation.machine.isEmpty)
    }
}
