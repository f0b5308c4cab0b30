import Errand
import ErrandTesting
import Foundation
import Testing

@testable import ErrandResilience

/// Simulates a server that fails in different ways, with real interceptors on a manual clock, and draws the picture of
/// the guide.
///
/// Requests arrive at random times, 50 per second for 50 seconds. From second 10 on, the server is disturbed.
struct `A simulation of the standard resilience` {
    @Test func `fewer requests fail, in the total time, and other orders are worse`() async {
        await #expect(processExitsWith: .success) {
            let runs = try Scenario.all.map { scenario in try Variant.all.map { try SimulatedRun(scenario, $0) } }
            for runs in runs {
                let (timeout, attempts, standard) = (runs[0].load, runs[1].load, runs[2].load)
                // In an outage, all requests fail, and those of the 2 seconds after it, but few are sent.
                #expect(standard.failures <= min(timeout.failures, attempts.failures) + 0.02, "\(runs[0].scenario)")
                #expect(standard.latency(1) <= .seconds(30), "\(runs[0].scenario)")
            }
            #expect(runs[0][2].load.sent < runs[0][0].load.sent * 3 / 4)
            let (standard, limitFirst, limitLast, noTotal) = (runs[2][2], runs[2][3], runs[2][4], runs[2][5])
            // Waits for a place are not limited if the limit comes first, and are part of an attempt if it comes last.
            #expect(limitFirst.load.latency(0.99) > .seconds(30))
            #expect(limitLast.load.failures > standard.load.failures + 0.2)
            #expect(noTotal.load.latency(0.99) > .seconds(30))
            try ResiliencePicture.check(runs)
        }
    }
}

/// The requests of one simulation.
struct SimulatedRun: Sendable {
    let scenario: String
    let variant: String
    /// The second of the end of the disturbance.
    let until: Int
    var load = SimulatedLoad()
    /// The requests and the successful ones that arrived in each second.
    var seconds = [(requests: Int, succeeded: Int)](repeating: (0, 0), count: 50)

    /// Runs a scenario with these interceptors.
    init(_ scenario: Scenario, _ variant: Variant) throws {
        self.scenario = scenario.name
        self.variant = variant.name
        until = scenario.until
        let clock = ManualClock()
        let server = SimulatedServer(clock)
        let path = Next { _ in try await server.respond() }.preceded(by: variant.make(clock))
        let ends = Locked<[(start: Duration, latency: Duration?)]>([])
        @Sendable func request() async {
            let start = clock.now.offset
            let response = try? await path(TransportRequest(URLRequest(url: URL(filePath: "/"))))
            let latency = response?.statusCode == 200 ? clock.now.offset - start : nil
            ends.withLock { $0.append((start, latency)) }
        }
        @Sendable func at(_ seconds: Double, _ action: @escaping @Sendable () async -> Void) {
            Task.detached {
                try? await clock.sleep(for: .seconds(seconds))
                await action()
            }
        }
        try JobLoop.run(clock) {
            let random = Simulation()
            var time = 0.0
            while time < 50 {
                at(time, request)
                time -= log(1 - random.random()) / 50
            }
            at(10) { scenario.begin(server) }
            at(Double(scenario.until)) { scenario.end(server) }
            for _ in 0..<scenario.herd { at(10, request) }
        }
        for end in ends.withLock({ $0 }) {
            load.request()
            let second = min(Int(end.start / .seconds(1)), 49)
            seconds[second].requests += 1
            guard let latency = end.latency else { continue }
            load.succeed(after: latency)
            seconds[second].succeeded += 1
        }
        for _ in 0..<server.received { load.send() }
    }
}

/// A disturbance of the server.
struct Scenario: Sendable {
    let name: String
    var begin: @Sendable (SimulatedServer) -> Void = { _ in }
    var end: @Sendable (SimulatedServer) -> Void = { _ in }
    /// The second of its end.
    var until = 30
    /// The number of requests that arrive at once at the beginning.
    var herd = 0

    static let all = [
        Scenario(name: "outage: connections are refused", begin: { $0.isDown = true }, end: { $0.isDown = false }),
        Scenario(
            name: "brown-out: a fifth of the capacity", begin: { $0.workers = 1 }, end: { $0.workers = 5 }),
        Scenario(
            name: "slow server: 2 s for a response", begin: { $0.serviceTime = .seconds(2) },
            end: { $0.serviceTime = .milliseconds(40) }, until: 48),
        Scenario(name: "hanging server: no response", begin: { $0.hangs = true }, end: { $0.hangs = false }),
        Scenario(name: "thundering herd: 1,000 requests at once", herd: 1000),
    ]
}

/// A list of interceptors.
struct Variant: Sendable {
    let name: String
    let make: @Sendable (ManualClock) -> [any Interceptor]

    static let all = [
        Variant(name: "a timeout of 30 s") { clock in [AttemptTimeout(.seconds(30), clock: clock)] },
        Variant(name: "three attempts of 10 s") { clock in
            var policy = RetryPolicy.exponential(base: .milliseconds(200))
            (policy.clock, policy.random) = (clock, { 0.5 })
            return [
                AttemptTimeout(.seconds(30), clock: clock), RetryInterceptor(policy),
                AttemptTimeout(.seconds(10), clock: clock),
            ]
        },
        Variant(name: "`standardResilience()`", make: parts),
        Variant(name: "the limit first") { clock in
            let list = parts(clock)
            return [list[3], list[0], list[1], list[2], list[4]]
        },
        Variant(name: "the limit last") { clock in
            let list = parts(clock)
            return [list[0], list[1], list[2], list[4], list[3]]
        },
        Variant(name: "no total time") { clock in Array(parts(clock).dropFirst()) },
    ]

    /// The parts of the standard resilience: total time, retry, breaker, limit, attempt timeout.
    private static func parts(_ clock: ManualClock) -> [any Interceptor] {
        var policy = RetryPolicy.standard(clock: clock)
        policy.random = { 0.5 }
        return .standardResilience(
            retry: policy, breaker: .standard(clock: clock), limit: .standard(clock: clock), clock: clock)
    }
}
