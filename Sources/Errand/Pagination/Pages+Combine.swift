#if canImport(Combine)
public import Combine

extension Pages {
    /// A Combine publisher of the pages.
    ///
    /// Each subscription requests the pages from the first one on, and a page only when its subscriber has requested it.
    /// The first failure ends it. Cancelling the subscription cancels the request for a page.
    public var publisher: AnyPublisher<Page, any Error> { elementPublisher }
}

extension PageItems where Page.Items.Element: Sendable {
    /// A Combine publisher of the items; see ``Pages/publisher``.
    public var publisher: AnyPublisher<Page.Items.Element, any Error> { elementPublisher }
}
#endif
