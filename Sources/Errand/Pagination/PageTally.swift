/// What was received up to and including the latest page.
struct PageTally: Sendable {
    /// The number of items on all pages.
    private(set) var received = 0
    /// The number of items on the first page that was received.
    private(set) var firstCount: Int?
    /// The latest total that a page stated; `nil` when none did, and for styles that ignore totals.
    private(set) var total: Int?
    /// The number of pages without items at the end of those received.
    private(set) var emptyPages = 0

    /// Counts a page.
    ///
    /// - Throws: ``ErrandError`` with `invalidPagination` when `totals` is strict and the numbers of the page
    ///   contradict themselves or those of earlier pages.
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
    /// The sum of two numbers that are not negative; `Int.max` when it is larger.
    func cappedSum(_ other: Int) -> Int {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }

    /// The product of two numbers that are not negative; `Int.max` when it is larger.
    func cappedProduct(_ other: Int) -> Int {
        let (product, isTooLarge) = multipliedReportingOverflow(by: other)
        return isTooLarge ? .max : product
    }
}
