/// A request that can ask for a page of a list: every ``APIBase``.
public protocol Pageable {
    /// Makes this a request for a page.
    func ask(for page: PagePosition)
}

extension APIBase: Pageable {
    /// Makes this a request for a page: adds the position to the query, or uses the URL of a link in place of base URL,
    /// path and query.
    ///
    /// ``Pages`` calls this for each page; call it to send the request for one page.
    ///
    /// ```swift
    /// let request = UsersRequest()
    /// request.ask(for: PaginationStyle.pageNumber(size: 50, startingAt: 3).firstPosition)
    /// ```
    ///
    /// A later call replaces an earlier one. A URL of another origin than the API's, which the style does not trust
    /// either, fails with ``ErrandError/Code-swift.struct/invalidPagination`` when the request is started: the API's
    /// class may add credentials to its requests.
    public final func ask(for page: PagePosition) {
        for name in pageNames where page.query[name] == nil { query[name] = nil }
        pageNames = page.query.items.map(\.name)
        for item in page.query.items { query[item.name] = item.value }
        pageLink = page.url.map { PageLink(url: $0, trustedOrigins: page.trustedOrigins) }
    }
}

/// The URL of a page, and the origins that it may have.
struct PageLink: Sendable {
    let url: URL
    let trustedOrigins: Set<Origin>

    /// The URL to request when the API has the base URL `base`; `nil` when the class has no base URL.
    func target(of base: URL?) throws(ErrandError) -> RequestURL {
        let own = base.flatMap(Origin.init)
        guard let origin = Origin(url), own == nil || origin == own || trustedOrigins.contains(origin) else {
            throw ErrandError(.invalidPagination, reason: "the next link leads to another origin")
        }
        return RequestURL(base: url, path: "", query: [:])
    }
}
