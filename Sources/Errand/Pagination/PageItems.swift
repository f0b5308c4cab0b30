extension Pages {
    /// The items of all pages, one after the other.
    ///
    /// A page is asked for when the items of the one before are used up.
    public var items: PageItems<Page> { PageItems(pages: self) }
}

/// The items of all pages, as ``Pages/items`` gives them. Each iteration starts anew.
public struct PageItems<Page: PageContent & Sendable>: AsyncSequence, Sendable {
    /// An item.
    public typealias Element = Page.Items.Element

    let pages: Pages<Page>

    /// Goes from item to item; to be used by one task at a time.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var pages: Pages<Page>.AsyncIterator
        fileprivate var items: Page.Items.Iterator?

        /// The next item; nil behind the last.
        ///
        /// When it throws, calling it again asks for the same page; no item is lost and none comes twice.
        ///
        /// - Throws: As the iterator of ``Pages`` does.
        public mutating func next() async throws -> Page.Items.Element? {
            while true {
                if let item = items?.next() { return item }
                items = nil
                guard let page = try await pages.next() else { return nil }
                items = page.pageItems.makeIterator()
            }
        }
    }

    /// Begins with the first item; nothing is asked for yet.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pages: pages.makeAsyncIterator())
    }
}
