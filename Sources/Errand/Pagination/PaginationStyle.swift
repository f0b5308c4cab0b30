/// How an API counts its pages, and how it is asked for one.
///
/// ```swift
/// Pages(.pageNumber(size: 50)) { page in UsersRequest(page: page) }
/// Pages(.offset(limit: 100, offsetName: "start")) { page in UsersRequest(page: page) }
/// Pages(.cursor(nextField: "X-Next")) { page in UsersRequest(page: page) }
/// Pages(.link()) { page in UsersRequest(page: page) }
/// ```
///
/// Nonsense, such as a size of 0, fails with ``ErrandError/Code-swift.struct/invalidPagination`` when the first page is
/// asked for.
public struct PaginationStyle: Sendable {
    /// What is asked for first.
    let start: PagePosition.Place
    /// The number or offset of the beginning of the list.
    var beginning = 0
    /// How many items are asked for.
    let size: Int?
    /// The parameter that names the place, and the one that names the size.
    let names: (place: String, size: String)
    /// Whether a page with fewer items than the others is the last.
    var endsAtShortPage = true
    /// The header field that has the total.
    var totalField: String?
    /// The header field that has the next cursor.
    var nextField: String?
    /// Where links may lead to, other than to where they came from.
    var trustedOrigins: Set<PageOrigin> = []

    /// Pages with numbers: `?page=1&per_page=50`.
    ///
    /// It is over when the page says so (``PaginatedData``, or ``PageInfo/next``); when as many items have come as the
    /// total says; and where nothing is said, with a page that has none, or fewer than those before it. A first page
    /// that has fewer than were asked for may be all that the server ever gives at once, so one more is asked for.
    ///
    /// - Parameters:
    ///   - size: How many items to ask for, 1 or more; nil leaves it to the server.
    ///   - first: The number of the first page: 1, or 0 where the server counts from there.
    ///   - startingAt: The number of the page to begin with; nil begins with the first.
    ///   - pageName: The parameter that has the number.
    ///   - sizeName: The parameter that has the size.
    ///   - totalField: The header field that has the total where the page has none; nil asks for none.
    ///   - endsAtShortPage: False for a server that filters what it found, so that pages in the middle may be short.
    public static func pageNumber(
        size: Int?, first: Int = 1, startingAt: Int? = nil, pageName: String = "page", sizeName: String = "per_page",
        totalField: String? = "X-Total-Count", endsAtShortPage: Bool = true
    ) -> PaginationStyle {
        PaginationStyle(
            start: .number(startingAt ?? first), beginning: first, size: size, names: (pageName, sizeName),
            endsAtShortPage: endsAtShortPage,
            totalField: totalField)
    }

    /// Pages that begin at an item: `?offset=0&limit=50`.
    ///
    /// Each page begins behind the items that have come, also where the server gives fewer at once than it was asked
    /// for. It is over as with ``pageNumber(size:first:startingAt:pageName:sizeName:totalField:endsAtShortPage:)``.
    ///
    /// - Parameters:
    ///   - limit: How many items to ask for, 1 or more; nil leaves it to the server.
    ///   - first: The offset of the first item: 0, or 1 where the server counts from there.
    ///   - startingAt: The offset of the item to begin with; nil begins with the first.
    ///   - offsetName: The parameter that has the offset.
    ///   - limitName: The parameter that has the size.
    ///   - totalField: The header field that has the total where the page has none; nil asks for none.
    ///   - endsAtShortPage: False for a server that filters what it found, so that pages in the middle may be short.
    public static func offset(
        limit: Int?, first: Int = 0, startingAt: Int? = nil, offsetName: String = "offset", limitName: String = "limit",
        totalField: String? = "X-Total-Count", endsAtShortPage: Bool = true
    ) -> PaginationStyle {
        PaginationStyle(
            start: .offset(startingAt ?? first), beginning: first, size: limit, names: (offsetName, limitName),
            endsAtShortPage: endsAtShortPage,
            totalField: totalField)
    }

    /// Pages that name what the next one is asked for with: `?cursor=…&limit=50`.
    ///
    /// The cursor is what the page says (``CursorPage``, or ``PageInfo/next``), or what stands in a header field. It is
    /// over when there is none, or an empty one. A page that cannot have said anything, such as an array where no field
    /// is named, fails with ``ErrandError/Code-swift.struct/invalidPagination``.
    ///
    /// - Parameters:
    ///   - limit: How many items to ask for, 1 or more; nil leaves it to the server.
    ///   - startingAt: The cursor to begin with; nil begins at the beginning, and sends none.
    ///   - cursorName: The parameter that has the cursor.
    ///   - limitName: The parameter that has the size.
    ///   - nextField: The header field that has the next cursor; nil looks into the page.
    public static func cursor(
        limit: Int? = nil, startingAt: String? = nil, cursorName: String = "cursor", limitName: String = "limit",
        nextField: String? = nil
    ) -> PaginationStyle {
        PaginationStyle(
            start: .cursor(startingAt), size: limit, names: (cursorName, limitName), nextField: nextField)
    }

    /// Pages whose answers link to the next one: `Link: </users?page=2>; rel="next"` (RFC 8288).
    ///
    /// It is over with an answer that has no such link. A link to another origin than that of its answer fails with
    /// ``ErrandError/Code-swift.struct/invalidPagination``: requests carry credentials.
    ///
    /// - Parameters:
    ///   - size: How many items to ask for with the first page, 1 or more; the links know the rest, and so does
    ///     `startingAt`. Nil leaves it to the server.
    ///   - startingAt: The URL to begin with; nil begins where the request itself goes.
    ///   - sizeName: The parameter that has the size.
    ///   - trustedOrigins: URLs at whose scheme, host and port links may lead to, too.
    public static func link(
        size: Int? = nil, startingAt: URL? = nil, sizeName: String = "per_page", trustedOrigins: [URL] = []
    ) -> PaginationStyle {
        PaginationStyle(
            start: .link(startingAt), size: size, names: ("link", sizeName),
            trustedOrigins: Set(trustedOrigins.compactMap(PageOrigin.init)))
    }
}

extension PaginationStyle {
    /// Where the first page is: for the test of a leaf, or to send one alone.
    public var firstPosition: PagePosition { position(at: start, index: 0) }

    /// Whether what was configured can be asked.
    func check() throws(ErrandError) {
        guard size.map({ $0 > 0 }) ?? true else {
            throw ErrandError(.invalidPagination, reason: "the page size is not above zero")
        }
        guard !names.place.isEmpty, !names.size.isEmpty, names.place != names.size else {
            throw ErrandError(.invalidPagination, reason: "the parameters need names, and different ones")
        }
        switch start {
        case .number(let start), .offset(let start):
            guard beginning >= 0, start >= beginning else {
                throw ErrandError(.invalidPagination, reason: "the first page is before the beginning")
            }
        case .cursor, .link: break
        }
    }

    /// What the request for a place has to say.
    func position(at place: PagePosition.Place, index: Int) -> PagePosition {
        var query: Query = [:]
        switch place {
        case .number(let value), .offset(let value): query = [names.place: value, names.size: size]
        case .cursor(let cursor): query = [names.place: cursor, names.size: size]
        case .link(nil): query = [names.size: size]
        case .link: break
        }
        return PagePosition(index: index, size: size, query: query, place: place, trustedOrigins: trustedOrigins)
    }
}
