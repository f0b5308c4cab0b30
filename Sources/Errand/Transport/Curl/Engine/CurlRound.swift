#if canImport(CCurl)
import Dispatch

/// Work that libcurl's callbacks find, and that the loop does after libcurl has returned; also when the loop next
/// checks transfers without events. Belongs to the loop's thread.
final class CurlRound {
    /// The transfers with received data that their readers have not been given yet.
    private var bodies: [CurlTransfer] = []
    /// The transfers whose response is complete before libcurl has finished them.
    private var complete: [CurlTransfer] = []
    /// The transfers that stopped sending until libcurl has read what arrived, or receiving until others had their
    /// turn. Also those that failed in a callback that cannot end them.
    private var held: [CurlTransfer] = []
    /// The transfers that have received a redirect about which a task must decide.
    private var undecided: [CurlTransfer] = []
    /// The transfers that now have a connection, with the number of requests that the connection can carry.
    private var connected: [(CurlTransfer, CurlOrigin.Sharing)] = []
    /// The number of transfers that libcurl must check regularly because no event reports their progress. These are
    /// transfers that connect, because libcurl tries the next address of a name without an event. The number also
    /// includes transfers whose response, without a declared length, began before the end of the request. Before
    /// libcurl 8.1, it includes all transfers that may use HTTP/2.
    private var unsettled = 0
    /// The time of the next check, in nanoseconds.
    private(set) var nextLook = UInt64.max

    /// Whether a transfer may have a deadline that is earlier than the loop's next deadline.
    var hasNewDeadline = false

    /// The HTTP/2 connections that the server closes properly.
    var goAways = GoAways()

    /// The interval between checks: 200 milliseconds.
    static let lookInterval: UInt64 = 200_000_000

    /// Whether the loop has nothing to do for a transfer.
    var isEmpty: Bool {
        bodies.isEmpty && complete.isEmpty && held.isEmpty && undecided.isEmpty && connected.isEmpty
    }

    func add(body transfer: CurlTransfer) {
        bodies.append(transfer)
    }

    func add(complete transfer: CurlTransfer) {
        complete.append(transfer)
    }

    func add(held transfer: CurlTransfer) {
        held.append(transfer)
    }

    func add(undecided transfer: CurlTransfer) {
        undecided.append(transfer)
    }

    func takeUndecided() -> [CurlTransfer] {
        defer { undecided = [] }
        return undecided
    }

    func takeHeld() -> [CurlTransfer] {
        defer { held = [] }
        return held
    }

    func add(connected transfer: CurlTransfer, sharing: CurlOrigin.Sharing) {
        connected.append((transfer, sharing))
    }

    func takeConnected(_ take: (CurlTransfer, CurlOrigin.Sharing) -> Void) {
        for (transfer, sharing) in connected { take(transfer, sharing) }
        connected.removeAll(keepingCapacity: true)
    }

    func handOverBodies() {
        guard !bodies.isEmpty else { return }
        for transfer in bodies { transfer.handOver() }
        bodies.removeAll(keepingCapacity: true)
    }

    func takeComplete() -> [CurlTransfer] {
        defer { complete = [] }
        return complete
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
