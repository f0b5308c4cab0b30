/// One page on its way. Whoever waits for it and is cancelled leaves at once; when nobody waits and nobody keeps it, the
/// request is cancelled.
final class PageFetch<Page: PageContent & Sendable>: Sendable {
    /// A page, and what it tells about the way.
    struct Answer: Sendable {
        let page: Page
        let report: PageReport
    }

    private let run: Pipeline<Answer, any Error>
    /// What waits for a page that nobody has asked for yet.
    private let keeper: Task<Void, Never>?

    /// - Parameter isAhead: Whether to begin now, and not when somebody waits.
    init(isAhead: Bool, _ load: @escaping @Sendable () async throws -> Page) {
        let run = Pipeline { () async throws(any Error) in
            let observer = HeadObserver(wantsDigest: true)
            let page = try await HeadObserver.$current.withValue(observer) { try await load() }
            return Answer(page: page, report: Self.report(page, observer))
        }
        .share()
        self.run = run
        keeper = isAhead ? Task { _ = await run.result } : nil
    }

    deinit {
        keeper?.cancel()
    }

    /// The page, once it is there.
    ///
    /// - Throws: ``ErrandError`` with `cancelled` at once when the waiting task is cancelled; what the request failed with.
    var answer: Answer {
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
