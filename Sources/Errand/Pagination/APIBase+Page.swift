extension APIBase {
    /// Asks for a page: adds to the query, or takes the URL that a link gave in place of base URL, path and query.
    ///
    /// ```swift
    /// final class UsersRequest: PlaceholderAPI, Request {
    ///     init(page: PagePosition) {
    ///         super.init()
    ///         path = "/users"
    ///         ask(for: page)
    ///     }
    /// ```
    ///
    /// What an earlier call has said is replaced, so that it may be called again. A URL that is not where the API is, nor at
    /// one of the origins that the style trusts, fails with ``ErrandError/Code-swift.struct/invalidPagination`` when the
    /// request is started: what the API's class adds to its requests may be a credential.
    public final func ask(for page: PagePosition) {
        for name in pageNames where page.query[name] == nil { query[name] = nil }
        pageNames = page.query.items.map(\.name)
        for item in page.query.items { query[item.name] = item.value }
        pageLink = page.url.map { PageLink(url: $0, trustedOrigins: page.trustedOrigins) }
    }
}

/// The whole URL of a page, and where it may lead.
struct PageLink: Sendable {
    let url: URL
    let trustedOrigins: Set<PageOrigin>

    /// What is asked, when the API is at `base`; nil where the class does not say where it is.
    func target(of base: URL?) throws(ErrandError) -> RequestURL {
        let own = base.flatMap(PageOrigin.init)
        guard let origin = PageOrigin(url), own == nil || origin == own || trustedOrigins.contains(origin) else {
            throw ErrandError(.invalidPagination, reason: "the next link leads to another origin")
        }
        return RequestURL(base: url, path: "", query: [:])
    }
}
