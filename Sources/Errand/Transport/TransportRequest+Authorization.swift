extension TransportRequest {
    /// Whether the request has its own `Authorization` field, which interceptors do not replace.
    var hasAuthorization: Bool { urlRequest.value(forHTTPHeaderField: "Authorization") != nil }

    /// Returns this request with an `Authorization` field (RFC 9110, section 11.6.2).
    func authorized(by credentials: Secret) -> TransportRequest {
        var request = self
        request.urlRequest.setValue(credentials.text, forHTTPHeaderField: "Authorization")
        return request
    }
}
