/// A page that knows its number, its size and the total.
///
/// ```swift
/// struct UserPage: Decodable, PaginatedData {
///     var users: [User]
///     var page: Int
///     var pageSize: Int
///     var total: Int
///
///     var pageItems: [User] { users }
/// }
/// ```
///
/// What is computed from the three throws ``ErrandError/Code-swift.struct/invalidPagination`` where they make no sense
/// together: a negative total, a size below 1, a number before the first page or behind the last. A list without items
/// has no pages, and its first page is also its last.
public protocol PaginatedData: PageContent {
    /// The number of this page.
    var page: Int { get }
    /// How many items a page has at most; this one may have fewer.
    var pageSize: Int { get }
    /// How many items there are on all pages together.
    var total: Int { get }
    /// The number that the first page has: 1 by default, 0 where the server counts from there.
    var firstPage: Int { get }
}

extension PaginatedData {
    /// Counted from one.
    public var firstPage: Int { 1 }

    /// How many items this page has.
    public var count: Int { pageItems.count }

    /// How many pages there are; 0 when there are no items.
    public var pageCount: Int {
        get throws(ErrandError) { try arithmetic.pageCount }
    }

    /// Whether no page is before this one.
    public var isFirst: Bool {
        get throws(ErrandError) { try arithmetic.index == 0 }
    }

    /// Whether no page is behind this one.
    public var isLast: Bool {
        get throws(ErrandError) { try arithmetic.isLast }
    }

    /// Which items of the whole list belong on this page, counted from 0.
    public var itemRange: Range<Int> {
        get throws(ErrandError) { try arithmetic.itemRange }
    }

    /// Number, size and total.
    public var pageInfo: PageInfo { PageInfo(total: total, page: page, firstPage: firstPage, pageSize: pageSize) }

    private var arithmetic: PageArithmetic {
        get throws(ErrandError) {
            try PageArithmetic(page: page, firstPage: firstPage, pageSize: pageSize, total: total)
        }
    }
}
