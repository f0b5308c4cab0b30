/// The information about a page that the iteration needs.
struct PageReport: Sendable {
    /// The hashes by which a repeated page is recognized.
    ///
    /// A custom hash may ignore parts of an item, so a page is repeated only if all hashes that exist are equal. A
    /// repeated page whose body differs, for example in the time of day, is not recognized.
    struct Fingerprint: Hashable {
        /// The hash of the items; `nil` if they are not `Hashable`.
        var items: Int?
        /// The hash of the body; `nil` for a page without a response.
        var body: Int?

        var isEmpty: Bool { items == nil && body == nil }
    }

    /// The number of the page's items.
    var count: Int
    /// The information that the page contains about itself.
    var info = PageInfo()
    /// The fingerprint; `nil` if it is unknown.
    var fingerprint: Fingerprint?
    /// The head of the page's response; `nil` for a page without a response.
    var head: ResponseHead?

    /// The place of the page in the style of links, from the URL of its response. The URL of the first page is known
    /// only from its response. In the other styles, this place differs from every place.
    var responseLocation: PagePosition.Place? { head?.url.map { .link($0.withoutFragment) } }

    /// Returns an error about this page, with its response.
    func error(_ code: ErrandError.Code, _ reason: String) -> ErrandError {
        var error = ErrandError(code, reason: reason)
        guard let head else { return error }
        error.exactURL = head.url
        error.attempts = head.attempts
        error.statusCode = head.statusCode
        error.headers = head.headers
        return error
    }

    /// Returns the total from the page, or else from the header field; `nil` if it is missing or invalid.
    func total(in field: String?) -> Int? {
        let total = info.total ?? field.flatMap { head?.headers[$0] }.flatMap { Int($0) }
        return total.flatMap { $0 < 0 ? nil : $0 }
    }
}

/// The counts of the received pages.
struct PageTally: Sendable {
    /// The number of items on all received pages.
    private(set) var received = 0
    /// The number of items on the first received page.
    private(set) var firstCount: Int?
    /// The latest valid total from a page or its header field; `nil` if there was none.
    private(set) var total: Int?
    /// The number of consecutive pages without items up to the latest page.
    private(set) var emptyPages = 0

    /// Counts a page.
    ///
    /// - Parameter totalField: The header field with the total.
    mutating func add(_ report: PageReport, totalField: String?) {
        received = received.cappedSum(report.count)
        firstCount = firstCount ?? report.count
        emptyPages = report.count == 0 ? emptyPages + 1 : 0
        total = report.total(in: totalField) ?? total
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
