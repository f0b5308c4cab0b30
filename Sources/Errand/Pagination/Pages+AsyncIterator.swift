extension Pages {
    /// Goes from page to page; to be used by one task at a time.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let pages: Pages
        private var walk: PageWalk
        /// The page that was asked for ahead; letting go of it cancels it.
        private var ahead: PageFetch<Page>?

        init(_ pages: Pages) {
            self.pages = pages
            walk = PageWalk(pages.style, limits: pages.limits)
        }

        /// Whether the last page has been handed out.
        var hasEnded: Bool {
            if case .end = walk.step { true } else { false }
        }

        /// The next page; nil behind the last.
        ///
        /// When it throws, calling it again asks for the same page; where there is no way on, it throws the same again. A
        /// total that has shrunk, or a page that belongs elsewhere, is measured against what came before: begin anew then.
        ///
        /// - Throws: What the request failed with; ``ErrandError`` with `cancelled` at once when the task is cancelled,
        ///   which cancels the request, a page asked for ahead included; `invalidPagination` for an answer that makes no
        ///   sense, `paginationLoop` for a server that goes round in circles, `tooManyPages` behind the last page allowed.
        public mutating func next() async throws -> Page? {
            switch walk.step {
            case .end: return nil
            case .fail(let error): throw error
            case .ask(let position):
                let fetch = ahead ?? pages.fetch(position, isAhead: false)
                ahead = nil
                let answer = try await fetch.answer
                let isPage = try walk.receive(answer.report)
                if pages.prefetch, case .ask(let next) = walk.step { ahead = pages.fetch(next, isAhead: true) }
                return isPage ? answer.page : nil
            }
        }
    }
}
