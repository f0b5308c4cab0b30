/// What a page says of itself; whatever it leaves out is nil.
public struct PageInfo: Hashable, Sendable {
    /// What a page says of the one behind it.
    public enum Next: Hashable, Sendable {
        /// Nothing.
        case unsaid
        /// There is none.
        case last
        /// There is one.
        case more
        /// There is one, and it is asked for with this.
        case cursor(String)
    }

    /// How many items there are on all pages together.
    public var total: Int?
    /// The number of this page.
    public var page: Int?
    /// The number that the first page has; 1 by default.
    public var firstPage: Int
    /// How many items a page has at most.
    public var pageSize: Int?
    /// What follows.
    public var next: Next

    /// So much is known. None of it is checked before the page is taken.
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
