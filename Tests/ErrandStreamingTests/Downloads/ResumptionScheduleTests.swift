import Testing

@testable import Errand

struct `A download that resumes` {
    private let lost = ErrandError(.transportFailed, underlyingError: URLError(.networkConnectionLost))

    private func waits(_ policy: RetryPolicy, _ counts: [Int64], from count: Int64 = 0) -> [Duration?] {
        var schedule = ResumptionSchedule(policy, count: count)
        return counts.map { schedule.wait(after: lost, count: $0, chance: 1) }
    }

    @Test func `the retry policy decides when a download resumes`() {
        let policy = RetryPolicy.constant(.seconds(2), maximumAttempts: 3)
        #expect(waits(policy, [0, 0, 0]) == [.seconds(2), .seconds(2), nil])
        #expect(waits(.never, [5]) == [nil])
    }

    @Test func `the attempts of a download are counted again only after the file has grown`() {
        let policy = RetryPolicy.exponential(base: .seconds(1), maximumAttempts: 3)
        #expect(
            waits(policy, [5, 5, 6, 7, 7, 7]) == [.seconds(1), .seconds(2), .seconds(1), .seconds(1), .seconds(2), nil])
        // The download starts again each time, and the file never becomes longer.
        #expect(waits(policy, [5, 4, 5], from: 3) == [.seconds(1), .seconds(2), nil])
        #expect(waits(policy, [3, 3, 3], from: 3) == [.seconds(1), .seconds(2), nil])
    }

    @Test(arguments: [
        ErrandError(.digestMismatch), ErrandError(.insufficientDiskSpace), ErrandError(.unacceptableStatusCode),
        ErrandError(.transportFailed, underlyingError: URLError(.cannotDecodeContentData)),
    ])
    func `a download does not resume after a permanent error`(_ error: ErrandError) {
        var schedule = ResumptionSchedule(.immediate, count: 0)
        #expect(schedule.wait(after: error, count: 5, chance: 1) == nil)
    }
}
