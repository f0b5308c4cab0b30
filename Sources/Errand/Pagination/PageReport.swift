/// What an answered page tells about the way through the pages.
struct PageReport: Sendable {
    /// How many items it has.
    var count: Int
    /// What it says of itself.
    var info = PageInfo()
    /// What pages that are the same have in common.
    ///
    /// Items may be hashed by a part of what they are, and a body may name the time of day: a page is a repeated one when
    /// both are the same, as far as there are both.
    struct Fingerprint: Hashable {
        /// Of the items, where they can be hashed.
        var items: Int?
        /// Of the body, where there was one.
        var body: Int?

        var isEmpty: Bool { items == nil && body == nil }
    }

    /// The same for pages with the same items; nil where that cannot be told.
    var fingerprint: Fingerprint?
    /// The head of its answer; nil where the page came without one.
    var head: ResponseHead?

    /// Where it came from. Where a first request goes is a place too, and only its answer tells.
    var answerPlace: PagePosition.Place? { head?.url.map { .link($0.withoutFragment) } }

    /// An error about this page, with what is known of its answer.
    func error(_ code: ErrandError.Code, _ reason: String) -> ErrandError {
        var error = ErrandError(code, reason: reason)
        guard let head else { return error }
        error.url = head.url?.redacted
        error.attempts = head.attempts
        error.statusCode = head.statusCode
        error.headers = head.headers
        return error
    }

    /// The total: the page's own, or that of a header field.
    func total(in field: String?) throws(ErrandError) -> Int? {
        if let total = info.total {
            guard total >= 0 else { throw error(.invalidPagination, "the total is negative") }
            return total
        }
        guard let field, let value = head?.headers[field] else { return nil }
        guard let total = Int(value), total >= 0 else {
            throw error(.invalidPagination, "the header field of the total has no count")
        }
        return total
    }

    /// Which page this is by its own account; nil where it says too little.
    func arithmetic() throws(ErrandError) -> PageArithmetic? {
        guard let page = info.page, let size = info.pageSize, let total = info.total else { return nil }
        do {
            return try PageArithmetic(page: page, firstPage: info.firstPage, pageSize: size, total: total)
        } catch {
            throw self.error(error.code, error.reason ?? "the page makes no sense")
        }
    }
}
