#if canImport(CCurl)
import Dispatch

/// Work that libcurl's callbacks find, and that the loop does after libcurl has returned; also when the loop next
/// checks transfers without events. Belongs to the loop's thread.
final class CurlRound {
    /// The transfers whose exchanges have wishes.
    private var reports: [CurlTransfer] = []
    /// What libcurl has done, for the ``CurlPool``.
    private var events: [(CurlTransfer, CurlPool.Event)] = []
    /// The number of transfers that libcurl must check regularly because no event reports their progress. These are
    /// transfers that connect, because libcurl tries the next address of a name without an event. The number also
    /// includes transfers whose response, without a declared length, began before the end of the request. Before
    /// libcurl 8.1, it includes all transfers that may use HTTP/2.
    private var unsettled = 0
    /// The time of the next check, in nanoseconds.
    private(set) var nextLook = UInt64.max

    /// The HTTP/2 connections that the server closes properly.
    var goAways = GoAways()

    /// The interval between checks: 200 milliseconds.
    static let lookInterval: UInt64 = 200_000_000

    /// Whether the loop has nothing to do for a transfer.
    var isEmpty: Bool { reports.isEmpty && events.isEmpty }

    /// Adds a transfer whose exchange has wishes.
    func add(_ transfer: CurlTransfer) {
        reports.append(transfer)
    }

    /// Returns the transfers whose exchanges have wishes, each once, in exchange for an empty list.
    func takeReports(reusing empty: [CurlTransfer]) -> [CurlTransfer] {
        var taken = empty
        swap(&reports, &taken)
        for transfer in taken { transfer.isReported = false }
        return taken
    }

    func add(_ event: CurlPool.Event, of transfer: CurlTransfer) {
        events.append((transfer, event))
    }

    func takeEvents(_ take: (CurlTransfer, CurlPool.Event) -> Void) {
        for (transfer, event) in events { take(transfer, event) }
        events.removeAll(keepingCapacity: true)
    }

    /// Changes the number of unsettled transfers by 1 or -1.
    func changeUnsettled(by change: Int, _ now: UInt64) {
        unsettled += change
        if unsettled == 0 { nextLook = .max } else if nextLook == .max { nextLook = now + Self.lookInterval }
    }

    /// Returns whether a check is due; if so, schedules the next check.
    func isTimeToLook(_ now: UInt64) -> Bool {
        guard now >= nextLook else { return false }
        nextLook = now + Self.lookInterval
        return true
    }
}

/// The loop's clock, in nanoseconds since an unspecified moment before the process started.
///
/// The clock is read before calls of libcurl; otherwise a transfer would read it for every line of its head.
/// Belongs to the loop's thread.
final class Monotonic {
    private(set) var now = DispatchTime.now().uptimeNanoseconds

    /// Reads the clock.
    func advance() {
        now = DispatchTime.now().uptimeNanoseconds
    }

    /// Whether the call of libcurl that began at ``now`` takes so long that other transfers should have their turn.
    var isTurnOver: Bool { DispatchTime.now().uptimeNanoseconds &- now >= Self.turn }

    /// The time after which a call of libcurl should return to the loop: 1 millisecond.
    private static let turn: UInt64 = 1_000_000
}

extension Duration {
    /// The duration in whole nanoseconds, at most a hundred years; 0 for a negative duration.
    var nanoseconds: UInt64 {
        // The parts of a longer duration may not fit in 64 bits.
        let (seconds, attoseconds) = max(bounded, .zero).components
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}
#endif
