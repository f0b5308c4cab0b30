/// What the iteration needs to know about a page.
struct PageReport: Sendable {
    /// The number of its items.
    var count: Int
    /// What the page states about itself.
    var info = PageInfo()
    /// What identifies a page that is repeated.
    ///
    /// A custom hash may ignore parts of an item, and a body may contain the time of day: a page is repeated when both
    /// values are the same, as far as both exist.
    struct Fingerprint: Hashable {
        /// The hash of the items; `nil` when they are not `Hashable`.
        var items: Int?
        /// The hash of the body; `nil` without a body.
        var body: Int?

        var isEmpty: Bool { items == nil && body == nil }
    }

    /// The same value for pages with the same items; `nil` when that is not known.
    var fingerprint: Fingerprint?
    /// The head of its response; `nil` for a page without a response.
    var head: ResponseHead?

    /// The URL that the page came from, as a place: that of the first request is known from its response only.
    var answerPlace: PagePosition.Place? { head?.url.map { .link($0.withoutFragment) } }

    /// An error about this page, with its response.
    func error(_ code: ErrandError.Code, _ reason: String) -> ErrandError {
        var error = ErrandError(code, reason: reason)
        guard let head else { return error }
        error.url = head.url?.redacted
        error.attempts = head.attempts
        error.statusCode = head.statusCode
        error.headers = head.headers
        return error
    }

    /// The total that the page states, or the header field; `nil` when neither does.
    ///
    /// - Throws: ``ErrandError`` with `invalidPagination` for a total that is not a count.
    func total(in field: String?) throws(ErrandError) -> Int? {
        if let total = info.total {
            guard total >= 0 else { throw error(.invalidPagination, "the total is negative") }
            return total
        }
        guard let field, let value = head?.headers[field] else { return nil }
        guard let total = Int(value), total >= 0 else {
            throw error(.invalidPagination, "the header field \(field) is not a count")
        }
        return total
    }
}
