/// A request that a cache may respond to.
struct CacheLookup: Sendable {
    private(set) var request: TransportRequest
    let url: URL
    let key: CacheKey
    /// What the request's cache policy and fields allow.
    let terms: CacheTerms

    /// Creates a lookup; `nil` for a request that is not a GET or HEAD of an HTTP URL, that has a body, a range, its
    /// own conditions or `no-store`, or to which credentials may be added later. For a range, `CacheEngine` looks up
    /// the request without it.
    init?(_ request: TransportRequest, usesHeuristicFreshness: Bool, partition: (URLRequest) -> String?) {
        let urlRequest = request.urlRequest
        guard !request.mayGainCredentials, let url = urlRequest.url,
            let scheme = url.scheme?.lowercased(), scheme == "https" || scheme == "http",
            ["GET", "HEAD"].contains(urlRequest.httpMethod ?? "GET"),
            urlRequest.httpBody == nil, urlRequest.httpBodyStream == nil, request.bodyStream == nil,
            CacheValidation.rangeAndConditions.allSatisfy({ urlRequest.value(forHTTPHeaderField: $0) == nil })
        else { return nil }
        terms = CacheTerms(urlRequest, usesHeuristicFreshness: usesHeuristicFreshness)
        guard !terms.directives.has("no-store") else { return nil }
        self.request = request
        self.url = url
        key = CacheKey(request, url: url, partition: partition(urlRequest))
    }

    /// The lookup for a background refresh, which reports no progress to the caller.
    var inBackground: CacheLookup {
        var lookup = self
        lookup.request.uploadProgress = nil
        lookup.request.downloadProgress = nil
        return lookup
    }

    /// Returns the request for the server, with the conditions that revalidate an entry.
    func revalidating(_ entry: CacheEntry?) -> TransportRequest {
        var request = request
        // A cache between this one and the server must also revalidate (RFC 9111, sections 5.2.1.1 and 5.2.1.4).
        if request.urlRequest.value(forHTTPHeaderField: "Cache-Control") == nil {
            switch terms.use {
            case .none: request.urlRequest.setValue("no-cache", forHTTPHeaderField: "Cache-Control")
            case .revalidated: request.urlRequest.setValue("max-age=0", forHTTPHeaderField: "Cache-Control")
            case .byTheRules, .anyAge, .anyAgeOnly: break
            }
        }
        if let entry { request.urlRequest = CacheValidation.adding(entry, to: request.urlRequest) }
        return request
    }

    /// Returns a response from the stored entry.
    ///
    /// - Throws: The error that a transport throws for a body that is longer than the request allows.
    func response(from entry: CacheEntry, source: ResponseSource, now: Date) throws(ErrandError) -> DataResponse {
        var headers = entry.headers
        // The age does not depend on heuristics. NaN, from a date of a custom store, becomes 0.
        let freshness = CacheFreshness(entry, heuristic: false, now: now)
        let age = min(max(0, freshness.age), Double(HeaderFields.maximumSeconds))
        headers["Age"] = String(Int(age))
        let body = terms.isHead ? Data() : entry.body
        try checkLength(of: body)
        let response = DataResponse(statusCode: entry.statusCode, headers: headers, data: body, url: url)
        return response.responding(to: request.urlRequest, from: source)
    }

    /// Throws an error for a body that is longer than the request allows.
    func checkLength(of body: Data) throws(ErrandError) {
        guard body.count > request.maximumBodySize else { return }
        throw ErrandError(transportFailure: URLError(.dataLengthExceedsMaximum)).with(request: request.urlRequest)
    }
}

extension TransportRequest {
    /// Whether the request must not use the network.
    var isCacheOnly: Bool { CacheTerms(urlRequest, usesHeuristicFreshness: false).isCacheOnly }

    /// Returns the response 504 to a request that must not use the network, if no stored response matches (RFC 9111,
    /// section 5.2.1.7).
    ///
    /// - Throws: ``ErrandError`` with `notCached` for `returnCacheDataDontLoad`.
    func responseWithoutNetwork() throws(ErrandError) -> DataResponse {
        if urlRequest.cachePolicy == .returnCacheDataDontLoad {
            throw ErrandError(.notCached, reason: "no response is stored, and the cache policy forbids a request")
                .with(request: urlRequest)
        }
        return DataResponse(statusCode: 504, url: urlRequest.url).responding(to: urlRequest, from: .interceptor)
    }
}

extension DataResponse {
    /// Returns `true` if the transport followed a redirect from the URL of the request.
    ///
    /// Such a response is not stored, and confirms no entry. How long the redirect is fresh is not known, and the
    /// request that followed it may have had other credentials, such as the cookies of a jar.
    func wasRedirected(from requested: URL) -> Bool {
        redirects != nil || (metrics?.redirects ?? 0) > 0 || url.map { !CacheKey.isSame($0, requested) } ?? false
    }

    /// Returns this as a response that does not come from the server.
    func responding(to request: URLRequest, from source: ResponseSource) -> DataResponse {
        var response = self
        response.method = request.httpMethod.map(RequestMethod.init(rawValue:))
        response.attempts = 0
        response.source = source
        return response
    }
}
