#if canImport(CCurl)
import Testing

@testable import Errand

struct `The times of a transfer` {
    private func times(idle: UInt64 = 10, total: UInt64 = 100) -> TransferTimes {
        var times = TransferTimes(idleLimit: idle)
        times.submit(1_000, totalLimit: total)
        return times
    }

    @Test func `a transfer ends at its idle limit and at the latest at its total limit`() {
        var times = times()
        times.start(1_005)
        #expect(times.next == 1_015)
        times.touch(1_012)
        #expect(times.next == 1_022)
        times.touch(1_095)
        #expect(times.next == 1_100)
    }

    @Test func `the idle limit is suspended while the reader has no room`() {
        var times = times()
        times.start(1_000)
        times.isPaused = true
        #expect(times.next == 1_100)
    }

    @Test func `the idle limit of a queued transfer counts from the last admission`() {
        let times = times()
        #expect(times.next(waitingSince: 0) == 1_010)
        #expect(times.next(waitingSince: 1_007) == 1_017)
        #expect(times.next(waitingSince: 1_099) == 1_100)
    }

    /// The limits are 10 without activity, 100 in all and 7 for the first connection. The transfer waits since 1,000.
    @Test(
        arguments: [
            // Without a connection since before the transfer waits, and since a later moment.
            (0, 1_007, 1_010), (1_002, 1_009, 1_012),
            // With a connection.
            (nil, nil, 1_015),
        ] as [(UInt64?, UInt64?, UInt64)])
    func `the limits of a transfer include the wait for the first connection`(
        _ unreached: UInt64?, _ waiting: UInt64?, _ running: UInt64
    ) {
        var times = TransferTimes(idleLimit: 10)
        times.submit(1_000, totalLimit: 100, connectLimit: 7)
        #expect(times.connectionEnd(unreachedSince: unreached) == waiting ?? .max)
        #expect(times.next(waitingSince: 0, unreachedSince: unreached) == min(waiting ?? .max, 1_010))
        times.start(1_005, unreachedSince: unreached)
        #expect(times.next == running)
    }

    @Test func `a redirect waits for its own connection`() {
        var times = TransferTimes(idleLimit: .max)
        times.submit(1_000, totalLimit: .max, connectLimit: 7)
        times.queue(2_000)
        #expect(times.next(waitingSince: 0, unreachedSince: 0) == 2_007)
    }

    @Test func `the idle limit applies to the whole body of a redirect`() {
        var times = times()
        times.start(1_000)
        times.isReadingRedirect = true
        times.touch(1_009)
        #expect(times.next == 1_010)
    }

    @Test func `a request may continue for one second after its response is complete`() {
        var times = times(idle: .max, total: .max)
        times.start(1_000)
        #expect(times.next == .max)
        times.complete(2_000)
        times.complete(3_000)
        #expect(times.next == 2_000 + TransferTimes.earlyResponseGrace)
        times.touch(4_000)
        #expect(times.next == 4_000 + TransferTimes.earlyResponseGrace)
    }

    /// Deadlines that pass a microsecond apart: one check handles all that have passed since the previous one.
    @Test(arguments: [1_000, 2_000, 4_000])
    func `each of many deadlines is checked at most twice`(_ count: Int) {
        var deadlines = (1...count).map { UInt64($0) * 1_000 }
        var now: UInt64 = 0
        var looks = 0
        while let earliest = deadlines.first {
            now = TransferTimes.nextCheck(earliest, of: deadlines.count, after: now)
            looks += deadlines.count
            deadlines.removeAll { $0 <= now }
        }
        #expect(looks <= 2 * count)
    }

    @Test func `a distant deadline is checked exactly when it passes`() {
        #expect(TransferTimes.nextCheck(1_000_000, of: 100, after: 0) == 1_000_000)
        #expect(TransferTimes.nextCheck(50_000, of: 100, after: 0) == 100_000)
    }
}
#endif
