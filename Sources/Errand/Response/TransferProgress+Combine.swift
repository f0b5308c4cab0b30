#if canImport(Combine)
public import Combine

extension TransferProgress {
    /// A Combine publisher of the snapshots. It finishes with the transfer, and never fails.
    ///
    /// Each subscription watches as a loop does: it may miss snapshots between two that it requests, and sees the last.
    public var publisher: AnyPublisher<Snapshot, Never> { elementPublisher }
}
#endif
