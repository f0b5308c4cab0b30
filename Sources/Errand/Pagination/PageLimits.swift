/// What keeps a server that never comes to an end from keeping its client.
public struct PageLimits: Hashable, Sendable {
    /// The most pages of one iteration, 1 or more; 10,000 by default.
    ///
    /// One more fails with ``ErrandError/Code-swift.struct/tooManyPages``, since a list that was cut short must not look
    /// whole. For the first few pages alone, use `prefix(_:)`.
    public var pages: Int
    /// The most pages without items in a row, 0 or more; 10 by default.
    ///
    /// Servers that filter may answer a few of them before the next item. One more fails with
    /// ``ErrandError/Code-swift.struct/paginationLoop``.
    public var emptyPagesInARow: Int
    /// Whether two pages may have the same items; false by default, where the second one fails with
    /// ``ErrandError/Code-swift.struct/paginationLoop``.
    ///
    /// Items are compared where they are `Hashable`, otherwise the bodies of the answers. Allow it for items that are
    /// nothing but values, such as measurements.
    public var allowsEqualPages: Bool

    /// These limits; nonsense fails with ``ErrandError/Code-swift.struct/invalidPagination`` when the first page is asked
    /// for.
    public init(pages: Int = 10_000, emptyPagesInARow: Int = 10, allowsEqualPages: Bool = false) {
        self.pages = pages
        self.emptyPagesInARow = emptyPagesInARow
        self.allowsEqualPages = allowsEqualPages
    }

    func check() throws(ErrandError) {
        guard pages > 0, emptyPagesInARow >= 0 else {
            throw ErrandError(.invalidPagination, reason: "the limits leave no room for a page")
        }
    }
}
