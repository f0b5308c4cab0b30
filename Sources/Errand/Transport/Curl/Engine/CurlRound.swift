#if canImport(CCurl)
/// Work that libcurl's callbacks find, and that the loop does after libcurl has returned. Belongs to the loop's thread.
final class CurlRound {
    /// The transfers with received data that their readers have not been given yet.
    private var bodies: [CurlTransfer] = []
    /// The transfers whose response is complete before libcurl has finished them.
    private var complete: [CurlTransfer] = []
    /// The transfers that stopped sending until libcurl has read what arrived, or receiving until others had their
    /// turn.
    private var held: [CurlTransfer] = []
    /// The transfers that now have a connection, with the number of requests that the connection can carry.
    private var connected: [(CurlTransfer, CurlOrigin.Sharing)] = []
    /// The number of transfers that libcurl must check regularly because no event reports their progress. These are
    /// transfers that connect, because libcurl tries the next address of a name without an event. The number also
    /// includes transfers whose response arrived before the end of the request and, before libcurl 8.1, transfers over
    /// HTTP/2.
    private(set) var unsettled = 0
    /// The time of the next check, in nanoseconds.
    private(set) var nextLook = UInt64.max

    /// Whether a transfer may have a deadline that is earlier than the loop's next deadline.
    var hasNewDeadline = false

    /// The HTTP/2 connections on which the server has sent a GOAWAY frame without an error.
    private var goAways: Set<ConnectionID> = []
    /// The maximum number of remembered connections. Each is needed until its last stream ends.
    private static let maximumGoAways = 1024

    /// The interval between checks: 200 milliseconds.
    static let lookInterval: UInt64 = 200_000_000

    func add(body transfer: CurlTransfer) {
        bodies.append(transfer)
    }

    func add(complete transfer: CurlTransfer) {
        complete.append(transfer)
    }

    func add(held transfer: CurlTransfer) {
        held.append(transfer)
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

    func note(goAwayOf connection: ConnectionID) {
        if goAways.count >= Self.maximumGoAways { goAways.removeAll() }
        goAways.insert(connection)
    }

    func receivedGoAway(of connection: ConnectionID) -> Bool { goAways.contains(connection) }

    /// Changes the number of unsettled transfers by 1 or -1.
    func count(_ change: Int, _ now: UInt64) {
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
#endif
