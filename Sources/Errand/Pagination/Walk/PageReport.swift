/// The information about a page that the iteration needs.
struct PageReport: Sendable {
    /// The number of the page's items.
    var count: Int
    /// The information that the page contains about itself.
    var info = PageInfo()
    /// The hashes by which a repeated page is recognized.
    ///
    /// A custom hash may ignore parts of an item, and a body may contain the time of day. A page is therefore repeated
    /// only if all values that exist are equal.
    struct Fingerprint: Hashable {
        /// The hash of the items; `nil` if they are not `Hashable`.
        var items: Int?
        /// The hash of the body; `nil` without a body.
        var body: Int?

        var isEmpty: Bool { items == nil && body == nil }
    }

    /// The fingerprint; `nil` if it is unknown.
    var fingerprint: Fingerprint?
    /// The head of the page's response; `nil` for a page without a response.
    var head: ResponseHead?

    /// The place of the page, from the URL of its response. The URL of the first page is known only from its response.
    var responseLocation: PagePosition.Place? { head?.url.map { .link($0.withoutFragment) } }

    /// Returns an error about this page, with its response.
    func error(_ code: ErrandError.Code, _ reason: String) -> ErrandError {
        var error = ErrandError(code, reason: reason)
        guard let head else { return error }
        error.url = head.url?.redacted
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
    /// The latest total from a page; `nil` if no page had one.
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

/// The end of a list, for pages by number and by offset.
extension PageWalk {
    /// Returns whether the list ends with a page that was already counted.
    func isLast(_ report: PageReport, at position: PagePosition) -> Bool {
        switch report.info.next {
        case .last: return true
        case .more, .cursor: return false
        case .unknown: break
        }
        if report.count == 0 { return true }
        // A total below the number of received items counts something else, and is ignored.
        if let total = tally.total, total >= tally.received { return itemsCovered(by: report, at: position) >= total }
        return isShort(report, at: position)
    }

    /// Returns the number of the list's items up to the end of this page, including those before the first requested
    /// page.
    private func itemsCovered(by report: PageReport, at position: PagePosition) -> Int {
        switch (style.start, position.place) {
        case (_, .offset(let offset)):
            return (offset - style.beginning).cappedSum(report.count)
        case (.number(let start), .number(let number)):
            let skipped = (start - style.beginning).cappedProduct(pageSize)
            let pages = (number - style.beginning).cappedSum(1)
            // The total may count items that the pages do not contain, so the pages can cover more items than were
            // received.
            return max(pages.cappedProduct(pageSize), skipped.cappedSum(tally.received))
        default:
            return tally.received
        }
    }

    /// The number of items on a full page: the requested number, or that of the first page if it is smaller.
    private var pageSize: Int { min(style.size ?? .max, tally.firstCount ?? 0) }

    /// Returns `true` if a page has fewer items than a full page. The first page shows the maximum number of items that
    /// the server sends, and is therefore full.
    private func isShort(_ report: PageReport, at position: PagePosition) -> Bool {
        position.index > 0 && style.endsAtShortPage && report.count < pageSize
    }
}

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
        guard index < max(pageCount, 1) else {
            throw ErrandError(.invalidPagination, reason: "the page number \(page) is after the last page")
        }
        self.index = index
        self.pageCount = pageCount
        self.pageSize = pageSize
        self.total = total
    }

    var isLast: Bool { index + 1 >= pageCount }

    /// The range of the page's items in the list. The product is below the total, since the page is not after the last
    /// one.
    var itemRange: Range<Int> {
        let start = index * pageSize
        return start..<(start + min(pageSize, total - start))
    }
}

/// Limits that protect against lists that never end.
public struct PageLimits: Hashable, Sendable {
    /// The maximum number of pages in one iteration, 1 or more; 10,000 by default.
    ///
    /// A list with more pages fails with ``ErrandError/Code-swift.struct/tooManyPages``, since a truncated list must
    /// not look complete. For the first few pages, use `prefix(_:)`.
    public var pages: Int
    /// The maximum number of consecutive pages without items, 0 or more; 10 by default.
    ///
    /// Servers that filter may send a few of them before the next item. More fail with
    /// ``ErrandError/Code-swift.struct/paginationLoop``.
    public var emptyPagesInARow: Int
    /// Whether two pages may be equal. By default, `false`: the second page fails with
    /// ``ErrandError/Code-swift.struct/paginationLoop``.
    ///
    /// Two pages with items are equal if their bodies are and, if the items are `Hashable`, their items. Allow equal
    /// pages for items without an identity, such as measurements.
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
