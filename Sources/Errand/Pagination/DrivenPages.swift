extension Pages {
    /// The pages, one for each tick: for a list that loads more as its reader comes to its end.
    ///
    /// ```swift
    /// for await page in pages.driven(by: reachedEnd) {
    ///     switch page {
    ///     case .success(let users): show(users)
    ///     case .failure(let error): offerRetry(error)
    ///     }
    /// }
    /// ```
    ///
    /// The first page is asked for at once. Ticks that come while a request is running are dropped; of those that come
    /// while the loop is busy with a page, one is kept. A failed page does not end it: the next tick asks for it once more.
    ///
    /// It ends behind the last page, when the ticks have ended or thrown, and when the task is cancelled, which cancels
    /// the request too.
    ///
    /// - Parameters:
    ///   - ticks: What asks for the next page. Each iteration reads it; an `AsyncStream` can be read by one alone.
    ///   - startsAtOnce: Whether the first page is asked for without a tick.
    public func driven<Ticks: AsyncSequence & Sendable>(
        by ticks: Ticks, startsAtOnce: Bool = true
    ) -> DrivenPages<Page, Ticks> {
        DrivenPages(pages: self, ticks: ticks, startsAtOnce: startsAtOnce)
    }
}

/// The pages that ticks ask for, as ``Pages/driven(by:startsAtOnce:)`` gives them. Each iteration starts anew.
public struct DrivenPages<Page: PageContent & Sendable, Ticks: AsyncSequence & Sendable>: AsyncSequence, Sendable {
    /// A page, or why it did not come.
    public typealias Element = Result<Page, any Error>

    let pages: Pages<Page>
    let ticks: Ticks
    let startsAtOnce: Bool

    /// Gives a page for each tick; to be used by one task at a time.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var pages: Pages<Page>.AsyncIterator
        private let ticks: Ticks
        private let gate: TickGate
        private var listener: CancellationToken?
        private var hasEnded = false

        fileprivate init(_ driven: DrivenPages) {
            pages = driven.pages.makeAsyncIterator()
            ticks = driven.ticks
            gate = TickGate(isOpen: driven.startsAtOnce)
        }

        /// The page that the next tick asks for, or why it did not come; nil when no more can come.
        public mutating func next() async -> Result<Page, any Error>? {
            if hasEnded { return nil }
            listener = listener ?? Self.listen(to: ticks, gate)
            var result = await gate.pass() ? await nextPage() : nil
            if Task.isCancelled { result = nil }
            hasEnded = result == nil || pages.hasEnded
            if hasEnded { listener = nil }
            return result
        }

        private mutating func nextPage() async -> Result<Page, any Error>? {
            defer { gate.requestHasEnded() }
            do {
                return try await pages.next().map { .success($0) }
            } catch {
                return .failure(error)
            }
        }

        private static func listen(to ticks: Ticks, _ gate: TickGate) -> CancellationToken {
            let task = Task {
                do {
                    for try await _ in ticks { gate.tick() }
                } catch {}
                gate.ticksHaveEnded()
            }
            return CancellationToken { task.cancel() }
        }
    }

    /// Begins with the first page; ticks are read from the first `next()` on.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }
}
