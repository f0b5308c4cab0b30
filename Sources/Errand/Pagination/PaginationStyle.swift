/// The way in which an API counts its pages, and in which a request selects one.
///
/// ```swift
/// Pages(.pageNumber(size: 50)) { _ in UsersRequest() }
/// Pages(.offset(limit: 100, offsetName: "start")) { _ in UsersRequest() }
/// Pages(.cursor(nextField: "X-Next")) { _ in UsersRequest() }
/// Pages(.link()) { _ in UsersRequest() }
/// Pages(.link(field: "Next-Page")) { _ in UsersRequest() }
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
    /// Whether a page with fewer items than a full page ends the list, if no total is known.
    var endsAtShortPage = true
    /// The header field with the total.
    var totalField: String?
    /// The header field with the next cursor or link. Links without it are in `Link` fields.
    var nextField: String?
    /// The allowed origins of links, in addition to the origin of the response.
    var trustedOrigins: Set<Origin> = []

    /// Returns a style for pages with numbers: `?page=1&per_page=50`.
    ///
    /// If a page indicates whether another one follows (``PageInfo/next``), that decides. Otherwise, the list ends with
    /// an empty page, and with the page that reaches the total. Without a total, it also ends with a page that has
    /// fewer items than requested and fewer than the first page. A short first page does not end it, since the server
    /// may limit the size of a page.
    ///
    /// - Parameters:
    ///   - size: The number of items to request, 1 or more; with `nil`, the server decides.
    ///   - first: The number of the first page: 1 by default, or 0 for a server that counts from 0.
    ///   - startingAt: The number of the page to begin with; with `nil`, the first page.
    ///   - pageName: The query parameter for the number.
    ///   - sizeName: The query parameter for the size.
    ///   - totalField: The header field with the total, for pages without one. Use `nil` for a total that is estimated
    ///     or capped, and must not end the list.
    ///   - endsAtShortPage: Whether a short page may end the list; `true` by default. Use `false` for a server that
    ///     filters its pages, so that pages in the middle may be short.
    public static func pageNumber(
        size: Int?, first: Int = 1, startingAt: Int? = nil, pageName: String = "page", sizeName: String = "per_page",
        totalField: String? = "X-Total-Count", endsAtShortPage: Bool = true
    ) -> PaginationStyle {
        PaginationStyle(
            start: .number(startingAt ?? first), beginning: first, size: size, names: (pageName, sizeName),
            endsAtShortPage: endsAtShortPage, totalField: totalField)
    }

    /// Returns a style for pages that begin at an item: `?offset=0&limit=50`.
    ///
    /// Each page begins after the received items, also if the server sends fewer than requested. The list ends as with
    /// ``pageNumber(size:first:startingAt:pageName:sizeName:totalField:endsAtShortPage:)``.
    ///
    /// - Parameters:
    ///   - limit: The number of items to request, 1 or more; with `nil`, the server decides.
    ///   - first: The offset of the first item: 0 by default, or 1 for a server that counts from 1.
    ///   - startingAt: The offset of the item to begin with; with `nil`, the first item.
    ///   - offsetName: The query parameter for the offset.
    ///   - limitName: The query parameter for the size.
    ///   - totalField: The header field with the total, for pages without one. Use `nil` for a total that is estimated
    ///     or capped, and must not end the list.
    ///   - endsAtShortPage: Whether a short page may end the list; `true` by default. Use `false` for a server that
    ///     filters its pages, so that pages in the middle may be short.
    public static func offset(
        limit: Int?, first: Int = 0, startingAt: Int? = nil, offsetName: String = "offset", limitName: String = "limit",
        totalField: String? = "X-Total-Count", endsAtShortPage: Bool = true
    ) -> PaginationStyle {
        PaginationStyle(
            start: .offset(startingAt ?? first), beginning: first, size: limit, names: (offsetName, limitName),
            endsAtShortPage: endsAtShortPage, totalField: totalField)
    }

    /// Returns a style for pages with a cursor for the next page: `?cursor=…&limit=50`.
    ///
    /// The cursor is in the page (``CursorPage``, or ``PageInfo/next``) or in a header field. The list ends with a
    /// missing or empty cursor. Totals are ignored. A page that cannot contain a cursor, such as an array without a
    /// header field, fails with ``ErrandError/Code-swift.struct/invalidPagination``.
    ///
    /// - Parameters:
    ///   - limit: The number of items to request, 1 or more; with `nil`, the default, the server decides.
    ///   - startingAt: The cursor to begin with; with `nil`, the first page, without a cursor.
    ///   - cursorName: The query parameter for the cursor.
    ///   - limitName: The query parameter for the size.
    ///   - nextField: The header field with the next cursor; with `nil`, the cursor is read from the page.
    public static func cursor(
        limit: Int? = nil, startingAt: String? = nil, cursorName: String = "cursor", limitName: String = "limit",
        nextField: String? = nil
    ) -> PaginationStyle {
        PaginationStyle(
            start: .cursor(startingAt), size: limit, names: (cursorName, limitName), nextField: nextField)
    }

    /// Returns a style for pages whose responses link to the next page: `Link: </users?page=2>; rel="next"` (RFC 8288),
    /// or a field of the API such as `Next-Page: https://api.example.com/users?page=2`.
    ///
    /// The list ends with a response without such a link; an empty field of the API counts as none. Totals are ignored.
    /// A link to another origin than that of its response fails with
    /// ``ErrandError/Code-swift.struct/invalidPagination``, since requests contain credentials.
    ///
    /// - Parameters:
    ///   - field: The header field whose whole value is the URL of the next page; with `nil`, the default, the link is
    ///     read from `Link`. A relative URL is resolved against that of the response.
    ///   - size: The number of items to request with the first page, 1 or more; with `nil`, the default, the server
    ///     decides. Links and `startingAt` contain their own size.
    ///   - startingAt: The URL to begin with; with `nil`, the URL of the request.
    ///   - sizeName: The query parameter for the size.
    ///   - trustedOrigins: URLs with additional allowed origins (scheme, host and port) of links; empty by default.
    public static func link(
        field: String? = nil, size: Int? = nil, startingAt: URL? = nil, sizeName: String = "per_page",
        trustedOrigins: [URL] = []
    ) -> PaginationStyle {
        PaginationStyle(
            start: .link(startingAt), size: size, names: ("", sizeName), nextField: field,
            trustedOrigins: Set(trustedOrigins.compactMap(Origin.init)))
    }
}

extension PaginationStyle {
    /// The position of the first page to request, for tests of a request, or to request only this page.
    public var firstPosition: PagePosition { position(at: start, index: 0) }

    /// Checks the configured values.
    func check() throws(ErrandError) {
        guard (size ?? 1) > 0 else {
            throw ErrandError(.invalidPagination, reason: "the page size is not positive")
        }
        // A link contains the position, so its style has no query parameter for it.
        let isLink = if case .link = start { true } else { false }
        guard !names.size.isEmpty, isLink || (!names.place.isEmpty && names.place != names.size) else {
            throw ErrandError(.invalidPagination, reason: "a query parameter has no name, or both have the same")
        }
        switch start {
        case .number(let start), .offset(let start):
            guard beginning >= 0, start >= beginning else {
                throw ErrandError(.invalidPagination, reason: "the page to begin with is before the first page")
            }
        case .cursor, .link: break
        }
    }

    /// Returns the position for the request of a page. The query omits a size or cursor that is `nil`.
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
