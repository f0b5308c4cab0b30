/// Puts a base URL, a path and a query together; fails with a clear error where they make no URL.
struct RequestURL {
    var base: URL?
    var path: RequestPath
    var query: URLQuery

    /// The path goes behind the base URL's own path, and the query behind its own query.
    ///
    /// - Throws: ``ErrandError`` with `missingBaseURL` or `invalidURL`.
    func resolved() throws(ErrandError) -> URL {
        guard let base else { throw ErrandError(.missingBaseURL, reason: "the request has no base URL") }
        if let simple = simpleURL(base) { return simple }
        guard var components = URLComponents(url: base, resolvingAgainstBaseURL: true),
            let scheme = components.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = components.host, !host.isEmpty
        else {
            throw ErrandError(.invalidURL, reason: "the base URL must have the scheme http or https, and a host")
        }
        components.scheme = scheme
        components.fragment = nil
        components.percentEncodedPath = try joinedPath(behind: components.percentEncodedPath)
        let queries = [components.percentEncodedQuery, try query.percentEncoded()].compactMap(\.self)
            .filter { !$0.isEmpty }
        components.percentEncodedQuery = queries.isEmpty ? nil : queries.joined(separator: "&")
        guard let url = components.url else {
            throw ErrandError(.invalidURL, reason: "the base URL and the path make no URL")
        }
        return url
    }

    /// The URL where nothing has to be taken apart: a base without a query, and a path of plain segments.
    private func simpleURL(_ base: URL) -> URL? {
        let (text, path) = (base.absoluteString, path.text)
        guard query.isEmpty, self.path.fault == nil, base.baseURL == nil, path.isPlain(withSlashes: true), base.isHTTP,
            text.hasSmallSchemeAndNoQuery
        else { return nil }
        if path.isEmpty { return base }
        guard path.utf8.first == UInt8(ascii: "/"), text.utf8.last != UInt8(ascii: "/") else { return nil }
        return URL(string: text + path)
    }

    private func joinedPath(behind basePath: String) throws(ErrandError) -> String {
        if let fault = path.fault { throw ErrandError(.invalidURL, reason: fault.rawValue) }
        let path = path.text
        if path.isEmpty { return basePath }
        if path.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
            let reason = "the path holds a ? or #: use query, or write %3F or %23 where it belongs to the path"
            throw ErrandError(.invalidURL, reason: reason)
        }
        // Escaped first: to Swift a slash with a combining mark behind it is no slash, and to a server it is one.
        let escaped = path.percentEncoded(allowing: .pathCharacters, keepingEscapes: true)
        let segments = escaped.lowercased().replacingOccurrences(of: "%2e", with: ".").split(separator: "/")
        if segments.contains(".") || segments.contains("..") {
            throw ErrandError(.invalidURL, reason: "the path has a segment of dots, which leads out of the base URL")
        }
        if let colon = path.firstIndex(of: ":"), path[colon...].hasPrefix("://"), String(path[..<colon]).isHTTPToken {
            throw ErrandError(.invalidURL, reason: "the path is a whole URL: use baseURL for it")
        }
        let separator = basePath.hasSuffix("/") || escaped.hasPrefix("/") ? "" : "/"
        let front = basePath.hasSuffix("/") && escaped.hasPrefix("/") ? String(basePath.dropLast()) : basePath
        return front + separator + escaped
    }
}

extension String {
    /// Whether this URL begins with a small letter, and has no query and no fragment.
    fileprivate var hasSmallSchemeAndNoQuery: Bool {
        withBytes { bytes in
            for byte in bytes where byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { return false }
            return bytes.first == UInt8(ascii: "h")
        }
    }
}
