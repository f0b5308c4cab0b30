/// The state machine of an iteration through pages, which decides what to request next and when the list has ended.
///
/// It does no I/O: the caller performs each step and passes the outcome to it. An invalid page leaves the state
/// unchanged, so that the same page can be requested again.
struct PageWalk: Sendable {
    enum Step: Sendable {
        /// Request a page, and pass it to ``receive(_:)``.
        case request(PagePosition)
        /// The list has ended.
        case end
        /// Throw this error: no further page can be requested, and another attempt would not help.
        case fail(ErrandError)
    }

    /// The next step.
    private(set) var step: Step
    let style: PaginationStyle
    private let limits: PageLimits
    /// The counts of the received pages.
    private(set) var tally = PageTally()
    /// The places that were requested, that of the next request, and for links those of the received responses. To go
    /// to one of them again would repeat a page.
    private var places: Set<PagePosition.Place>
    /// The fingerprints of the received pages that have items.
    private var fingerprints: Set<PageReport.Fingerprint> = []

    init(_ style: PaginationStyle, limits: PageLimits = PageLimits()) {
        self.style = style
        self.limits = limits
        places = [style.start]
        do throws(ErrandError) {
            try style.check()
            try limits.check()
            step = .request(style.firstPosition)
        } catch {
            step = .fail(error)
        }
    }

    /// Moves to the page after the one that was received.
    ///
    /// - Returns: Whether the iteration returns this page; `false` if the page only indicates the end of the list.
    /// - Throws: ``ErrandError`` with `invalidPagination` or `paginationLoop`. The state is then unchanged.
    mutating func receive(_ report: PageReport) throws(ErrandError) -> Bool {
        guard case .request(let position) = step else { return false }
        var next = self
        next.tally.add(report, totalField: style.totalField)
        try checkRepetition(report)
        if let place = try next.place(after: report, at: position) {
            next.step = try next.step(to: place, after: report, at: position)
        } else {
            next.step = .end
        }
        next.remember(report, at: position)
        self = next
        // A list without items has one page, which is returned.
        if case .end = step { return report.count > 0 || position.index == 0 }
        return true
    }

    private func checkRepetition(_ report: PageReport) throws(ErrandError) {
        guard report.count > 0, !limits.allowsEqualPages, let fingerprint = report.fingerprint else { return }
        if fingerprints.contains(fingerprint) { throw report.error(.paginationLoop, "the server repeats a page") }
    }

    private func step(
        to place: PagePosition.Place, after report: PageReport, at position: PagePosition
    ) throws(ErrandError) -> Step {
        guard tally.emptyPages <= limits.emptyPagesInARow else {
            throw report.error(.paginationLoop, "\(tally.emptyPages) pages in a row have no items")
        }
        if places.contains(place) || place == report.responseLocation {
            let error = report.error(.paginationLoop, "the next page is one that was received before")
            // A page with items is returned first, and the next step fails. An empty page fails immediately and leaves
            // the state unchanged, so that it can be requested again.
            guard report.count > 0 else { throw error }
            return .fail(error)
        }
        let index = position.index + 1
        if index >= limits.pages {
            return .fail(report.error(.tooManyPages, "the list has more than \(limits.pages) pages"))
        }
        return .request(style.position(at: place, index: index))
    }

    /// Stores what identifies the page, and the place of the next one, so that repetitions are recognized.
    private mutating func remember(_ report: PageReport, at position: PagePosition) {
        if report.count > 0, let fingerprint = report.fingerprint { fingerprints.insert(fingerprint) }
        if case .link = position.place, let place = report.responseLocation { places.insert(place) }
        if case .request(let next) = step { places.insert(next.place) }
    }
}

/// The page after another one, for each style.
extension PageWalk {
    /// Returns the place of the page after this one; `nil` if this one is the last.
    ///
    /// - Throws: ``ErrandError`` with `invalidPagination` or `paginationLoop`.
    private func place(
        after report: PageReport, at position: PagePosition
    ) throws(ErrandError) -> PagePosition.Place? {
        switch position.place {
        case .number(let number):
            try checkNumber(report, requested: number)
            let covered = itemsCovered(throughPage: number, at: position.index)
            return isLast(report, at: position, covered: covered) ? nil : .number(try sum(number, 1, report))
        case .offset(let offset):
            let covered = (offset - style.beginning).cappedSum(report.count)
            return isLast(report, at: position, covered: covered) ? nil : .offset(try sum(offset, report.count, report))
        case .cursor:
            return try nextCursor(report)
        case .link:
            return try nextLink(report)
        }
    }

