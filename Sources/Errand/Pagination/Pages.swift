/// The pages of a list, as an `AsyncSequence`.
///
/// ```swift
/// let pages = Pages(.pageNumber(size: 50)) { _ in UsersRequest() }
///
/// for try await page in pages { print(page.count) }
/// for try await user in pages.items { print(user.name) }
/// ```
///
/// The value only describes the iteration. Each iteration begins with the first page, and several may run at once. A
/// page is requested when `next()` is called, or one page earlier with `prefetch`. If a request fails, `next()` throws,
/// and its next call requests the same page again.
///
/// The ``PaginationStyle`` determines how the request selects a page, and when the list has ended. The header fields
/// that the style needs, such as `Link`, are read before the response is decoded.
public struct Pages<Page: PageContent & Sendable>: AsyncSequence, Sendable {
    /// A page.
    public typealias Element = Page

    let style: PaginationStyle
    let limits: PageLimits
    let prefetch: Bool
    let schedule: @Sendable (PagePosition) throws -> PageRequest<Page>

    /// Creates the pages of a request's list.
    ///
    /// The request needs no code for its pages. ``APIBase/pagePosition`` is set for each page, which adds the position
    /// to the query.
    ///
    /// - Parameters:
    ///   - style: The way in which the API counts its pages.
    ///   - prefetch: Whether the next page is requested as soon as a page is returned; `false` by default. If that
    ///     request fails, the error is thrown only by the call that would return the page. The request is cancelled
    ///     when the iterator is released, and when the task of `next()` is cancelled.
    ///   - limits: The limits of the iteration.
    ///   - request: Returns a new request. It is called for each page, from any thread. The position is for requests
    ///     that depend on it, such as stubs.
    public init<Source: Request & SendableMetatype>(
        _ style: PaginationStyle, prefetch: Bool = false, limits: PageLimits = PageLimits(),
        request: @escaping @Sendable (PagePosition) throws -> Source
    ) where Source.Output == Page {
        self.init(
            style, prefetch: prefetch, limits: limits,
            request: { position in
                let request = try request(position)
                request.pagePosition = position
                return request.schedule()
            })
    }

    /// Creates the pages of a list from scheduled requests: for endpoints, for a service, and for requests that do not
    /// send the position in the query.
    ///
    /// ```swift
    /// let pages = Pages(.cursor()) { page in service.send(.get("/followers", as: [User].self).page(page)) }
    /// ```
    ///
    /// - Parameters:
    ///   - style: The way in which the API counts its pages.
    ///   - prefetch: Whether the next page is requested as soon as a page is returned; `false` by default. Failure and
    ///     cancellation are as in ``init(_:prefetch:limits:request:)-(_,_,_,(PagePosition)->Source)``.
    ///   - limits: The limits of the iteration.
    ///   - request: Returns the request for the page at a position. The iteration throws its failure.
    public init<Failure>(
        _ style: PaginationStyle, prefetch: Bool = false, limits: PageLimits = PageLimits(),
        request: @escaping @Sendable (PagePosition) throws -> ScheduledRequest<Page, Failure>
    ) {
        self.style = style
        self.prefetch = prefetch
        self.limits = limits
        schedule = { PageRequest(try request($0)) }
    }

    /// Creates pages that a closure loads, for pages that are not the response to one request.
    ///
    /// The header fields of responses are not known: for a style that needs them, return a scheduled request.
    ///
    /// - Parameters:
    ///   - style: The way in which the API counts its pages.
    ///   - prefetch: Whether the next page is loaded as soon as a page is returned; `false` by default. Failure and
    ///     cancellation are as in ``init(_:prefetch:limits:request:)-(_,_,_,(PagePosition)->Source)``.
    ///   - limits: The limits of the iteration.
    ///   - load: Loads the page at a position. The iteration throws the errors of this closure.
    public init(
        _ style: PaginationStyle, prefetch: Bool = false, limits: PageLimits = PageLimits(),
        load: @escaping @Sendable (PagePosition) async throws -> Page
    ) {
        self.init(style, prefetch: prefetch, limits: limits) { position in
            ScheduledRequest(Pipeline<Page, any Error> { () async throws(any Error) in try await load(position) })
        }
    }

    /// Creates an iterator that begins with the first page. Nothing is requested yet.
    ///
    /// After a failure of `next()`, its next call requests the same page again. If no further page can be requested,
    /// every further call throws the same error. `next()` throws the failure of the request, or ``ErrandError`` with
    /// `invalidPagination` for an invalid page, style or limit, `paginationLoop` for a server that repeats pages or
    /// sends too many empty ones, and `tooManyPages` after the last page that ``PageLimits`` allows. In a cancelled
    /// task, it throws `cancelled` immediately, and cancels the request, also one that was sent ahead. Only one task at
    /// a time may use an iterator.
    public func makeAsyncIterator() -> some AsyncIteratorProtocol<Page, any Error> & Sendable {
        PageIterator(self)
    }
}

