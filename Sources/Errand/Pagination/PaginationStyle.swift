/// How far the total that a server states is trusted, by number and by offset.
public enum TotalPolicy: Hashable, Sendable {
    /// The total is a hint, the default: it may be estimated or capped, and items may be added and removed meanwhile.
    ///
    /// A page after the one that reaches the total is requested, unless that page has fewer items than the others; a
    /// response of 404 to that request ends the list. A total that is missing or invalid is ignored.
    case advisory
    /// The total is exact: the list ends when it is reached, which saves the request for a page after the last one.
    ///
    /// A total that is invalid, that shrinks between two pages, or that is smaller than the number of items received
    /// fails with ``ErrandError/Code-swift.struct/invalidPagination``.
    case strict
}

/// How an API counts its pages, and how a request asks for one.
///
/// ```swift
/// Pages(.pageNumber(size: 50)) { _ in UsersRequest() }
/// Pages(.offset(limit: 100, offsetName: "start")) { _ in UsersRequest() }
/// Pages(.cursor(nextField: "X-Next")) { _ in UsersRequest() }
/// Pages(.link()) { _ in UsersRequest() }
/// ```
///
/// An invalid style, such as one with a size of 0, fails with ``ErrandError/Code-swift.struct/invalidPagination`` when
/// the first page is requested.
public struct PaginationStyle: Sendable {
    /// The position of the first page to request.
    let start: PagePosition.Place
    /// The number or offset at which the list begins.
    var beginning = 0
    /// The number of items to request.
    let size: Int?
    /// The query parameters for the position and for the size.
    let names: (place: String, size: String)
    /// Whether a page with fewer items than the others is the last.
    var endsAtShortPage = true
    /// The header field with the total.
    var totalField: String?
    /// How far totals are trusted; `nil` when they are ignored.
    var totals: TotalPolicy?
    /// The header field with the next cursor.
    var nextField: String?
    /// The origins that links may lead to, besides the one they came from.
    var trustedOrigins: Set<Origin> = []

    /// Pages with numbers: `?page=1&per_page=50`.
    ///
    /// The list ends when the page says so (``PageInfo/next``), with an empty page, and with a page that has fewer
    /// items than those before it, unless the total promises more. A first page with fewer items than requested ends
    /// the list only if the total confirms that: the server may send no more at once.
    ///
    /// - Parameters:
    ///   - size: The number of items to request, 1 or more; `nil` leaves it to the server.
    ///   - first: The number of the first page: 1, or 0 for a server that counts from 0.
    ///   - startingAt: The number of the page to begin with; `nil` begins with the first.
    ///   - pageName: The query parameter for the number.
    ///   - sizeName: The query parameter for the size.
    ///   - totalField: The header field with the total, for pages without one; `nil` reads no header field.
    ///   - totals: How far totals are trusted.
    ///   - endsAtShortPage: `false` for a server that filters its pages, so that pages in the middle may be short.
    public static func pageNumber(
        size: Int?, first: Int = 1, startingAt: Int? = nil, pageName: String = "page", sizeName: String = "per_page",
        totalField: String? = "X-Total-Count", totals: TotalPolicy = .advisory, endsAtShortPage: Bool = true
    ) -> PaginationStyle {
        PaginationStyle(
            start: .number(startingAt ?? first), beginning: first, size: size, names: (pageName, sizeName),
            endsAtShortPage: endsAtShortPage, totalField: totalField, totals: totals)
    }

    /// Pages that begin at an item: `?offset=0&limit=50`.
    ///
    /// Each page begins after the items that were received, also when the server sends fewer than requested. The list
    /// ends as with ``pageNumber(size:first:startingAt:pageName:sizeName:totalField:totals:endsAtShortPage:)``.
    ///
    /// - Parameters:
    ///   - limit: The number of items to request, 1 or more; `nil` leaves it to the server.
    ///   - first: The offset of the first item: 0, or 1 for a server that counts from 1.
    ///   - startingAt: The offset of the item to begin with; `nil` begins with the first.
    ///   - offsetName: The query parameter for the offset.
    ///   - limitName: The query parameter for the size.
    ///   - totalField: The header field with the total, for pages without one; `nil` reads no header field.
    ///   - totals: How far totals are trusted.
    ///   - endsAtShortPage: `false` for a server that filters its pages, so that pages in the middle may be short.
    public static func offset(
        limit: Int?, first: Int = 0, startingAt: Int? = nil, offsetName: String = "offset", limitName: String = "limit",
        totalField: String? = "X-Total-Count", totals: TotalPolicy = .advisory, endsAtShortPage: Bool = true
    ) -> PaginationStyle {
        PaginationStyle(
            start: .offset(startingAt ?? first), beginning: first, size: limit, names: (offsetName, limitName),
            endsAtShortPage: endsAtShortPage, totalField: totalField, totals: totals)
    }

