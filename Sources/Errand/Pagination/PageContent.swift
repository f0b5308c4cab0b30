/// A page of a list: its items, and the information that it contains about itself.
///
/// Arrays are pages. A custom type that wraps the items returns them, and the other information from the server:
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
    /// Information with the cursor of the next page, or without a next page.
    public var pageInfo: PageInfo { PageInfo(next: nextCursor.map { $0.isEmpty ? .last : .cursor($0) } ?? .last) }
}
