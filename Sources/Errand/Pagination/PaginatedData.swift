/// A page with its number, its size and the total.
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
/// The properties computed from them throw ``ErrandError/Code-swift.struct/invalidPagination`` for a negative total, a
/// size below 1, and a number before the first page or after the last. A list without items has no pages, and its first
/// page is also its last. ``Pages`` uses the number to find repeated pages, and the total as its ``TotalPolicy`` says.
public protocol PaginatedData: PageContent {
    /// The number of this page.
    var page: Int { get }
    /// The largest number of items on a page.
    var pageSize: Int { get }
    /// The number of items on all pages.
    var total: Int { get }
    /// The number of the first page: 1 by default, 0 for a server that counts from 0.
    var firstPage: Int { get }
}

extension PaginatedData {
    /// 1.
    public var firstPage: Int { 1 }

    /// The number of items on this page.
    public var count: Int { pageItems.count }

    /// The number of pages; 0 when there are no items.
    public var pageCount: Int {
        get throws(ErrandError) { try arithmetic.pageCount }
    }

    /// Whether this is the first page.
    public var isFirst: Bool {
        get throws(ErrandError) { try arithmetic.index == 0 }
    }

    /// Whether this is the last page.
    public var isLast: Bool {
        get throws(ErrandError) { try arithmetic.isLast }
    }

    /// The indices, counted from 0, that the items of this page have in the whole list.
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
