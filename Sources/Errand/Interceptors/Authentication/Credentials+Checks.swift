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
