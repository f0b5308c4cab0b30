extension Pages {
    /// The items of all pages in order.
    ///
    /// A page is requested after the last item of the previous one.
    public var items: PageItems<Page> { PageItems(pages: self) }
}

/// The items of all pages. ``Pages/items`` returns it. Each iteration begins with the first item.
public struct PageItems<Page: PageContent & Sendable>: AsyncSequence, Sendable {
    /// An item.
    public typealias Element = Page.Items.Element

    let pages: Pages<Page>

    /// An iterator over the items. Only one task at a time may use it.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var pages: Pages<Page>.AsyncIterator
        fileprivate var items: Page.Items.Iterator?

        /// Returns the next item; `nil` after the last one.
        ///
        /// After an error, the next call requests the same page again. No item is lost or repeated.
        ///
        /// - Throws: The errors of the iterator of ``Pages``.
        public mutating func next() async throws -> Page.Items.Element? {
            while true {
                if let item = items?.next() { return item }
                items = nil
                guard let page = try await pages.next() else { return nil }
                items = page.pageItems.makeIterator()
            }
        }
    }

    /// Creates an iterator that begins with the first item. Nothing is requested yet.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pages: pages.makeAsyncIterator())
    }
}
