/// What a page holds, as far as going through pages has to know: its items, and what it says of itself.
///
/// Arrays are pages. A page of your own that wraps its items says where they are, and what the server told beside them:
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
/// ``PaginatedData`` is this for a page that knows its number, ``CursorPage`` for one that names what comes next.
public protocol PageContent {
    /// The items, in order.
    associatedtype Items: Collection

    /// The items of this page.
    var pageItems: Items { get }
    /// What the page says of itself and of what follows; nothing by default.
    var pageInfo: PageInfo { get }
}

extension PageContent {
    /// Nothing.
    public var pageInfo: PageInfo { PageInfo() }
}

extension Array: PageContent {
    /// The array itself.
    public var pageItems: [Element] { self }
}

/// A page that names what the next one is asked for with.
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
    /// What the next page is asked for with; nil or empty on the last.
    var nextCursor: String? { get }
}

extension CursorPage {
    /// The cursor.
    public var pageInfo: PageInfo { PageInfo(next: nextCursor.map { $0.isEmpty ? .last : .cursor($0) } ?? .last) }
}
