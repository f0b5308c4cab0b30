extension Result where Failure == ErrandError {
    /// Returns the credential that was checked when the interceptor was created.
    ///
    /// - Throws: The ``ErrandError`` of the check, with the request that it prevents.
    func get(for request: TransportRequest) throws(ErrandError) -> Success {
        do {
            return try get()
        } catch {
            throw error.with(request: request.urlRequest)
        }
    }
}

extension String {
    /// Whether this contains a control character, such as a line break, a tab or a NUL (RFC 5234, `CTL`, and those of
    /// Unicode).
    package var hasControlCharacter: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }
}
