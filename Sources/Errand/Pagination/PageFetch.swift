/// The request for one page. A cancelled waiting task stops waiting immediately. When no task waits and the fetch is
/// released, the request is cancelled.
final class PageFetch<Page: PageContent & Sendable>: Sendable {
    /// A page, with its report for the iteration.
    struct Result: Sendable {
        let page: Page
        let report: PageReport
    }

    private let run: Pipeline<Result?, any Error>
    /// The task that waits for a page that was requested ahead.
    private let keeper: Task<Void, Never>?

    /// - Parameters:
    ///   - isAhead: Whether to begin immediately, instead of when a task first waits.
    ///   - mayBeMissing: Whether status 404 means that the page does not exist, and is not a failure.
    ///   - load: Sends the request.
    init(isAhead: Bool, mayBeMissing: Bool, _ load: @escaping @Sendable () async throws -> Page) {
        let run = Pipeline<Result?, any Error> { () async throws(any Error) in
            let observer = HeadObserver(wantsDigest: true)
            do {
                let page = try await TaskContext.$current.withValue(TaskContext.current.with(observer)) {
                    try await load()
                }
                return Result(page: page, report: Self.report(page, observer))
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

    /// The page; `nil` if the server has no such page.
    ///
    /// - Throws: The failure of the request; ``ErrandError`` with `cancelled`, immediately, if the waiting task is
    ///   cancelled.
    var result: Result? {
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
