import ErrandTesting
import TestSupport
import Testing

@testable import Errand

struct `The rate of a transfer` {
    private func rate(_ samples: [(Int64, Double)], window: Duration = .seconds(10)) -> TransferRate {
        samples.reduce(into: TransferRate(window: window)) { $0.add($1.0, at: .seconds($1.1)) }
    }

    @Test(.hangGuard) func `releasing the progress ends its measured loops`() async {
        var progress: TransferProgress? = TransferProgress()
        var iterator = progress?.measured(clock: ManualClock()).makeAsyncIterator()
        progress = nil
        #expect(await iterator?.next(isolation: nil) == nil)
    }

    @Test func `the transfer rate is unknown before time has passed`() {
        #expect(rate([]).throughput == nil)
        #expect(rate([(5, 1)]).throughput == nil)
        #expect(rate([(5, 1), (9, 1)]).throughput == nil)
    }

    @Test func `a moment that is added late counts as the moment before it`() {
        #expect(rate([(0, 1), (100, 3), (150, 2)]).throughput == 75)
    }

    @Test func `the transfer rate is measured over its window`() {
        #expect(rate([(0, 0), (100, 1)]).throughput == 100)
        #expect(rate([(0, 0), (1_000, 1), (1_010, 11), (1_020, 21)]).throughput == 1)
        #expect(rate([(0, 0), (100, 1), (100, 2)]).throughput == 50)
    }

    @Test func `the transfer rate starts at the first count and again after a restart`() {
        #expect(rate([(1_000, 0), (1_010, 1)]).throughput == 10)
        #expect(rate([(0, 0), (1_000, 1), (0, 2), (10, 3)]).throughput == 10)
    }

    @Test func `the transfer rate estimates the remaining time`() {
        #expect(rate([(0, 0), (100, 1)]).timeRemaining(of: 400) == .seconds(3))
        #expect(rate([(0, 0), (100, 1)]).timeRemaining(of: nil) == nil)
        #expect(rate([(0, 0), (100, 1)]).timeRemaining(of: 100) == .zero)
        #expect(rate([(0, 0), (0, 1)]).timeRemaining(of: 100) == nil)
        #expect(rate([(0, 0), (1, 1e9)], window: .seconds(2e9)).timeRemaining(of: .max) == nil)
    }

    @Test func `the transfer rate keeps a limited number of measurements`() {
        var rate = TransferRate(window: .seconds(1_000_000))
        for index in 0..<5_000 { rate.add(Int64(index * index), at: .seconds(index)) }
        // The mean of the last thousand steps of i².
        #expect(rate.throughput.map { abs($0 - 8_998) < 3 } == true)
    }
}

@Suite(.hangGuard) struct `Measured progress` {
    @Test func `measured progress reports at once, at each interval and at the end`() async throws {
        let clock = ManualClock()
        let progress = TransferProgress()
        var measurements = progress.measured(every: .seconds(1), over: .seconds(2), clock: clock).makeAsyncIterator()
        progress.update(.init(completed: 100, total: 1_100))
        #expect(try await measurements.next() == .init(snapshot: .init(completed: 100, total: 1_100)))
        try await clock.waitForSleepers()
        progress.update(.init(completed: 300, total: 1_100))
        var now = TransferProgress.Measurement(snapshot: .init(completed: 0, total: nil))
        // A snapshot that has not reached the meter yet shows at the next tick.
        repeat {
            try await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
            now = try #require(try await measurements.next())
        } while now.snapshot.completed < 300
        #expect(now.throughput.map { $0 > 0 } == true)
        #expect(now.estimatedTimeRemaining.map { $0 > .zero } == true)
        for _ in 0..<3 {
            try await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
            now = try #require(try await measurements.next())
        }
        #expect(now.snapshot.completed == 300)
        #expect(now.throughput == 0)
        #expect(now.estimatedTimeRemaining == nil)
        progress.update(.init(completed: 1_100, total: 1_100))
        progress.end()
        #expect(try await measurements.next()?.estimatedTimeRemaining == .zero)
        #expect(try await measurements.next() == nil)
        try await waitUntil { clock.sleeperCount == 0 }
    }

    @Test func `measured progress of an ended transfer reports the final count`() async {
        let progress = TransferProgress()
        progress.update(.init(completed: 5, total: 5))
        progress.end()
        var seen: [Int64] = []
        for await now in progress.measured(clock: ManualClock()) { seen.append(now.snapshot.completed) }
        #expect(seen == [5])
    }

    @Test func `leaving the loop of measured progress releases its clock`() async throws {
        let clock = ManualClock()
        let progress = TransferProgress()
        progress.update(.init(completed: 1, total: 5))
        for await _ in progress.measured(every: .seconds(1), clock: clock) {
            try await clock.waitForSleepers()
            break
        }
        try await waitUntil { clock.sleeperCount == 0 }
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.max)])
    func `measured progress replaces invalid durations with valid ones`(_ duration: Duration) async {
        let progress = TransferProgress()
        progress.update(.init(completed: 5, total: 5))
        progress.end()
        var seen = 0
        for await _ in progress.measured(every: duration, over: duration) { seen += 1 }
        #expect(seen >= 1)
    }
}
