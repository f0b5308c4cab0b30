import Testing

@testable import Errand

struct `A schedule of waits` {
    private func waits(
        _ policy: RetryPolicy, chances: [Double], serverWait: Duration? = nil
    ) -> [Duration?] {
        var schedule = RetrySchedule(policy)
        return chances.map { schedule.next(serverWait: serverWait, chance: $0) }
    }

    @Test func `immediate and constant backoff have no wait or the same wait each time`() {
        #expect(waits(.immediate, chances: [0, 1]) == [.zero, .zero])
        #expect(waits(.constant(.seconds(2)), chances: [0, 1]) == [.seconds(2), .seconds(2)])
        #expect(waits(.constant(.seconds(-2)), chances: [0]) == [.zero])
    }

    @Test func `full jitter is a random part of a wait that doubles`() {
        let policy = RetryPolicy.exponential(base: .seconds(1))
        #expect(waits(policy, chances: [1, 1, 1, 1]) == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
        #expect(waits(policy, chances: [0.5, 0.25, 0, 0.5]) == [.seconds(0.5), .seconds(0.5), .zero, .seconds(4)])
    }

    @Test func `exponential backoff grows by its factor`() {
        let policy = RetryPolicy.exponential(base: .seconds(1), factor: 3)
        #expect(waits(policy, chances: [1, 1, 1]) == [.seconds(1), .seconds(3), .seconds(9)])
    }

    @Test func `decorrelated jitter is between the base and three times the last wait`() {
        let policy = RetryPolicy.decorrelated(base: .seconds(1))
        #expect(waits(policy, chances: [1, 1, 1]) == [.seconds(3), .seconds(9), .seconds(20)])
        #expect(waits(policy, chances: [0, 0, 0.5]) == [.seconds(1), .seconds(1), .seconds(2)])
    }

    @Test func `each wait is limited to the maximum wait`() {
        var policy = RetryPolicy.exponential(base: .seconds(1))
        policy.maximumWait = .seconds(3)
        #expect(waits(policy, chances: [1, 1, 1, 1]) == [.seconds(1), .seconds(2), .seconds(3), .seconds(3)])
        policy.backoff = .constant(.seconds(9))
        #expect(waits(policy, chances: [1]) == [.seconds(3)])
        policy.backoff = .decorrelated(base: .seconds(9))
        #expect(waits(policy, chances: [0, 1]) == [.seconds(3), .seconds(3)])
    }

    @Test func `a schedule ends before its maximum total wait is exceeded`() {
        var policy = RetryPolicy.constant(.seconds(2))
        policy.maximumTotalWait = .seconds(5)
        #expect(waits(policy, chances: [1, 1, 1]) == [.seconds(2), .seconds(2), nil])
    }

    @Test func `a wait is at least the server time, and a schedule ends above the maximum server wait`() {
        let policy = RetryPolicy.constant(.seconds(2))
        #expect(waits(policy, chances: [1], serverWait: .seconds(30)) == [.seconds(30)])
        #expect(waits(policy, chances: [1], serverWait: .seconds(1)) == [.seconds(2)])
        #expect(waits(policy, chances: [1], serverWait: .seconds(60)) == [.seconds(60)])
        #expect(waits(policy, chances: [1], serverWait: .seconds(60) + .nanoseconds(1)) == [nil])
        var schedule = RetrySchedule(policy)
        #expect(schedule.decide(serverWait: .seconds(1_000_000), chance: 1) == .serverAsksForTooLong)
    }

    @Test(arguments: [Double.nan, -1, 0, 0.5, .infinity, -.infinity])
    func `an invalid backoff factor is replaced with 1, and an infinite one is limited`(_ factor: Double) {
        let policy = RetryPolicy.exponential(base: .seconds(1), factor: factor)
        let last: Duration = factor == .infinity ? .seconds(20) : .seconds(1)
        #expect(waits(policy, chances: [1, 1, 1]) == [.seconds(1), last, last])
        let nothing = RetryPolicy.exponential(base: .zero, factor: factor)
        #expect(waits(nothing, chances: [1, 1, 1]) == [.zero, .zero, .zero])
    }

    @Test(arguments: [(Double.nan, 1.0), (-5, 0), (5, 1), (.infinity, 1)])
    func `an invalid random value is limited to its range`(_ chance: Double, _ expected: Double) {
        let policy = RetryPolicy.exponential(base: .seconds(1))
        #expect(waits(policy, chances: [chance]) == [.seconds(expected)])
    }

    @Test func `extreme durations do not trap in a schedule`() {
        let endless = Duration(secondsComponent: .max, attosecondsComponent: 0)
        for var policy in [
            RetryPolicy.constant(endless), .exponential(base: endless), .decorrelated(base: endless, factor: .infinity),
        ] {
            policy.maximumWait = endless
            policy.maximumServerWait = endless
            policy.maximumTotalWait = endless
            let waits = waits(policy, chances: [1, 1], serverWait: endless)
            #expect(waits == [endless.bounded, nil])
        }
    }
}
