extension TransportRequest {
    /// Whether the request has an `Authorization` field of its own, to which no interceptor adds.
    var hasAuthorization: Bool { urlRequest.value(forHTTPHeaderField: "Authorization") != nil }

    /// This request with an `Authorization` field (RFC 9110, section 11.6.2).
    func authorized(by credentials: Secret) -> TransportRequest {
        var request = self
        request.urlRequest.setValue(credentials.text, forHTTPHeaderField: "Authorization")
        return request
    }
}
