extension URLRequest {
    /// Sets a header field in place of those with the same name; `nil` removes them. The name is stored as written.
    ///
    /// In contrast, Foundation on Linux capitalizes the name in `setValue(_:forHTTPHeaderField:)`: `X-API-Key` becomes
    /// `X-Api-Key`.
    mutating func setHeaderField(_ name: String, _ value: String?) {
        var fields = allHTTPHeaderFields ?? [:]
        for key in fields.keys where key.equalsIgnoringASCIICase(name) { fields[key] = nil }
        fields[name] = value
        allHTTPHeaderFields = fields
    }

    /// The body that is read while the request is sent. It is `nil` for a request with data, without a body, or with
    /// the caller's own `InputStream`.
    ///
    /// It is stored in `httpBodyStream` as an empty stream that only represents the body. Copies of the request
    /// therefore carry it, and code that reads only `httpBodyStream` sees that there is a body. Setting a body removes
    /// `httpBody`; setting `nil` removes any stream.
    package var bodyStream: BodyStream? {
        get { (httpBodyStream as? BodyStreamMarker)?.body }
        set { httpBodyStream = newValue.map(BodyStreamMarker.init) }
    }
}

/// A stream that represents a body in a `URLRequest`, which can hold only an `InputStream`.
private final class BodyStreamMarker: InputStream {
    let body: BodyStream

    init(_ body: BodyStream) {
        self.body = body
        super.init(data: Data())
    }
}
