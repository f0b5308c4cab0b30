/// The page after another one, for each style.
extension PageWalk {
    enum Following {
        case none
        /// A page. If its request fails with 404, the list has ended.
        case place(PagePosition.Place, mayBeMissing: Bool = false)
    }

    /// Returns the place of the page after this one.
    ///
    /// - Throws: ``ErrandError`` with `invalidPagination` or `paginationLoop`.
    func following(_ report: PageReport, at position: PagePosition) throws(ErrandError) -> Following {
        switch position.place {
        case .number(let number):
            try checkNumber(report, askedFor: number)
            let end = end(with: report, at: position)
            return end == .certain
                ? .none : .place(.number(try sum(number, 1, report)), mayBeMissing: end == .possible)
        case .offset(let offset):
            let end = end(with: report, at: position)
            return end == .certain
                ? .none : .place(.offset(try sum(offset, report.count, report)), mayBeMissing: end == .possible)
        case .cursor:
            return try nextCursor(report)
        case .link:
            return try nextLink(report)
        }
    }

    /// Checks that the number in a page, if there is one, is the requested number.
    private func checkNumber(_ report: PageReport, askedFor number: Int) throws(ErrandError) {
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

    private func nextCursor(_ report: PageReport) throws(ErrandError) -> Following {
        if let field = style.nextField {
            guard let head = report.head else {
                let reason = "the header fields with the next cursor are not known; return a scheduled request"
                throw report.error(.invalidPagination, reason)
            }
            guard let cursor = head.headers[field], !cursor.isEmpty else { return .none }
            return .place(.cursor(cursor))
        }
        switch report.info.next {
        case .cursor(let cursor): return cursor.isEmpty ? .none : .place(.cursor(cursor))
        case .last: return .none
        case .more, .unknown:
            throw report.error(.invalidPagination, "the page has no cursor for the next page")
        }
    }

    private func nextLink(_ report: PageReport) throws(ErrandError) -> Following {
        guard let head = report.head else {
            let reason = "the header fields with the next link are not known; return a scheduled request"
            throw report.error(.invalidPagination, reason)
        }
        let next = head.headers.links(relativeTo: head.url).first { $0.relations.contains("next") }
        guard let next else { return .none }
        guard let url = next.url, let origin = Origin(url) else {
            throw report.error(.invalidPagination, "the next link is not an HTTP URL")
        }
        guard origin == head.url.flatMap(Origin.init) || style.trustedOrigins.contains(origin) else {
            throw report.error(.invalidPagination, "the next link leads to another origin")
        }
        return .place(.link(url))
    }
}
