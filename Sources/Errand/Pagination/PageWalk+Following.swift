/// What is behind a page, in each of the styles.
extension PageWalk {
    enum Following {
        case none
        case place(PagePosition.Place)
    }

    /// Where an answer leads to.
    ///
    /// - Throws: ``ErrandError`` with `invalidPagination` or `paginationLoop`.
    func following(_ report: PageReport, at position: PagePosition) throws(ErrandError) -> Following {
        let arithmetic = try report.arithmetic()
        switch position.place {
        case .number(let number):
            try checkNumber(report, askedFor: number)
            if isLast(report, arithmetic, at: position) { return .none }
            return .place(.number(try sum(number, 1, report)))
        case .offset(let offset):
            if isLast(report, arithmetic, at: position) { return .none }
            return .place(.offset(try sum(offset, report.count, report)))
        case .cursor:
            return try nextCursor(report)
        case .link:
            return try nextLink(report)
        }
    }

    /// The server has to give the page that it was asked for.
    private func checkNumber(_ report: PageReport, askedFor number: Int) throws(ErrandError) {
        guard let page = report.info.page else { return }
        let (index, hasOverflowed) = page.subtractingReportingOverflow(report.info.firstPage)
        guard !hasOverflowed, index >= 0 else {
            throw report.error(.invalidPagination, "the page is before the first")
        }
        let expected = number - style.beginning
        guard index >= expected else { throw report.error(.paginationLoop, "the server repeats a page") }
        guard index == expected else {
            throw report.error(.invalidPagination, "the page is not the one that was asked for")
        }
    }

    /// The page's own word, then the arithmetic, then the total, then how many items it has.
    private func isLast(_ report: PageReport, _ arithmetic: PageArithmetic?, at position: PagePosition) -> Bool {
        switch report.info.next {
        case .last: return true
        case .more, .cursor: return false
        case .unsaid: break
        }
        if case .number = position.place, arithmetic?.isLast == true { return true }
        if let total = tally.total { return hasEverything(of: total, report, at: position) }
        return report.count == 0 || isShort(report, at: position)
    }

    /// Whether as many items have come as there are; or whether the page is empty, and lies behind the last when they
    /// have the size that was asked for, as where the total counts what is not shown.
    private func hasEverything(of total: Int, _ report: PageReport, at position: PagePosition) -> Bool {
        let smallest = min(style.size ?? .max, tally.firstCount ?? 0)
        let (seen, hasOverflowed) = skipped(pagesOf: smallest).addingReportingOverflow(tally.received)
        if hasOverflowed || seen >= total { return true }
        guard report.count == 0, case .number(let number) = position.place else { return false }
        let size = report.info.pageSize ?? style.size ?? smallest
        let (before, isHuge) = (number - style.beginning).multipliedReportingOverflow(by: size)
        return isHuge || before >= total
    }

    /// How many items are before the place where this began.
    private func skipped(pagesOf size: Int) -> Int {
        switch style.start {
        case .number(let start):
            let (items, isHuge) = (start - style.beginning).multipliedReportingOverflow(by: size)
            return isHuge ? .max : items
        case .offset(let start): return start - style.beginning
        case .cursor, .link: return 0
        }
    }

    /// Whether a page has fewer items than the server gives at once. What that is, the first page shows.
    private func isShort(_ report: PageReport, at position: PagePosition) -> Bool {
        guard style.endsAtShortPage, position.index > 0, let firstCount = tally.firstCount else { return false }
        return report.count < min(style.size ?? .max, firstCount)
    }

    private func sum(_ one: Int, _ other: Int, _ report: PageReport) throws(ErrandError) -> Int {
        let (sum, hasOverflowed) = one.addingReportingOverflow(other)
        guard !hasOverflowed else { throw report.error(.invalidPagination, "there are too many pages to count") }
        return sum
    }

    private func nextCursor(_ report: PageReport) throws(ErrandError) -> Following {
        if let field = style.nextField {
            guard let head = report.head else {
                throw report.error(.invalidPagination, "the page came without the head that has the next cursor")
            }
            guard let cursor = head.headers[field], !cursor.isEmpty else { return .none }
            return .place(.cursor(cursor))
        }
        switch report.info.next {
        case .cursor(let cursor): return .place(.cursor(cursor))
        case .last: return .none
        case .more, .unsaid:
            throw report.error(.invalidPagination, "the page does not say what the next one is asked for with")
        }
    }

    private func nextLink(_ report: PageReport) throws(ErrandError) -> Following {
        guard let head = report.head else {
            throw report.error(.invalidPagination, "the page came without the head that has its links")
        }
        let next = head.headers.links(relativeTo: head.url).first { $0.relations.contains("next") }
        guard let next else { return .none }
        guard let url = next.url, let origin = PageOrigin(url) else {
            throw report.error(.invalidPagination, "the next link is no URL that can be asked")
        }
        guard origin == head.url.flatMap(PageOrigin.init) || style.trustedOrigins.contains(origin) else {
            throw report.error(.invalidPagination, "the next link leads to another origin")
        }
        return .place(.link(url))
    }
}
