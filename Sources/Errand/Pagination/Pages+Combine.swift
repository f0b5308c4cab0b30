#if canImport(Combine)
public import Combine

extension Pages {
    /// A Combine publisher of the pages.
    ///
    /// Each subscription begins with the first page, and requests a page only after its subscriber has requested one.
    /// The first failure ends the subscription. Cancelling the subscription cancels the request for a page.
    public var publisher: AnyPublisher<Page, any Error> { elementPublisher }
}

extension PageItems where Page.Items.Element: Sendable {
    /// A Combine publisher of the items; see ``Pages/publisher``.
    public var publisher: AnyPublisher<Page.Items.Element, any Error> { elementPublisher }
}
#endif
