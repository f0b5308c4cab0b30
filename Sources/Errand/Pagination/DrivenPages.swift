extension Pages {
    /// Returns the pages, one for each tick, for a list that loads more when the user reaches its end.
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
    /// The first page is requested immediately. A tick that arrives while a request is running is ignored. Of the ticks
    /// that arrive while the loop handles a page, one is kept. A failed page does not end the sequence: the next tick
    /// requests it again.
    ///
    /// The sequence ends after the last page, when the ticks have ended or thrown, and when the task is cancelled.
    /// Cancelling also cancels the request.
    ///
    /// - Parameters:
    ///   - ticks: The sequence whose elements request the next page. Each iteration reads it; an `AsyncStream` supports
    ///     only one.
    ///   - startsAtOnce: Whether the first page is requested without a tick; `true` by default.
    public func driven<Ticks: AsyncSequence & Sendable>(
        by ticks: Ticks, startsAtOnce: Bool = true
    ) -> DrivenPages<Page, Ticks> {
        DrivenPages(pages: self, ticks: ticks, startsAtOnce: startsAtOnce)
    }
}

/// The pages that ticks request. ``Pages/driven(by:startsAtOnce:)`` returns it. Each iteration begins with the first
/// page.
public struct DrivenPages<Page: PageContent & Sendable, Ticks: AsyncSequence & Sendable>: AsyncSequence, Sendable {
    /// A page, or the error of its request.
    public typealias Element = Result<Page, any Error>

    let pages: Pages<Page>
    let ticks: Ticks
    let startsAtOnce: Bool

    /// An iterator that returns a page for each tick. Only one task at a time may use it.
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

        /// Returns the page that the next tick requests, or the error of its request; `nil` after the end.
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

    /// Creates an iterator that begins with the first page. Ticks are read from the first call of `next()` on.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }
}
