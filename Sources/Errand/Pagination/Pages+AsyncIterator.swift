extension Pages {
    /// Iterates over the pages; must be used by one task at a time.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let pages: Pages
        private var walk: PageWalk
        /// The page that was requested ahead; releasing it cancels the request.
        private var ahead: PageFetch<Page>?

        init(_ pages: Pages) {
            self.pages = pages
            walk = PageWalk(pages.style, limits: pages.limits)
        }

        /// Whether the last page was returned.
        var hasEnded: Bool {
            if case .end = walk.step { true } else { false }
        }

        /// Returns the next page; `nil` after the last.
        ///
        /// After a failure, the next call requests the same page again. When the next page is not known, every further
        /// call throws the same error.
        ///
        /// - Throws: The failure of the request; ``ErrandError`` with `cancelled` at once when the task is cancelled,
        ///   which also cancels the request and a page requested ahead; `invalidPagination` for an invalid page,
        ///   `paginationLoop` for a server that repeats pages, `tooManyPages` after the last page that ``PageLimits``
        ///   allows.
        public mutating func next() async throws -> Page? {
            switch walk.step {
            case .end: return nil
            case .fail(let error): throw error
            case .ask(let position):
                let fetch = ahead ?? fetch(position, isAhead: false)
                ahead = nil
                guard let answer = try await fetch.answer else {
                    walk.pageIsMissing()
                    return nil
                }
                let isPage = try walk.receive(answer.report)
                if pages.prefetch, case .ask(let next) = walk.step { ahead = self.fetch(next, isAhead: true) }
                return isPage ? answer.page : nil
            }
        }

        private func fetch(_ position: PagePosition, isAhead: Bool) -> PageFetch<Page> {
            PageFetch(isAhead: isAhead, mayBeMissing: walk.mayBeMissing) { [load = pages.load] in
                try await load(position)
            }
        }
    }
}
