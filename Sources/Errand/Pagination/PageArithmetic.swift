/// Which page this is, of how many: worked out once it is known that the numbers make sense.
struct PageArithmetic: Hashable, Sendable {
    /// How many pages are before this one.
    let index: Int
    /// How many pages there are.
    let pageCount: Int
    private let pageSize: Int
    private let total: Int

    /// - Throws: ``ErrandError`` with `invalidPagination`.
    init(page: Int, firstPage: Int, pageSize: Int, total: Int) throws(ErrandError) {
        guard pageSize > 0 else { throw ErrandError(.invalidPagination, reason: "the page size is not above zero") }
        guard total >= 0 else { throw ErrandError(.invalidPagination, reason: "the total is negative") }
        let (index, hasOverflowed) = page.subtractingReportingOverflow(firstPage)
        guard !hasOverflowed, index >= 0 else {
            throw ErrandError(.invalidPagination, reason: "the page is before the first")
        }
        let pageCount = total == 0 ? 0 : (total - 1) / pageSize + 1
        guard index < max(pageCount, 1) else {
            throw ErrandError(.invalidPagination, reason: "the page is behind the last")
        }
        self.index = index
        self.pageCount = pageCount
        self.pageSize = pageSize
        self.total = total
    }

    var isLast: Bool { index + 1 >= pageCount }

    /// The product is below the total, since the page is not behind the last.
    var itemRange: Range<Int> {
        let start = index * pageSize
        return start..<(start + min(pageSize, total - start))
    }
}
