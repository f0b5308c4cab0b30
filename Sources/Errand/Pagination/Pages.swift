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
    public init<Source: Pageable & Request & SendableMetatype>(
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
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }
}
