/// The information that a page contains about itself. Missing values are `nil`.
public struct PageInfo: Hashable, Sendable {
    /// The information that a page contains about the next page.
    public enum Next: Hashable, Sendable {
        /// None: the style decides.
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

    /// Creates the information. The values are checked when ``Pages`` receives the page.
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