extension Pages {
    /// The items of all pages in order. Each iteration begins with the first item.
    ///
    /// Without `prefetch`, a page is requested after the last item of the previous one. `next()` throws the errors of
    /// the iterator of ``Pages``. After an error, its next call requests the same page again. No item is lost or
    /// repeated.
    public var items: some AsyncSequence<Page.Items.Element, any Error> & Sendable { PageItems(pages: self) }
}

/// An iterator over the pages of a list.
private struct PageIterator<Page: PageContent & Sendable>: AsyncIteratorProtocol {
    private let pages: Pages<Page>
    private var walk: PageWalk
    /// The page that was requested ahead. Releasing it cancels the request.
    private var ahead: PageFetch<Page>?

    init(_ pages: Pages<Page>) {
        self.pages = pages
        walk = PageWalk(pages.style, limits: pages.limits)
    }

    mutating func next() async throws -> Page? {
        try await next(isolation: #isolation)
    }

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Page? {
        switch walk.step {
        case .end: return nil
        case .fail(let error): throw error
        case .request(let position):
            let current = ahead ?? fetch(position, isAhead: false)
            ahead = nil
            let result = try await current.result
            let isReturned = try walk.receive(result.report)
            if pages.prefetch, case .request(let next) = walk.step { ahead = fetch(next, isAhead: true) }
            return isReturned ? result.page : nil
        }
    }

    private func fetch(_ position: PagePosition, isAhead: Bool) -> PageFetch<Page> {
        PageFetch(isAhead: isAhead) { [schedule = pages.schedule] in try schedule(position) }
    }
}

/// The items of the pages of a list.
private struct PageItems<Page: PageContent & Sendable>: AsyncSequence, Sendable {
    let pages: Pages<Page>

    func makeAsyncIterator() -> PageItemIterator<Page> { PageItemIterator(pages: PageIterator(pages)) }
}

/// An iterator over the items of the pages of a list.
private struct PageItemIterator<Page: PageContent & Sendable>: AsyncIteratorProtocol {
    var pages: PageIterator<Page>
    var items: Page.Items.Iterator?

    mutating func next() async throws -> Page.Items.Element? {
        try await next(isolation: #isolation)
    }

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Page.Items.Element? {
        while true {
            if let item = items?.next() { return item }
            items = nil
            guard let page = try await pages.next(isolation: actor) else { return nil }
            items = page.pageItems.makeIterator()
        }
    }
}

/// The request for one page. A cancelled waiting task stops waiting immediately. The request is cancelled when no task
/// waits. For a page that is requested ahead, a task of the fetch waits, so that it continues until the fetch is
/// released.
final class PageFetch<Page: PageContent & Sendable>: Sendable {
    /// A page, with its report for the iteration.
    struct Result: Sendable {
        let page: Page
        let report: PageReport
    }

    private let run: Pipeline<Result, any Error>
    /// The task that waits for a page that was requested ahead.
    private let keeper: Task<Void, Never>?

    /// - Parameters:
    ///   - isAhead: Whether to begin immediately, instead of when a task first waits.
    ///   - schedule: Builds the request.
    init(isAhead: Bool, _ schedule: @escaping @Sendable () throws -> PageRequest<Page>) {
        let run = Pipeline<Result, any Error> { () async throws(any Error) in
            let request = try schedule()
            // The report contains the digest of the body.
            request.run?.wantDigest()
            let page = try await request.pipeline.value
            try (page as? DataResponse)?.requireSuccess()
            return Result(page: page, report: Self.report(page, request.run))
        }
        .share()
        self.run = run
        keeper = isAhead ? Task { _ = await run.result } : nil
    }

    deinit {
        keeper?.cancel()
    }

    /// The page.
    ///
    /// - Throws: The failure of the request; ``ErrandError`` with `cancelled`, immediately, if the waiting task is
    ///   cancelled.
    var result: Result {
        get async throws { try await run.value }
    }

    private static func report(_ page: Page, _ run: RunReport?) -> PageReport {
        let items = page.pageItems
        let fingerprint = PageReport.Fingerprint(items: (items as? any Hashable)?.hashValue, body: run?.digest)
        return PageReport(
            count: items.count, info: page.pageInfo, fingerprint: fingerprint.isEmpty ? nil : fingerprint,
            head: run?.head)
    }
}

/// The request for a page, without the type of its failure.
struct PageRequest<Page: Sendable>: Sendable {
    let pipeline: Pipeline<Page, any Error>
    /// Has the head of the page's response; `nil` for a page that a closure loads.
    let run: RunReport?

    init(_ request: ScheduledRequest<Page, some Error>) {
        pipeline = request.pipeline.mapError { $0 as any Error }
        run = request.report
    }
}
