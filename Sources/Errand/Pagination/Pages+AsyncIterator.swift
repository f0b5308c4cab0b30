extension Pages {
    /// An iterator over the pages. Only one task at a time may use it.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let pages: Pages
        private var walk: PageWalk
        /// The page that was requested ahead. Releasing it cancels the request.
        private var ahead: PageFetch<Page>?

        init(_ pages: Pages) {
            self.pages = pages
            walk = PageWalk(pages.style, limits: pages.limits)
        }

        /// Returns the next page; `nil` after the last one.
        ///
        /// After a failure, the next call requests the same page again. If the next page is unknown, every further call
        /// throws the same error.
        ///
        /// - Throws: The failure of the request, or ``ErrandError`` with `invalidPagination` for an invalid page. It
        ///   throws `paginationLoop` for a server that repeats pages, and `tooManyPages` after the last page that
        ///   ``PageLimits`` allows. When the task is cancelled, it throws `cancelled` immediately, and also cancels the
        ///   request and a page requested ahead.
        public mutating func next() async throws -> Page? {
            switch walk.step {
            case .end: return nil
            case .fail(let error): throw error
            case .request(let position):
                let fetch = ahead ?? fetch(position, isAhead: false)
                ahead = nil
                guard let result = try await fetch.result else {
                    walk.pageIsMissing()
                    return nil
                }
                let isPage = try walk.receive(result.report)
                if pages.prefetch, case .request(let next) = walk.step { ahead = self.fetch(next, isAhead: true) }
                return isPage ? result.page : nil
            }
        }

        private func fetch(_ position: PagePosition, isAhead: Bool) -> PageFetch<Page> {
            PageFetch(isAhead: isAhead, mayBeMissing: walk.mayBeMissing) { [schedule = pages.schedule] in
                try schedule(position)
            }
        }
    }
}
