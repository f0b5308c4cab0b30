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
        /// The next page is unknown, and another attempt would not help.
        case fail(ErrandError)
    }

    /// The next step.
    private(set) var step: Step
    /// Whether the list has ended if the server does not have the page that ``step`` requests.
    private(set) var mayBeMissing = false
    let style: PaginationStyle
    private let limits: PageLimits
    /// The counts of the received pages.
    private(set) var tally = PageTally()
    private var places: Set<PagePosition.Place>
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
        next.tally.add(report, usesTotal: style.usesTotal, field: style.totalField)
        try checkRepetition(report)
        switch try next.following(report, at: position) {
        case .none:
            next.step = .end
        case .place(let place, let mayBeMissing):
            next.step = try next.step(to: place, after: report, at: position)
            next.mayBeMissing = mayBeMissing
        }
        next.remember(report, at: position)
        self = next
        if case .end = step { return report.count > 0 || position.index == 0 }
        return true
    }

    /// Ends the list, since the server does not have the page that ``step`` requests.
    mutating func pageIsMissing() {
        step = .end
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
        let index = position.index + 1
        if places.contains(place) || place == report.responseLocation {
            let error = report.error(.paginationLoop, "the next page is one that was received before")
            // The iteration returns a page with items before it fails. An empty page may be requested again.
            guard report.count > 0 else { throw error }
            return .fail(error)
        }
        if index >= limits.pages {
            return .fail(report.error(.tooManyPages, "the list has more than \(limits.pages) pages"))
        }
        return .request(style.position(at: place, index: index))
    }

    private mutating func remember(_ report: PageReport, at position: PagePosition) {
        if report.count > 0, let fingerprint = report.fingerprint { fingerprints.insert(fingerprint) }
        if case .link = position.place, let place = report.responseLocation { places.insert(place) }
        if case .request(let next) = step { places.insert(next.place) }
    }
}
