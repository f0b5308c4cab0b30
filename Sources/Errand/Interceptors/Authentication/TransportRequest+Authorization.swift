extension TransportRequest {
    /// Whether the request says itself on whose behalf it is sent: then no interceptor adds to it.
    var hasAuthorization: Bool { urlRequest.value(forHTTPHeaderField: "Authorization") != nil }

    /// This request with an `Authorization` field (RFC 9110, section 11.6.2).
    func authorized(by credentials: Secret) -> TransportRequest {
        var request = self
        request.urlRequest.setValue(credentials.text, forHTTPHeaderField: "Authorization")
        return request
    }
}

extension Result where Failure == ErrandError {
    /// What was checked when the interceptor was made.
    ///
    /// - Throws: The ``ErrandError``, with the request that it keeps from being sent.
    func get(for request: TransportRequest) throws(ErrandError) -> Success {
        do {
            return try get()
        } catch {
            throw error.with(request: request.urlRequest)
        }
    }
}

extension String {
    /// Whether this has a character that is no text: a line break, a tab, a NUL (RFC 5234, `CTL`, and those of Unicode).
    var hasControlCharacter: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }
}