    /// Pages with a cursor for the next page: `?cursor=…&limit=50`.
    ///
    /// The cursor is in the page (``CursorPage``, or ``PageInfo/next``) or in a header field. The list ends without a
    /// cursor, or with an empty one; totals are ignored. A page that cannot have a cursor, such as an array when no
    /// header field is named, fails with ``ErrandError/Code-swift.struct/invalidPagination``.
    ///
    /// - Parameters:
    ///   - limit: The number of items to request, 1 or more; `nil` leaves it to the server.
    ///   - startingAt: The cursor to begin with; `nil` begins with the first page, and sends no cursor.
    ///   - cursorName: The query parameter for the cursor.
    ///   - limitName: The query parameter for the size.
    ///   - nextField: The header field with the next cursor; `nil` reads it from the page.
    public static func cursor(
        limit: Int? = nil, startingAt: String? = nil, cursorName: String = "cursor", limitName: String = "limit",
        nextField: String? = nil
    ) -> PaginationStyle {
        PaginationStyle(
            start: .cursor(startingAt), size: limit, names: (cursorName, limitName), nextField: nextField)
    }

    /// Pages whose responses link to the next page: `Link: </users?page=2>; rel="next"` (RFC 8288).
    ///
    /// The list ends with a response without such a link; totals are ignored. A link to another origin than that of its
    /// response fails with ``ErrandError/Code-swift.struct/invalidPagination``: requests carry credentials.
    ///
    /// - Parameters:
    ///   - size: The number of items to request with the first page, 1 or more; links and `startingAt` have a size of
    ///     their own. `nil` leaves it to the server.
    ///   - startingAt: The URL to begin with; `nil` begins with the URL of the request itself.
    ///   - sizeName: The query parameter for the size.
    ///   - trustedOrigins: URLs whose scheme, host and port links may also lead to.
    public static func link(
        size: Int? = nil, startingAt: URL? = nil, sizeName: String = "per_page", trustedOrigins: [URL] = []
    ) -> PaginationStyle {
        PaginationStyle(
            start: .link(startingAt), size: size, names: ("link", sizeName),
            trustedOrigins: Set(trustedOrigins.compactMap(Origin.init)))
    }
}

extension PaginationStyle {
    /// The position of the first page: for the test of a request, or to send it alone.
    public var firstPosition: PagePosition { position(at: start, index: 0) }

    /// Checks the configured values.
    func check() throws(ErrandError) {
        guard size.map({ $0 > 0 }) ?? true else {
            throw ErrandError(.invalidPagination, reason: "the page size is not positive")
        }
        guard !names.place.isEmpty, !names.size.isEmpty, names.place != names.size else {
            throw ErrandError(.invalidPagination, reason: "the two query parameters need different names")
        }
        switch start {
        case .number(let start), .offset(let start):
            guard beginning >= 0, start >= beginning else {
                throw ErrandError(.invalidPagination, reason: "the page to begin with is before the first page")
            }
        case .cursor, .link: break
        }
    }

    /// The position for the request of a page.
    func position(at place: PagePosition.Place, index: Int) -> PagePosition {
        var query: URLQuery = [:]
        switch place {
        case .number(let value), .offset(let value): query = [names.place: value, names.size: size]
        case .cursor(let cursor): query = [names.place: cursor, names.size: size]
        case .link(nil): query = [names.size: size]
        case .link: break
        }
        return PagePosition(index: index, size: size, query: query, place: place, trustedOrigins: trustedOrigins)
    }
}
