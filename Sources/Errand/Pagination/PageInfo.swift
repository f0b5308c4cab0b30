/// What a page states about itself; values that it does not state are `nil`.
public struct PageInfo: Hashable, Sendable {
    /// What a page states about the next page.
    public enum Next: Hashable, Sendable {
        /// Nothing: the style decides.
        case unsaid
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
    /// The number that the first page has; 1 by default.
    public var firstPage: Int
    /// The largest number of items on a page.
    public var pageSize: Int?
    /// The next page.
    public var next: Next

    /// Creates the information; the values are checked when ``Pages`` receives the page.
    public init(
        total: Int? = nil, page: Int? = nil, firstPage: Int = 1, pageSize: Int? = nil, next: Next = .unsaid
    ) {
        self.total = total
        self.page = page
        self.firstPage = firstPage
        self.pageSize = pageSize
        self.next = next
    }
}
