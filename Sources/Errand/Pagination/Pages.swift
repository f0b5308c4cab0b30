/// The pages of a list, one after the other, as an `AsyncSequence`.
///
/// ```swift
/// let pages = Pages(.pageNumber(size: 50)) { page in UsersRequest(page: page) }
///
/// for try await page in pages { print(page.count) }
/// for try await user in pages.items { print(user.name) }
/// ```
///
/// It is a description: each iteration starts anew, and many may run at once. A page is asked for when `next()` is called
/// and not before, or, with `prefetch`, one ahead. A page that fails throws, and its place is not lost: calling `next()`
/// of the same iterator asks for it once more.
///
/// Where a page ends and the next begins is the ``PaginationStyle``'s. What it needs of the answer's head, such as `Link`,
/// it learns by itself, whatever the leaf turns the answer into.
public struct Pages<Page: PageContent & Sendable>: AsyncSequence, Sendable {
    /// A page.
    public typealias Element = Page

    let style: PaginationStyle
    let limits: PageLimits
    let prefetch: Bool
    let load: @Sendable (PagePosition) async throws -> Page

    /// The pages that requests give.
    ///
    /// - Parameters:
    ///   - style: How the API counts.
    ///   - prefetch: Whether the next page is asked for as soon as one is handed out. When that fails, it is told when the
    ///     page is asked for; it is cancelled with the iterator, and by a `next()` that is cancelled.
    ///   - limits: What keeps it from going on for ever.
    ///   - request: Makes the request for a page; called each time one is asked for, from any thread.
    public init<Source: Request & SendableMetatype>(
        _ style: PaginationStyle, prefetch: Bool = false, limits: PageLimits = PageLimits(),
        request: @escaping @Sendable (PagePosition) throws -> Source
    ) where Source.Output == Page {
        self.init(style, prefetch: prefetch, limits: limits) { try request($0).start() }
    }

    /// The pages that pipelines give.
    ///
    /// - Parameters: As for requests.
    public init<Failure: Error>(
        _ style: PaginationStyle, prefetch: Bool = false, limits: PageLimits = PageLimits(),
        pipeline: @escaping @Sendable (PagePosition) throws -> Pipeline<Page, Failure>
    ) {
        self.init(style, prefetch: prefetch, limits: limits, load: { try await pipeline($0).result.get() })
    }

    /// The pages that scheduled requests give, each a ``Response`` of its own: to another service, say.
    ///
    /// - Parameters: As for requests.
    public init<Failure: Error>(
        _ style: PaginationStyle, prefetch: Bool = false, limits: PageLimits = PageLimits(),
        response: @escaping @Sendable (PagePosition) throws -> Response<Page, Failure>
    ) {
        self.init(
            style, prefetch: prefetch, limits: limits,
            load: { position in
                let response = try response(position)
                let page = try await response.result.get()
                // Someone else may have sent it, and then nobody told us.
                if let observer = HeadObserver.current, observer.latest == nil, let head = try await response.head {
                    observer.headIsKnown(head)
                }
                return page
            })
    }

    /// The pages that an async closure gives. A head is known of the last request that it sent.
    ///
    /// - Parameters: As for requests.
    public init(
        _ style: PaginationStyle, prefetch: Bool = false, limits: PageLimits = PageLimits(),
        load: @escaping @Sendable (PagePosition) async throws -> Page
    ) {
        self.style = style
        self.prefetch = prefetch
        self.limits = limits
        self.load = load
    }

    /// Begins with the first page; nothing is asked for yet.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }

    func fetch(_ position: PagePosition, isAhead: Bool) -> PageFetch<Page> {
        PageFetch(isAhead: isAhead) { [load] in try await load(position) }
    }
}
