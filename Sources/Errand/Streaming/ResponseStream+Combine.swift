#if canImport(Combine)
public import Combine

extension ResponseStream {
    /// A Combine publisher of the pieces of the body.
    ///
    /// Each subscription sends the request once, when its subscriber first requests a piece. The publisher reads a
    /// piece only after the subscriber has requested it, so a slow subscriber slows the server down. Cancelling the
    /// subscription ends the transfer.
    public var publisher: AnyPublisher<Data, any Error> { elementPublisher }
}
#endif
