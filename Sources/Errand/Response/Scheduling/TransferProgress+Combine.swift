#if canImport(Combine)
public import Combine

extension TransferProgress {
    /// A Combine publisher of the snapshots. It finishes with the transfer, and never fails.
    ///
    /// Each subscription behaves like a loop: it may miss snapshots between two requested ones, but receives the last.
    public var publisher: AnyPublisher<Snapshot, Never> { elementPublisher }
}
#endif
