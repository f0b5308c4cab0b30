/// A request that a cache may answer.
struct CacheQuestion: Sendable {
    /// What requests have in common that may wait for one answer.
    struct Sharing: Hashable, Sendable {
        let key: CacheKey
        let transfer: TransferTerms
        /// One of a higher priority does not wait in another's place.
        let priority: RequestPriority
    }

    private(set) var request: TransportRequest
    let url: URL
    let key: CacheKey
    let terms: CacheTerms

    /// A question, unless the request is none for a cache: it has to go to the server, and its answer is not stored.
    init?(_ request: TransportRequest, usesHeuristicFreshness: Bool, partition: (URLRequest) -> String?) {
        let asked = request.urlRequest
        guard let url = asked.url, let scheme = url.scheme?.lowercased(), scheme == "https" || scheme == "http",
            ["GET", "HEAD"].contains(asked.httpMethod ?? "GET"),
            asked.httpBody == nil, asked.httpBodyStream == nil, request.bodyStream == nil,
            CacheValidation.ownConditions.allSatisfy({ asked.value(forHTTPHeaderField: $0) == nil })
        else { return nil }
        terms = CacheTerms(asked, usesHeuristicFreshness: usesHeuristicFreshness)
        guard !terms.directives.has("no-store") else { return nil }
        self.request = request
        self.url = url
        key = CacheKey(request, url: url, partition: partition(asked))
    }

    var sharing: Sharing {
        Sharing(key: key, transfer: TransferTerms(request), priority: request.priority)
    }

    /// The question without what is only for whoever asks to see.
    var inBackground: CacheQuestion {
        var question = self
        question.request.uploadProgress = nil
        question.request.downloadProgress = nil
        return question
    }

    /// The request as it goes to the server, asking whether an entry is still good.
    func asking(about entry: CacheEntry?) -> TransportRequest {
        var request = request
        // A cache on the way is to ask too (RFC 9111, sections 5.2.1.1 and 5.2.1.4).
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

    /// An answer from what is stored.
    ///
    /// - Throws: What the transport would fail with, where the body is longer than the request allows.
    func answer(from entry: CacheEntry, source: ResponseSource, now: Date) throws(ErrandError) -> DataResponse {
        var headers = entry.headers
        let freshness = CacheFreshness(entry, heuristic: false, now: now)
        let age = min(max(0, freshness.age), Double(CacheControl.maximumSeconds))
        headers["Age"] = String(Int(age))
        let body = terms.isHead ? Data() : entry.body
        try checkLength(of: body)
        let response = DataResponse(statusCode: entry.statusCode, headers: headers, data: body, url: url)
        return response.answering(request.urlRequest, from: source)
    }

    /// Fails for a body that is longer than the request allows.
    func checkLength(of body: Data) throws(ErrandError) {
        guard body.count > request.maximumBodySize else { return }
        throw ErrandError(transportFailure: URLError(.dataLengthExceedsMaximum)).with(request: request.urlRequest)
    }
}

extension TransportRequest {
    /// Whether the network may not be asked.
    var isCacheOnly: Bool { CacheTerms(urlRequest, usesHeuristicFreshness: false).isCacheOnly }

    /// The answer to a request that may not go to the network (RFC 9111, section 5.2.1.7), where nothing stored answers it.
    ///
    /// - Throws: ``ErrandError`` with `notCached` for `returnCacheDataDontLoad`.
    func answerWithoutNetwork() throws(ErrandError) -> DataResponse {
        if urlRequest.cachePolicy == .returnCacheDataDontLoad {
            throw ErrandError(.notCached, reason: "nothing is stored").with(request: urlRequest)
        }
        return DataResponse(statusCode: 504, url: urlRequest.url).answering(urlRequest, from: .interceptor)
    }
}

extension DataResponse {
    /// This as an answer for which nothing was sent.
    fileprivate func answering(_ request: URLRequest, from source: ResponseSource) -> DataResponse {
        var response = self
        response.method = request.httpMethod.map(RequestMethod.init(rawValue:))
        response.attempts = 0
        response.source = source
        return response
    }
}
