/// The certainty that a list ends with a page, for pages by number and by offset.
enum ListEnd {
    case no
    /// The page is short, but does not reach the total. The next page is requested, and may be missing.
    case possible
    case certain
}

extension PageWalk {
    /// Returns whether the list ends with a page that was already counted.
    func end(with report: PageReport, at position: PagePosition) -> ListEnd {
        switch report.info.next {
        case .last: return .certain
        case .more, .cursor: return .no
        case .unknown: break
        }
        if report.count == 0 { return .certain }
        // A total below the number of received items does not count the items of this list.
        let total = tally.total.flatMap { $0 < tally.received ? nil : $0 }
        if let total, itemsCovered(by: report, at: position) >= total { return .certain }
        guard isShort(report, at: position) else { return .no }
        return total == nil ? .certain : .possible
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
