/// The position of a page among all pages, computed from its number, its size and the total.
struct PageArithmetic: Hashable, Sendable {
    /// The number of pages before this one.
    let index: Int
    /// The number of pages.
    let pageCount: Int
    private let pageSize: Int
    private let total: Int

    /// - Throws: ``ErrandError`` with `invalidPagination`.
    init(page: Int, firstPage: Int, pageSize: Int, total: Int) throws(ErrandError) {
        guard pageSize > 0 else {
            throw ErrandError(.invalidPagination, reason: "the page size \(pageSize) is not positive")
        }
        guard total >= 0 else { throw ErrandError(.invalidPagination, reason: "the total is negative") }
        let (index, hasOverflowed) = page.subtractingReportingOverflow(firstPage)
        guard !hasOverflowed, index >= 0 else {
            throw ErrandError(.invalidPagination, reason: "the page number \(page) is before the first page")
        }
        let pageCount = total == 0 ? 0 : (total - 1) / pageSize + 1
        // A list without items has no pages, but its first page is valid.
        guard index < max(pageCount, 1) else {
            throw ErrandError(.invalidPagination, reason: "the page number \(page) is after the last page")
        }
        self.index = index
        self.pageCount = pageCount
        self.pageSize = pageSize
        self.total = total
    }

    var isLast: Bool { index + 1 >= pageCount }

    /// The range of the page's items in the list. The product cannot overflow: it is at most the total, since the page
    /// is not after the last one.
    var itemRange: Range<Int> {
        let start = index * pageSize
        return start..<(start + min(pageSize, total - start))
    }
}
