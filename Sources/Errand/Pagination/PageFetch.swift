/// The request for one page. A waiting task that is cancelled stops waiting at once; when no task waits and the fetch
/// is released, the request is cancelled.
final class PageFetch<Page: PageContent & Sendable>: Sendable {
    /// A page, and what the iteration needs to know about it.
    struct Answer: Sendable {
        let page: Page
        let report: PageReport
    }

    private let run: Pipeline<Answer?, any Error>
    /// Waits for a page that was requested ahead.
    private let keeper: Task<Void, Never>?

    /// - Parameters:
    ///   - isAhead: Whether to begin now, and not when a task waits.
    ///   - mayBeMissing: Whether a failed request that got the status 404 is no failure.
    ///   - load: Sends the request.
    init(isAhead: Bool, mayBeMissing: Bool, _ load: @escaping @Sendable () async throws -> Page) {
        let run = Pipeline<Answer?, any Error> { () async throws(any Error) in
            let observer = HeadObserver(wantsDigest: true)
            do {
                let page = try await TaskContext.$current.withValue(TaskContext.current.with(observer)) {
                    try await load()
                }
                return Answer(page: page, report: Self.report(page, observer))
            } catch  where mayBeMissing && observer.latest?.statusCode == 404 {
                return nil
            }
        }
        .share()
        self.run = run
        keeper = isAhead ? Task { _ = await run.result } : nil
    }

    deinit {
        keeper?.cancel()
    }

    /// The page once it is received; `nil` when the server has no such page.
    ///
    /// - Throws: ``ErrandError`` with `cancelled` at once when the waiting task is cancelled; the failure of the
    ///   request.
    var answer: Answer? {
        get async throws { try await run.value }
    }

    private static func report(_ page: Page, _ observer: HeadObserver) -> PageReport {
        let items = page.pageItems
        let fingerprint = PageReport.Fingerprint(items: (items as? any Hashable)?.hashValue, body: observer.digest)
        return PageReport(
            count: items.count, info: page.pageInfo, fingerprint: fingerprint.isEmpty ? nil : fingerprint,
            head: observer.latest)
    }
}
