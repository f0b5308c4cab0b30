/// The identity of a request. Requests with equal keys can share a transfer.
struct CoalescingKey: Hashable, Sendable {
    private let method: String
    private let url: URL
    private let terms: SharingKey

    /// - Returns: `nil` for a request that cannot be shared: with a body, with an unsafe method, or with redirects that
    ///   a closure decides.
    init?(_ request: TransportRequest) {
        let urlRequest = request.urlRequest
        method = urlRequest.httpMethod ?? "GET"
        terms = SharingKey(request)
        guard let url = urlRequest.url, method == "GET" || method == "HEAD", terms.canBeShared,
            request.bodyStream == nil, urlRequest.httpBody == nil, urlRequest.httpBodyStream == nil
        else { return nil }
        self.url = url
    }
}
