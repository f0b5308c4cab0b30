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
    ///   - schedule: Builds the request.
    init(isAhead: Bool, mayBeMissing: Bool, _ schedule: @escaping @Sendable () throws -> PageRequest<Page>) {
        let run = Pipeline<Result?, any Error> { () async throws(any Error) in
            let request = try schedule()
            request.latest?.wantDigest()
            do {
                let page = try await request.pipeline.value
                return Result(page: page, report: Self.report(page, request.latest))
            } catch  where mayBeMissing && request.latest?.head?.statusCode == 404 {
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

    private static func report(_ page: Page, _ latest: LatestHead?) -> PageReport {
        let items = page.pageItems
        let fingerprint = PageReport.Fingerprint(items: (items as? any Hashable)?.hashValue, body: latest?.digest)
        return PageReport(
            count: items.count, info: page.pageInfo, fingerprint: fingerprint.isEmpty ? nil : fingerprint,
            head: latest?.head)
    }
}

/// The request for a page, whatever its failure.
struct PageRequest<Page: Sendable>: Sendable {
    let pipeline: Pipeline<Page, any Error>
    let latest: LatestHead?

    init(_ request: ScheduledRequest<Page, some Error>) {
        pipeline = request.pipeline.mapError { $0 as any Error }
        latest = request.latest
    }
}
