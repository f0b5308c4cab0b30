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
    /// - Parameter field: The header field with the total.
    mutating func add(_ report: PageReport, usesTotal: Bool, field: String?) {
        received = received.cappedSum(report.count)
        firstCount = firstCount ?? report.count
        emptyPages = report.count == 0 ? emptyPages + 1 : 0
        if usesTotal { total = report.total(in: field) ?? total }
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
