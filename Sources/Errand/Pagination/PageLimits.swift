/// Limits that protect against lists that never end.
public struct PageLimits: Hashable, Sendable {
    /// The maximum number of pages in one iteration, 1 or more; 10,000 by default.
    ///
    /// A list with more pages fails with ``ErrandError/Code-swift.struct/tooManyPages``, since a truncated list must
    /// not look complete. To read only the first few pages, use `prefix(_:)`.
    public var pages: Int
    /// The maximum number of consecutive pages without items, 0 or more; 10 by default.
    ///
    /// Servers that filter may send a few of them before the next item. More fail with
    /// ``ErrandError/Code-swift.struct/paginationLoop``.
    public var emptyPagesInARow: Int
    /// Whether two pages may be equal. By default, `false`: the second page fails with
    /// ``ErrandError/Code-swift.struct/paginationLoop``.
    ///
    /// Two pages with items are equal if their bodies and their items are. Pages from a closure have no bodies, and
    /// items that are not `Hashable` are not compared. Allow equal pages for items without an identity, such as
    /// measurements.
    public var allowsEqualPages: Bool

    /// Creates limits. Invalid limits fail with ``ErrandError/Code-swift.struct/invalidPagination`` when the first page
    /// is requested.
    public init(pages: Int = 10_000, emptyPagesInARow: Int = 10, allowsEqualPages: Bool = false) {
        self.pages = pages
        self.emptyPagesInARow = emptyPagesInARow
        self.allowsEqualPages = allowsEqualPages
    }

    func check() throws(ErrandError) {
        guard pages > 0, emptyPagesInARow >= 0 else {
            throw ErrandError(.invalidPagination, reason: "the page limits must allow at least one page")
        }
    }
}
