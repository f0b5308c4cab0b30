/// Header fields that have to be waited for: over the service's own, and under the request's.
struct AsynchronousHeaders: Interceptor {
    /// Gives the fields, each time the request is sent.
    let fields: @Sendable () async throws -> HTTPHeaders
    /// What the service sends with every request, which gives way.
    let serviceHeaders: HTTPHeaders
    /// The request's own fields, which stay.
    let own: HTTPHeaders

    func intercept<Answer: HTTPResponse>(_ request: TransportRequest, next: Next<Answer>) async throws -> Answer {
        var request = request
        let found = try await fields()
        for name in Set(found.map { $0.name.lowercased() }) {
            for value in found[values: name] { try RequestCheck.check(field: HTTPHeaders.Field(name, value)) }
            // What an override of `buildURLRequest()` has set is the request's own too.
            let present = request.urlRequest.value(forHTTPHeaderField: name)
            guard own[name] == nil, present == nil || present == serviceHeaders[name] else { continue }
            request.urlRequest.setValue(found[name], forHTTPHeaderField: name)
        }
        return try await next(request)
    }
}
