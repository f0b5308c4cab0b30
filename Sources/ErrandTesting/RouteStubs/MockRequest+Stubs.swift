import Errand

extension MockRequest {
    /// Creates a request that was not sent, as a server would have received it: with a `Host` field, the other fields
    /// ordered by name, and without the fields that a transport adds.
    ///
    /// - Throws: ``RequestFailure`` if it has header fields that cannot be sent.
    init(_ request: URLRequest, body: Data) throws(RequestFailure) {
        let components = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        let path = components?.percentEncodedPath ?? ""
        let query = components?.percentEncodedQuery.map { "?\($0)" } ?? ""
        let host = (components?.host ?? "") + (components?.port.map { ":\($0)" } ?? "")
        var fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        fields.removeAll { $0.lowercased().hasPrefix("host:") }
        let head = ["\(request.httpMethod ?? "GET") \(path.isEmpty ? "/" : path)\(query) HTTP/1.1", "Host: \(host)"]
        try self.init(rawHead: Data(((head + fields).joined(separator: "\r\n") + "\r\n\r\n").utf8))
        self.body = body
    }
}
