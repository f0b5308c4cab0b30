#if canImport(CCurl)
/// Work that libcurl's callbacks find, and that the loop does after libcurl has returned. Belongs to the loop's thread.
final class CurlRound {
    /// The transfers that have received data which their readers have not been given yet.
    private var bodies: [CurlTransfer] = []
    /// The transfers whose answer is complete before libcurl is done with them.
    private var complete: [CurlTransfer] = []
    /// The transfers that stopped sending until libcurl has read what arrived.
    private var held: [CurlTransfer] = []
    /// The transfers that have a connection now, and how many requests that takes.
    private var connected: [(CurlTransfer, CurlOrigin.Sharing)] = []
    /// The number of transfers that libcurl has to check regularly, because no event tells how they go on: those that are
    /// connecting (libcurl tries the next address of a name without an event), those whose answer came before the end of the
    /// request, and, before 8.1, those over HTTP/2.
    private(set) var unsettled = 0
    /// When libcurl is to be asked, in nanoseconds.
    private(set) var nextLook = UInt64.max

    /// Whether a transfer may now be late sooner than the loop knows.
    var hasNewDeadline = false

    /// The HTTP/2 connections whose servers have said that they end them.
    private var farewells: Set<ConnectionID> = []
    /// The most of them that are remembered. Each is needed until the last stream of its connection ends.
    private static let maximumFarewells = 1024

    /// From one look to the next: 200 milliseconds.
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

    func takeConnected() -> [(CurlTransfer, CurlOrigin.Sharing)] {
        defer { connected.removeAll(keepingCapacity: true) }
        return connected
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

    func note(farewellOf connection: ConnectionID) {
        if farewells.count >= Self.maximumFarewells { farewells.removeAll() }
        farewells.insert(connection)
    }

    func hasFarewell(of connection: ConnectionID) -> Bool { farewells.contains(connection) }

    /// One more transfer is unsettled, or one less.
    func count(_ change: Int, _ now: UInt64) {
        unsettled += change
        if unsettled == 0 { nextLook = .max } else if nextLook == .max { nextLook = now + Self.lookInterval }
    }

    /// Whether libcurl is to be asked now; if so, the next time is after another interval.
    func isTimeToLook(_ now: UInt64) -> Bool {
        guard now >= nextLook else { return false }
        nextLook = now + Self.lookInterval
        return true
    }
}
#endif
