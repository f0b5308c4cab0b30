/// How much has come on the way through the pages.
struct PageTally: Sendable {
    /// How many items, on all pages.
    private(set) var received = 0
    /// How many items the first page had.
    private(set) var firstCount: Int?
    /// The latest total.
    private(set) var total: Int?
    /// How many pages without items came last.
    private(set) var emptyPages = 0

    /// Counts a page.
    ///
    /// - Throws: ``ErrandError`` with `invalidPagination` where its numbers do not go with what came before.
    mutating func add(_ report: PageReport, totalField: String?) throws(ErrandError) {
        let total = try report.total(in: totalField)
        if let total, let known = self.total, total < known {
            throw report.error(.invalidPagination, "the total has shrunk between two pages")
        }
        if let size = report.info.pageSize, size <= 0 {
            throw report.error(.invalidPagination, "the page size is not above zero")
        }
        let (received, hasOverflowed) = received.addingReportingOverflow(report.count)
        guard !hasOverflowed else { throw report.error(.invalidPagination, "there are too many items") }
        if let total, received > total {
            throw report.error(.invalidPagination, "more items have come than the total says")
        }
        self.received = received
        self.total = total ?? self.total
        firstCount = firstCount ?? report.count
        emptyPages = report.count == 0 ? emptyPages + 1 : 0
    }
}
