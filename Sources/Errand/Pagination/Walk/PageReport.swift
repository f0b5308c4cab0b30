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

    /// The fingerprint, which is equal for pages with the same items; `nil` if it is unknown.
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

    /// Returns the total from the page or from the header field; `nil` if neither contains a valid count.
    func total(in field: String?) -> Int? {
        let total = info.total ?? field.flatMap { head?.headers[$0] }.flatMap { Int($0) }
        return total.flatMap { $0 < 0 ? nil : $0 }
    }
}
