/// The position of a page in a list, for the request of that page.
///
/// ``Pages`` sets it as ``APIBase/pagePosition``; ``Endpoint/page(_:)`` sets it for an endpoint. A request that sends
/// the position elsewhere than in the query reads these properties.
///
/// The description shows neither a cursor nor a URL.
public struct PagePosition: Hashable, Sendable {
    /// The position in one style of pagination.
    enum Place: Hashable, Sendable {
        case number(Int)
        case offset(Int)
        case cursor(String?)
        case link(URL?)
    }

    /// The number of pages before this one in the iteration; 0 for the first.
    public let index: Int
    /// The number of items to request; `nil` leaves the number to the server.
    public let size: Int?
    /// The query items that request the page; empty if ``url`` contains the whole query.
    public let query: URLQuery
    let place: Place
    /// The origins other than the API's to which links may lead.
    let trustedOrigins: Set<Origin>

    /// The number of the page; `nil` in other styles.
    public var number: Int? {
        guard case .number(let number) = place else { return nil }
        return number
    }

    /// The offset of the first item; `nil` in other styles.
    public var offset: Int? {
        guard case .offset(let offset) = place else { return nil }
        return offset
    }

    /// The cursor; `nil` in other styles, and for the first page unless the style begins with a cursor.
    public var cursor: String? {
        guard case .cursor(let cursor) = place else { return nil }
        return cursor
    }

    /// The URL of the page; `nil` in other styles, and for the first page unless the style begins with a URL.
    public var url: URL? {
        guard case .link(let url) = place else { return nil }
        return url
    }

    /// Returns a query in which the items of this page replace those of the same name.
    func query(replacing query: URLQuery) -> URLQuery {
        var query = query
        for item in self.query.items { query[item.name] = item.value }
        return query
    }

    /// Returns a base URL without the query items whose names the query of this page sets.
    func base(replacing url: URL) -> URL {
        let names = Set(query.names)
        guard !names.isEmpty, var components = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let items = components.percentEncodedQuery?.split(separator: "&", omittingEmptySubsequences: false)
        else { return url }
        let kept = items.filter { item in !names.contains(item.prefix { $0 != "=" }.formDecoded) }
        guard kept.count < items.count else { return url }
        components.percentEncodedQuery = kept.isEmpty ? nil : kept.joined(separator: "&")
        return components.url ?? url
    }

    /// Returns the URL of the page if ``url`` has it; `nil` otherwise.
    ///
    /// - Parameter base: The base URL of the API; `nil` if the class has none.
    /// - Throws: ``ErrandError`` with `invalidPagination` for a link to an origin that is not trusted.
    func linkTarget(base: URL?) throws(ErrandError) -> RequestURL? {
        guard let url else { return nil }
        let own = base.flatMap(Origin.init)
        // Without a base URL, the class has no origin to which the link must lead.
        guard let origin = Origin(url), base == nil || origin == own || trustedOrigins.contains(origin) else {
            throw ErrandError(.invalidPagination, reason: "the next link leads to another origin")
        }
        return RequestURL(base: url, path: "", query: [:], baseName: "url")
    }
}

extension PagePosition: Confidential {
    /// The index of the page.
    public var description: String { "page at index \(index)" }
}
