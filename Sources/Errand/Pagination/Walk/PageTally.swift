/// The counts of the received pages.
struct PageTally: Sendable {
    /// The number of items on all received pages.
    private(set) var received = 0
    /// The number of items on the first received page.
    private(set) var firstCount: Int?
    /// The latest total from a page; `nil` if no page had one, and for styles that ignore totals.
    private(set) var total: Int?
    /// The number of consecutive pages without items up to the latest page.
    private(set) var emptyPages = 0

    /// Counts a page.
    ///
    /// - Throws: ``ErrandError`` with `invalidPagination` if `totals` is strict and the numbers of the page contradict
    ///   each other or those of earlier pages.
    mutating func add(_ report: PageReport, totals: TotalPolicy?, field: String?) throws(ErrandError) {
        var next = self
        next.received = received.cappedSum(report.count)
        next.firstCount = firstCount ?? report.count
        next.emptyPages = report.count == 0 ? emptyPages + 1 : 0
        switch totals {
        case nil: break
        case .advisory: next.total = (try? report.total(in: field)) ?? total
        case .strict:
            next.total = try report.total(in: field) ?? total
            try next.check(report, after: self)
        }
        self = next
    }

    private func check(_ report: PageReport, after previous: PageTally) throws(ErrandError) {
        if let size = report.info.pageSize, size <= 0 {
            throw report.error(.invalidPagination, "the page size \(size) is not positive")
        }
        guard let total else { return }
        if let earlier = previous.total, total < earlier {
            throw report.error(.invalidPagination, "the total has shrunk from \(earlier) to \(total) between two pages")
        }
        if received > total {
            throw report.error(.invalidPagination, "\(received) items were received, more than the total of \(total)")
        }
    }
}

extension Int {
    /// Returns the sum of two non-negative numbers; `Int.max` if it overflows.
    func cappedSum(_ other: Int) -> Int {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }

    /// Returns the product of two non-negative numbers; `Int.max` if it overflows.
    func cappedProduct(_ other: Int) -> Int {
        let (product, isTooLarge) = multipliedReportingOverflow(by: other)
        return isTooLarge ? .max : product
    }
}
