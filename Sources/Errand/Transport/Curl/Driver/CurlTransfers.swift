#if canImport(CCurl)
/// The transfers that have not ended, by the number that each has for the ``CurlPool`` too.
struct CurlTransfers {
    private var all: [CurlTransfer?] = []
    private var unusedNumbers: [CurlPool.RequestID] = []
    /// The transfers that were given to libcurl, each at the index ``CurlTransfer/slot``.
    private(set) var running: [CurlTransfer] = []

    var isEmpty: Bool { unusedNumbers.count == all.count }

    /// The number of transfers that have not ended.
    var count: Int { all.count - unusedNumbers.count }

    var unfinished: some Sequence<CurlTransfer> { all.lazy.compactMap(\.self) }

    /// Returns a transfer that has not ended.
    subscript(number: CurlPool.RequestID) -> CurlTransfer {
        guard let transfer = all[number] else { preconditionFailure("the transfer \(number) has ended") }
        return transfer
    }

    /// Adds a transfer, which gets a number until it has ended.
    mutating func add(_ transfer: CurlTransfer) {
        transfer.number = unusedNumbers.popLast() ?? all.count
        if transfer.number == all.count { all.append(transfer) } else { all[transfer.number] = transfer }
    }

    /// Removes a transfer that has ended. After the last one, the list does not keep the length of its busiest time.
    mutating func remove(_ transfer: CurlTransfer) {
        all[transfer.number] = nil
        unusedNumbers.append(transfer.number)
        guard isEmpty else { return }
        all.removeAll(keepingCapacity: true)
        unusedNumbers.removeAll(keepingCapacity: true)
    }

    /// Records that a transfer is given to libcurl.
    mutating func start(_ transfer: CurlTransfer) {
        transfer.slot = running.count
        running.append(transfer)
    }

    /// Records that a transfer is taken from libcurl. The last one moves to its index, so that no search is needed.
    mutating func stop(_ transfer: CurlTransfer) {
        let last = running.removeLast()
        guard last !== transfer else { return }
        running[transfer.slot] = last
        last.slot = transfer.slot
    }
}
#endif