    /// Checks that a page with a number is the requested one. The page and the style may count from different numbers,
    /// so the distances from their first numbers are compared.
    private func checkNumber(_ report: PageReport, requested number: Int) throws(ErrandError) {
        guard let page = report.info.page else { return }
        let (index, hasOverflowed) = page.subtractingReportingOverflow(report.info.firstPage)
        guard !hasOverflowed, index >= 0 else {
            throw report.error(.invalidPagination, "the page number \(page) is before the first page")
        }
        let expected = number - style.beginning
        guard index >= expected else { throw report.error(.paginationLoop, "the server repeats a page") }
        guard index == expected else {
            throw report.error(.invalidPagination, "page \(number) was requested, and the response is page \(page)")
        }
    }

    private func sum(_ one: Int, _ other: Int, _ report: PageReport) throws(ErrandError) -> Int {
        let (sum, hasOverflowed) = one.addingReportingOverflow(other)
        guard !hasOverflowed else { throw report.error(.invalidPagination, "there are too many pages to count") }
        return sum
    }

    /// Returns the place of the next page by its cursor; `nil` on the last page.
    private func nextCursor(_ report: PageReport) throws(ErrandError) -> PagePosition.Place? {
        if let field = style.nextField {
            guard let head = report.head else {
                let reason = "the header fields with the next cursor are not known; return a scheduled request"
                throw report.error(.invalidPagination, reason)
            }
            guard let cursor = head.headers[field], !cursor.isEmpty else { return nil }
            return .cursor(cursor)
        }
        switch report.info.next {
        case .cursor(let cursor): return cursor.isEmpty ? nil : .cursor(cursor)
        case .last: return nil
        case .more, .unknown:
            throw report.error(.invalidPagination, "the page has no cursor for the next page")
        }
    }

    /// Returns the place of the next page by its link; `nil` on the last page.
    private func nextLink(_ report: PageReport) throws(ErrandError) -> PagePosition.Place? {
        guard let head = report.head else {
            let reason = "the header fields with the next link are not known; return a scheduled request"
            throw report.error(.invalidPagination, reason)
        }
        let next: URL?
        if let field = style.nextField {
            guard let target = head.headers[field], !target.isEmpty else { return nil }
            next = URL(linkTarget: target, relativeTo: head.url)
        } else {
            guard let link = head.headers.webLink("next", relativeTo: head.url) else { return nil }
            next = link.url(relativeTo: head.url)
        }
        guard let url = next, let origin = Origin(url) else {
            throw report.error(.invalidPagination, "the next link is not an HTTP URL")
        }
        guard origin == head.url.flatMap(Origin.init) || style.trustedOrigins.contains(origin) else {
            throw report.error(.invalidPagination, "the next link leads to another origin")
        }
        return .link(url)
    }
}

/// The end of a list, for pages by number and by offset. The ``PageWalk/tally`` has already counted the page.
extension PageWalk {
    /// Returns whether the list ends with this page.
    ///
    /// - Parameter covered: The number of the list's items up to the end of this page.
    private func isLast(_ report: PageReport, at position: PagePosition, covered: Int) -> Bool {
        switch report.info.next {
        case .last: return true
        case .more, .cursor: return false
        case .unknown: break
        }
        if report.count == 0 { return true }
        // A total below the number of received items counts something else, and is ignored.
        if let total = tally.total, total >= tally.received { return covered >= total }
        return isShort(report, at: position)
    }

    /// Returns the number of the list's items up to the end of the page with a number, including those before the first
    /// requested page.
    ///
    /// - Parameter index: The number of pages that were requested before this one.
    private func itemsCovered(throughPage number: Int, at index: Int) -> Int {
        let pages = (number - style.beginning).cappedSum(1)
        let skippedItems = (number - index - style.beginning).cappedProduct(pageSize)
        // By pages or by items, whichever is more: a server may leave out items that the total counts, and `pageSize`
        // is too small if the first page was short.
        return max(pages.cappedProduct(pageSize), skippedItems.cappedSum(tally.received))
    }

    /// The number of items on a full page: the requested number, or that of the first page if it is smaller.
    private var pageSize: Int { min(style.size ?? .max, tally.firstCount ?? 0) }

    /// Returns `true` if a page ends the list because it has fewer items than a full page. The first page shows the
    /// maximum number of items that the server sends, and is therefore full.
    private func isShort(_ report: PageReport, at position: PagePosition) -> Bool {
        position.index > 0 && style.endsAtShortPage && report.count < pageSize
    }
}
