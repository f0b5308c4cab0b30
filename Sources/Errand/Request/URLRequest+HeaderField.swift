extension URLRequest {
    /// Sets a header field and removes fields with the same name. The name is sent as written.
    ///
    /// In contrast, Foundation on Linux capitalizes the name in `setValue(_:forHTTPHeaderField:)`: `X-API-Key` becomes
    /// `X-Api-Key`.
    mutating func setHeaderField(_ name: String, _ value: String?) {
        var fields = allHTTPHeaderFields ?? [:]
        for key in fields.keys where key.equalsIgnoringASCIICase(name) { fields[key] = nil }
        fields[name] = value
        allHTTPHeaderFields = fields
    }
}
