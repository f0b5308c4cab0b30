extension CacheEngine {
    /// Stores the response to a POST for later GETs, if the response says that it is the resource at that URL and how
    /// long it is fresh (RFC 9110, section 9.3.3).
    ///
    /// - Parameter requestDate: The time when the request was sent.
    func keep(_ response: DataResponse, after request: TransportRequest, requestDate: Date) async {
        guard request.urlRequest.httpMethod == "POST", let url = request.urlRequest.url,
            CacheStoring.isResource(response, at: url)
        else { return }
        var get = request
        get.urlRequest.httpMethod = "GET"
        get.urlRequest.httpBody = nil
        get.urlRequest.httpBodyStream = nil
        get.bodyStream = nil
        guard let lookup = lookup(get) else { return }
        // The response to the POST has just revoked all earlier claims.
        let claim = claims.withLock { $0.begin(lookup.key.resource) }
        defer { _ = claims.withLock { $0.end(claim) } }
        _ = try? await keep(response, lookup, stored: nil, requestDate: requestDate, claim: claim)
    }
}
