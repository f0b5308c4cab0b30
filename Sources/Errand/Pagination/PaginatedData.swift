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
/// The computed properties throw ``ErrandError/Code-swift.struct/invalidPagination`` for a negative total, a size below
/// 1, and a number before the first page or after the last one. A list without items has no pages, and its first page
/// is also its last. ``Pages`` uses the number to find repeated pages, and the total to find the last page.
public protocol PaginatedData: PageContent {
    /// The number of this page.
    var page: Int { get }
    /// The maximum number of items on a page.
    var pageSize: Int { get }
    /// The number of items on all pages.
    var total: Int { get }
    /// The number of the first page: 1 by default, 0 for a server that counts from 0.
    var firstPage: Int { get }
}

extension PaginatedData {
    /// The number 1.
    public var firstPage: Int { 1 }

    /// The number of items on this page.
    public var count: Int { pageItems.count }

    /// The number of pages; 0 if there are no items.
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

    /// The indices of this page's items in the whole list, from 0.
    public var itemRange: Range<Int> {
        get throws(ErrandError) { try arithmetic.itemRange }
    }

    /// Information with the number, the size and the total.
    public var pageInfo: PageInfo { PageInfo(total: total, page: page, firstPage: firstPage, pageSize: pageSize) }

    private var arithmetic: PageArithmetic {
        get throws(ErrandError) {
            try PageArithmetic(page: page, firstPage: firstPage, pageSize: pageSize, total: total)
        }
    }
}
