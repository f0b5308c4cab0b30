#if canImport(CCurl)
/// The transfers whose readers were not given yet what has come in this round of the loop. Belongs to the loop's thread.
final class CurlPendingBodies {
    private var transfers: [CurlTransfer] = []

    func add(_ transfer: CurlTransfer) {
        transfers.append(transfer)
    }

    func handOver() {
        guard !transfers.isEmpty else { return }
        for transfer in transfers { transfer.handOver() }
        transfers.removeAll(keepingCapacity: true)
    }
}
#endif
