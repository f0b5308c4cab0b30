/// The redirects of one request (RFC 9110, section 15.4), for transports that are told to follow none themselves.
///
/// A pure state machine: it is given answers, and says what to send next.
struct RedirectChain {
    /// How many redirects are followed; one more ends the request.
    static let limit = 20

    /// What is to be sent now.
    private(set) var request: URLRequest
    private var followed = 0

    init(_ request: URLRequest) {
        self.request = request
    }

    /// Moves on to where an answer leads.
    ///
    /// - Returns: Whether there is more to send; false when the answer is the last.
    /// - Throws: A `URLError`: `httpTooManyRedirects`, `redirectToNonExistentLocation` for a location that cannot be
    ///   read, `unsupportedURL` for one that is not http.
    mutating func follow(_ response: DataResponse) throws(URLError) -> Bool {
        guard [301, 302, 303, 307, 308].contains(response.statusCode),
            let location = response.headers[values: "Location"].first, !location.isEmpty
        else { return false }
        guard let target = URL(string: location, relativeTo: request.url)?.absoluteURL else {
            throw URLError(.redirectToNonExistentLocation)
        }
        guard let scheme = target.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = target.host, !host.isEmpty
        else { throw URLError(.unsupportedURL) }
        guard followed < Self.limit else { throw URLError(.httpTooManyRedirects) }
        followed += 1
        if becomesGet(after: response.statusCode) { dropBody() }
        if !request.hasSameOrigin(as: target) { keepOnlyHarmlessFields() }
        request.url = target
        return true
    }

    /// 303 says so; for 301 and 302 every client has always done it after POST.
    private func becomesGet(after status: Int) -> Bool {
        switch (status, request.httpMethod) {
        case (303, "HEAD"): false
        case (303, _), (301, "POST"), (302, "POST"): true
        default: false
        }
    }

    private mutating func dropBody() {
        request.httpMethod = "GET"
        request.httpBody = nil
        request.httpBodyStream = nil
        for name in (request.allHTTPHeaderFields ?? [:]).keys where name.describesBody {
            request.setValue(nil, forHTTPHeaderField: name)
        }
    }

    /// A new origin gets what says how to answer and what the body is. Everything else may be a credential, whatever
    /// its name: `X-Api-Key` as much as `Authorization`.
    private mutating func keepOnlyHarmlessFields() {
        for name in (request.allHTTPHeaderFields ?? [:]).keys where !name.isHarmless {
            request.setValue(nil, forHTTPHeaderField: name)
        }
    }
}

extension URLRequest {
    fileprivate func hasSameOrigin(as target: URL) -> Bool {
        guard let url else { return false }
        return url.scheme?.lowercased() == target.scheme?.lowercased()
            && url.host?.lowercased() == target.host?.lowercased() && url.effectivePort == target.effectivePort
    }
}

extension URL {
    fileprivate var effectivePort: Int { port ?? (scheme?.lowercased() == "https" ? 443 : 80) }
}

extension String {
    /// Fields that mean nothing without the body.
    fileprivate var describesBody: Bool {
        let name = lowercased()
        return name.hasPrefix("content-") || ["transfer-encoding", "digest", "trailer", "expect"].contains(name)
    }

    /// Fields that any server may see.
    fileprivate var isHarmless: Bool {
        describesBody || Self.harmless.contains(lowercased())
    }

    private static let harmless: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "if-match",
        "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "prefer", "range", "user-agent",
    ]
}
