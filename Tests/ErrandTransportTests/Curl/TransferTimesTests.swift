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
        times.isPausedByReader = true
        #expect(times.next == 1_100)
    }

    @Test func `the idle limit of a queued transfer counts from the last admission`() {
        let times = times()
        #expect(times.next(waitingSince: 0) == 1_010)
        #expect(times.next(waitingSince: 1_007) == 1_017)
        #expect(times.next(waitingSince: 1_099) == 1_100)
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
