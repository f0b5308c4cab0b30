import Errand

extension MockRequest {
    /// A request as a server would have received it, of one that is not sent: with a `Host` field, the others by name, and
    /// without those that a transport adds by itself.
    ///
    /// - Throws: ``RequestFailure`` where it has fields that cannot be sent.
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
