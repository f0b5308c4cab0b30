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
    /// What has come so far.
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
        let before = tally
        do throws(ErrandError) {
            try tally.add(report, totalField: style.totalField)
            try checkRepetition(report)
            step = try step(behind: report, at: position)
        } catch {
            tally = before
            throw error
        }
        remember(report, at: position)
        if case .end = step { return report.count > 0 || position.index == 0 }
        return true
    }

    private func checkRepetition(_ report: PageReport) throws(ErrandError) {
        guard report.count > 0, !limits.allowsEqualPages, let fingerprint = report.fingerprint else { return }
        if fingerprints.contains(fingerprint) { throw report.error(.paginationLoop, "the server repeats a page") }
    }

    private func step(behind report: PageReport, at position: PagePosition) throws(ErrandError) -> Step {
        guard case .place(let place) = try following(report, at: position) else { return .end }
        guard tally.emptyPages <= limits.emptyPagesInARow else {
            throw report.error(.paginationLoop, "the server gives one page without items after the other")
        }
        let index = position.index + 1
        if places.contains(place) || place == report.answerPlace {
            let error = report.error(.paginationLoop, "the way on leads to a page that was there before")
            // What has items is handed out before the failure; an empty page is no loss, and may be asked for again.
            guard report.count > 0 else { throw error }
            return .fail(error)
        }
        if index >= limits.pages { return .fail(report.error(.tooManyPages, "there are more pages than allowed")) }
        return .ask(style.position(at: place, index: index))
    }

    private mutating func remember(_ report: PageReport, at position: PagePosition) {
        if report.count > 0, let fingerprint = report.fingerprint { fingerprints.insert(fingerprint) }
        if case .link = position.place, let place = report.answerPlace { places.insert(place) }
        if case .ask(let next) = step { places.insert(next.place) }
    }
}
