import Testing

@testable import Errand

struct `A schedule of waits` {
    private func waits(
        _ policy: RetryPolicy, chances: [Double], asked: Duration? = nil
    ) -> [Duration?] {
        var schedule = RetrySchedule(policy)
        return chances.map { schedule.next(asked: asked, chance: $0) }
    }

    @Test func `has no wait, or the same each time`() {
        #expect(waits(.immediate, chances: [0, 1]) == [.zero, .zero])
        #expect(waits(.constant(.seconds(2)), chances: [0, 1]) == [.seconds(2), .seconds(2)])
        #expect(waits(.constant(.seconds(-2)), chances: [0]) == [.zero])
    }

    @Test func `with full jitter is a random part of what doubles each time`() {
        let policy = RetryPolicy.exponential(base: .seconds(1))
        #expect(waits(policy, chances: [1, 1, 1, 1]) == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
        #expect(waits(policy, chances: [0.5, 0.25, 0, 0.5]) == [.seconds(0.5), .seconds(0.5), .zero, .seconds(4)])
    }

    @Test func `grows by the factor of the policy`() {
        let policy = RetryPolicy.exponential(base: .seconds(1), factor: 3)
        #expect(waits(policy, chances: [1, 1, 1]) == [.seconds(1), .seconds(3), .seconds(9)])
    }

    @Test func `with decorrelated jitter lies between the base and three times the last`() {
        let policy = RetryPolicy.decorrelated(base: .seconds(1))
        #expect(waits(policy, chances: [1, 1, 1]) == [.seconds(3), .seconds(9), .seconds(20)])
        #expect(waits(policy, chances: [0, 0, 0.5]) == [.seconds(1), .seconds(1), .seconds(2)])
    }

    @Test func `keeps each wait under its cap`() {
        var policy = RetryPolicy.exponential(base: .seconds(1))
        policy.maximumWait = .seconds(3)
        #expect(waits(policy, chances: [1, 1, 1, 1]) == [.seconds(1), .seconds(2), .seconds(3), .seconds(3)])
        policy.backoff = .constant(.seconds(9))
        #expect(waits(policy, chances: [1]) == [.seconds(3)])
        policy.backoff = .decorrelated(base: .seconds(9))
        #expect(waits(policy, chances: [0, 1]) == [.seconds(3), .seconds(3)])
    }

    @Test func `ends where all waits together would be too long`() {
        var policy = RetryPolicy.constant(.seconds(2))
        policy.maximumTotalWait = .seconds(5)
        #expect(waits(policy, chances: [1, 1, 1]) == [.seconds(2), .seconds(2), nil])
    }

    @Test func `is never shorter than the server asks, and ends where that is longer than is waited`() {
        let policy = RetryPolicy.constant(.seconds(2))
        #expect(waits(policy, chances: [1], asked: .seconds(30)) == [.seconds(30)])
        #expect(waits(policy, chances: [1], asked: .seconds(1)) == [.seconds(2)])
        #expect(waits(policy, chances: [1], asked: .seconds(60)) == [.seconds(60)])
        #expect(waits(policy, chances: [1], asked: .seconds(60) + .nanoseconds(1)) == [nil])
        var schedule = RetrySchedule(policy)
        #expect(schedule.decide(asked: .seconds(1_000_000), chance: 1) == .serverAsksForTooLong)
    }

    @Test(arguments: [Double.nan, -1, 0, 0.5, .infinity, -.infinity])
    func `takes a factor that is none for 1, and bounds one without end`(_ factor: Double) {
        let policy = RetryPolicy.exponential(base: .seconds(1), factor: factor)
        let last: Duration = factor == .infinity ? .seconds(20) : .seconds(1)
        #expect(waits(policy, chances: [1, 1, 1]) == [.seconds(1), last, last])
        let nothing = RetryPolicy.exponential(base: .zero, factor: factor)
        #expect(waits(nothing, chances: [1, 1, 1]) == [.zero, .zero, .zero])
    }

    @Test(arguments: [(Double.nan, 1.0), (-5, 0), (5, 1), (.infinity, 1)])
    func `takes chance that is none for the nearest`(_ chance: Double, _ expected: Double) {
        let policy = RetryPolicy.exponential(base: .seconds(1))
        #expect(waits(policy, chances: [chance]) == [.seconds(expected)])
    }

    @Test func `holds with waits longer than any`() {
        let endless = Duration(secondsComponent: .max, attosecondsComponent: 0)
        for var policy in [
            RetryPolicy.constant(endless), .exponential(base: endless), .decorrelated(base: endless, factor: .infinity),
        ] {
            policy.maximumWait = endless
            policy.maximumServerWait = endless
            policy.maximumTotalWait = endless
            let waits = waits(policy, chances: [1, 1], asked: endless)
            #expect(waits == [endless.bounded, nil])
        }
    }
}
