/// The way through the pages: where we are, what to ask next, and when it is over.
///
/// A pure state machine: it says what to do, and is told what came. A page that makes no sense leaves it where it was,
/// so that the same page can be asked for again.
struct PageWalk: Sendable {
    enum Step: Sendable {
        /// Ask for a page, and tell ``receive(_:)`` what came.
        case ask(PagePosition)
        /// There is no more.
        case end
        /// There is no way on, and asking again does not help.
        case fail(ErrandError)
    }

    /// What is to be done now.
    private(set) var step: Step
    let style: PaginationStyle
    private let limits: PageLimits
    /// How many items have come.
    private(set) var received = 0
    /// The items of the first page that has come.
    private(set) var firstCount: Int?
    /// The latest total.
    private(set) var total: Int?
    private var emptyPages = 0
    private var places: Set<PagePosition.Place>
    private var fingerprints: Set<Int> = []

    init(_ style: PaginationStyle, limits: PageLimits = PageLimits()) {
        self.style = style
        self.limits = limits
        places = [style.start]
        do throws(ErrandError) {
            try style.check()
            try limits.check()
            step = .ask(style.firstPosition)
        } catch {
            step = .fail(error)
        }
    }

    /// Moves on behind the page that was asked for.
    ///
    /// - Returns: Whether it is a page to hand out; false when it only says that there is no more.
    /// - Throws: ``ErrandError`` with `invalidPagination` or `paginationLoop`; nothing has moved then.
    mutating func receive(_ report: PageReport) throws(ErrandError) -> Bool {
        guard case .ask(let position) = step else { return false }
        var moved = self
        let isPage = try moved.take(report, at: position)
        self = moved
        return isPage
    }

    private mutating func take(_ report: PageReport, at position: PagePosition) throws(ErrandError) -> Bool {
        try note(report)
        switch try following(report, at: position) {
        case .none:
            step = .end
            return report.count > 0 || position.index == 0
        case .place(let place):
            try go(to: place, behind: report, at: position)
            return true
        }
    }

    /// Takes down what came, and refuses what is nonsense or was there before.
    private mutating func note(_ report: PageReport) throws(ErrandError) {
        let total = try report.total(in: style.totalField)
        if let total, let known = self.total, total < known {
            throw report.error(.invalidPagination, "the total has shrunk between two pages")
        }
        self.total = total ?? self.total
        if let size = report.info.pageSize, size <= 0 {
            throw report.error(.invalidPagination, "the page size is not above zero")
        }
        let (received, hasOverflowed) = received.addingReportingOverflow(report.count)
        guard !hasOverflowed else { throw report.error(.invalidPagination, "there are too many items") }
        if let total, received > total {
            throw report.error(.invalidPagination, "more items have come than the total says")
        }
        self.received = received
        firstCount = firstCount ?? report.count
        emptyPages = report.count == 0 ? emptyPages + 1 : 0
        guard report.count > 0, !limits.allowsEqualPages, let fingerprint = report.fingerprint else { return }
        guard fingerprints.insert(fingerprint).inserted else {
            throw report.error(.paginationLoop, "the server repeats a page")
        }
    }

    private mutating func go(
        to place: PagePosition.Place, behind report: PageReport, at position: PagePosition
    ) throws(ErrandError) {
        guard emptyPages <= limits.emptyPagesInARow else {
            throw report.error(.paginationLoop, "the server gives one page without items after the other")
        }
        let index = position.index + 1
        // Where the request itself went is a place too, and only the answer tells.
        if case .link = place, let url = report.head?.url { places.insert(.link(url.withoutFragment)) }
        if !places.insert(place).inserted {
            let error = report.error(.paginationLoop, "the way on leads to a page that was there before")
            // What has items is handed out before the failure; an empty page is no loss, and may be asked for again.
            guard report.count > 0 else { throw error }
            step = .fail(error)
        } else if index >= limits.pages {
            step = .fail(report.error(.tooManyPages, "there are more pages than allowed"))
        } else {
            step = .ask(style.position(at: place, index: index))
        }
    }
}
