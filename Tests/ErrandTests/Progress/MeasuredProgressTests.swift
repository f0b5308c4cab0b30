import ErrandTesting
import TestSupport
import Testing

@testable import Errand

struct `The rate of a transfer` {
    private func rate(_ samples: [(Int64, Double)], window: Duration = .seconds(10)) -> TransferRate {
        samples.reduce(into: TransferRate(window: window)) { $0.add($1.0, at: .seconds($1.1)) }
    }

    @Test func `is not known before time has passed`() {
        #expect(rate([]).throughput == nil)
        #expect(rate([(5, 1)]).throughput == nil)
        #expect(rate([(5, 1), (9, 1)]).throughput == nil)
    }

    @Test func `is that of the window`() {
        #expect(rate([(0, 0), (100, 1)]).throughput == 100)
        #expect(rate([(0, 0), (1_000, 1), (1_010, 11), (1_020, 21)]).throughput == 1)
        #expect(rate([(0, 0), (100, 1), (100, 2)]).throughput == 50)
    }

    @Test func `starts from what was there, and anew with a transfer that starts over`() {
        #expect(rate([(1_000, 0), (1_010, 1)]).throughput == 10)
        #expect(rate([(0, 0), (1_000, 1), (0, 2), (10, 3)]).throughput == 10)
    }

    @Test func `tells how long the rest takes`() {
        #expect(rate([(0, 0), (100, 1)]).timeRemaining(of: 400) == .seconds(3))
        #expect(rate([(0, 0), (100, 1)]).timeRemaining(of: nil) == nil)
        #expect(rate([(0, 0), (100, 1)]).timeRemaining(of: 100) == .zero)
        #expect(rate([(0, 0), (0, 1)]).timeRemaining(of: 100) == nil)
        #expect(rate([(0, 0), (1, 1e9)], window: .seconds(2e9)).timeRemaining(of: .max) == nil)
    }

    @Test func `remembers only so much, however often somebody looks`() {
        var rate = TransferRate(window: .seconds(1_000_000))
        for index in 0..<5_000 { rate.add(Int64(index * index), at: .seconds(index)) }
        // The mean of the last thousand steps of i².
        #expect(rate.throughput.map { abs($0 - 8_998) < 3 } == true)
    }
}

@Suite(.hangGuard) struct `Measured progress` {
    @Test func `comes at once, at its pace also where nothing moves, and at last`() async throws {
        let clock = ManualClock()
        let progress = TransferProgress()
        var measurements = progress.measured(every: .seconds(1), over: .seconds(2), clock: clock).makeAsyncIterator()
        progress.update(.init(completed: 100, total: 1_100))
        #expect(await measurements.next() == .init(snapshot: .init(completed: 100, total: 1_100)))
        try await clock.waitForSleepers()
        progress.update(.init(completed: 300, total: 1_100))
        var now = TransferProgress.Measurement(snapshot: .init(completed: 0, total: nil))
        // A snapshot that has not reached the meter yet shows at the next tick.
        repeat {
            try await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
            now = try #require(await measurements.next())
        } while now.snapshot.completed < 300
        #expect(now.throughput.map { $0 > 0 } == true)
        #expect(now.estimatedTimeRemaining.map { $0 > .zero } == true)
        for _ in 0..<3 {
            try await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
            now = try #require(await measurements.next())
        }
        #expect(now.snapshot.completed == 300)
        #expect(now.throughput == 0)
        #expect(now.estimatedTimeRemaining == nil)
        progress.update(.init(completed: 1_100, total: 1_100))
        progress.end()
        #expect(await measurements.next()?.estimatedTimeRemaining == .zero)
        #expect(await measurements.next() == nil)
        try await waitUntil { clock.sleeperCount == 0 }
    }

    @Test func `ends with the transfer, and begins with how it ended`() async {
        let progress = TransferProgress()
        progress.update(.init(completed: 5, total: 5))
        progress.end()
        var seen: [Int64] = []
        for await now in progress.measured(clock: ManualClock()) { seen.append(now.snapshot.completed) }
        #expect(seen == [5])
    }

    @Test func `lets go of everything when its loop is left`() async throws {
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
    func `takes nonsense for the nearest that makes sense`(_ duration: Duration) async {
        let progress = TransferProgress()
        progress.update(.init(completed: 5, total: 5))
        progress.end()
        var seen = 0
        for await _ in progress.measured(every: duration, over: duration) { seen += 1 }
        #expect(seen >= 1)
    }
}
