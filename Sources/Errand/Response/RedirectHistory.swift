/// The redirects that were followed for a response.
struct RedirectHistory: Sendable {
    /// A redirect response that was followed.
    struct Hop: Sendable {
        /// The method and the URL of the request before the redirect.
        let method: String
        let url: URL?
        let statusCode: Int
        let headers: HeaderFields
    }

    var hops: [Hop] = []
    /// The method of the last request.
    var lastMethod: String
}
