/// A page of a list: its items, and the information that it contains about itself.
///
/// Arrays are pages. A custom type that wraps the items returns them and the other information from the server:
///
/// ```swift
/// struct SearchResult: Decodable, PageContent {
///     var hits: [Hit]
///     var totalHits: Int
///
///     var pageItems: [Hit] { hits }
///     var pageInfo: PageInfo { PageInfo(total: totalHits) }
/// }
/// ```
///
/// ``PaginatedData`` is for pages with a number, ``CursorPage`` for pages with a cursor.
public protocol PageContent {
    /// The items, in order.
    associatedtype Items: Collection

    /// The items of this page.
    var pageItems: Items { get }
    /// The information in the page about itself and the next page; empty by default.
    var pageInfo: PageInfo { get }
}

extension PageContent {
    /// Empty information.
    public var pageInfo: PageInfo { PageInfo() }
}

extension Array: PageContent {
    /// The array itself.
    public var pageItems: [Element] { self }
}

/// A page with a cursor for the next page.
///
/// ```swift
/// struct Timeline: Decodable, CursorPage {
///     var posts: [Post]
///     var nextCursor: String?
///
///     var pageItems: [Post] { posts }
/// }
/// ```
public protocol CursorPage: PageContent {
    /// The cursor of the next page; `nil` or empty on the last page.
    var nextCursor: String? { get }
}

extension CursorPage {
    /// Information with the cursor of the next page. Without a cursor, this page is the last.
    public var pageInfo: PageInfo { PageInfo(next: nextCursor.map { $0.isEmpty ? .last : .cursor($0) } ?? .last) }
}

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
/// ``pageCount``, ``isFirst``, ``isLast`` and ``itemRange`` throw ``ErrandError/Code-swift.struct/invalidPagination``
/// for a negative total, a size below 1, and a number before the first page or after the last one. A list without items
/// has no pages, and its first page is also its last. In a style by number, ``Pages`` compares the number with the
/// requested one. In a style by number or by offset, it uses the total to find the last page.
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

/// The information that a page contains about itself. Missing values are `nil`.
public struct PageInfo: Hashable, Sendable {
    /// The information that a page contains about the next page.
    public enum Next: Hashable, Sendable {
        /// The page does not contain this information, and the style decides.
        case unknown
        /// This page is the last.
        case last
        /// There is a next page.
        case more
        /// There is a next page with this cursor.
        case cursor(String)
    }

    /// The number of items on all pages.
    public var total: Int?
    /// The number of this page.
    public var page: Int?
    /// The number of the first page; 1 by default.
    public var firstPage: Int
    /// The maximum number of items on a page.
    public var pageSize: Int?
    /// The information about the next page.
    public var next: Next

    /// Creates the information. ``Pages`` checks the number only in a style by number, ignores a negative total, and
    /// does not read the size.
    public init(
        total: Int? = nil, page: Int? = nil, firstPage: Int = 1, pageSize: Int? = nil, next: Next = .unknown
    ) {
        self.total = total
        self.page = page
        self.firstPage = firstPage
        self.pageSize = pageSize
        self.next = next
    }
}
