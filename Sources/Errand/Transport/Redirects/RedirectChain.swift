/// The redirects of one request (RFC 9110, section 15.4), for transports that are told to follow none themselves.
///
/// A pure state machine: it is given answers, and says what to send next.
package struct RedirectChain {
    /// How many redirects are followed; one more ends the request.
    static let limit = 20

    /// What is to be sent now.
    package private(set) var request: URLRequest
    /// How many redirects were followed so far.
    private(set) var followed = 0
    /// Whether a redirect has turned the request into a GET, so that its body is not sent any more.
    package private(set) var hasDroppedBody = false
    /// Whether a redirect has led to another origin: what was meant for the first is not sent again, even back there.
    private(set) var hasLeftOrigin = false
    /// What was followed so far; `nil` as long as nothing was.
    private(set) var history: RedirectHistory?
    private let policy: RedirectPolicy
    private var hooks: [RedirectHook]

    package init(_ request: TransportRequest) {
        self.request = request.urlRequest
        policy = request.redirectPolicy
        hooks = request.redirectHooks
    }

    /// Whether a status is one that may be followed.
    static func isRedirect(_ status: Int) -> Bool {
        switch status {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }

    /// Moves on to where an answer leads.
    ///
    /// - Returns: Whether there is more to send; false when the answer is the last.
    /// - Throws: A `URLError`: `httpTooManyRedirects`, `redirectToNonExistentLocation` for a location that cannot be
    ///   read, `unsupportedURL` for one that is not http.
    package mutating func follow(_ response: DataResponse) throws(URLError) -> Bool {
        if case .ignore = policy { return false }
        guard Self.isRedirect(response.statusCode), let location = response.headers[values: "Location"].first,
            !location.isEmpty
        else { return false }
        for hook in hooks { hook.observe(response) }
        guard let target = URL(string: location, relativeTo: request.url)?.absoluteURL else {
            throw URLError(.redirectToNonExistentLocation)
        }
        guard let scheme = target.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = target.host, !host.isEmpty
        else { throw URLError(.unsupportedURL) }
        guard followed < Self.limit else { throw URLError(.httpTooManyRedirects) }
        var next = redirected(to: target, after: response.statusCode)
        if case .decide(let shouldFollow) = policy, !shouldFollow(response, next) { return false }
        followed += 1
        note(response, next)
        if becomesGet(after: response.statusCode) { hasDroppedBody = true }
        if request.origin != Origin(target) { hasLeftOrigin = true }
        for index in hooks.indices { hooks[index].cookies = hooks[index].change(&next, hooks[index].cookies) }
        request = next
        return true
    }

    private mutating func note(_ response: DataResponse, _ next: URLRequest) {
        let hop = RedirectHistory.Hop(
            method: request.httpMethod ?? "GET", url: request.url, statusCode: response.statusCode,
            headers: response.headers)
        history = RedirectHistory(hops: (history?.hops ?? []) + [hop], lastMethod: next.httpMethod ?? "GET")
    }

    private func redirected(to target: URL, after status: Int) -> URLRequest {
        var next = request
        if becomesGet(after: status) { next.dropBody() }
        if next.origin != Origin(target) { next.keepOnlyHarmlessFields() }
        next.url = target.withLowercasedScheme
        return next
    }

    /// 303 says so; for 301 and 302 every client has always done it after POST.
    private func becomesGet(after status: Int) -> Bool {
        switch (status, request.httpMethod) {
        case (303, "HEAD"): false
        case (303, _), (301, "POST"), (302, "POST"): true
        default: false
        }
    }
}

extension URLRequest {
    fileprivate mutating func dropBody() {
        httpMethod = "GET"
        httpBody = nil
        for name in (allHTTPHeaderFields ?? [:]).keys where name.describesBody {
            setValue(nil, forHTTPHeaderField: name)
        }
    }

    /// A new origin gets what says how to answer and what the body is. Everything else may be a credential, whatever
    /// its name: `X-Api-Key` as much as `Authorization`.
    fileprivate mutating func keepOnlyHarmlessFields() {
        for name in (allHTTPHeaderFields ?? [:]).keys where !name.isSentToOtherOrigins {
            setValue(nil, forHTTPHeaderField: name)
        }
    }
}

extension URL {
    /// `URLSession` on Linux knows `http` and not `HTTP`.
    fileprivate var withLowercasedScheme: URL {
        guard let scheme, scheme != scheme.lowercased() else { return self }
        return URL(string: scheme.lowercased() + absoluteString.dropFirst(scheme.count)) ?? self
    }
}

extension String {
    /// Fields that mean nothing without the body.
    fileprivate var describesBody: Bool {
        Self.descriptive.contains(lowercased())
    }

    /// Fields that any server may see.
    var isSentToOtherOrigins: Bool {
        describesBody || Self.harmless.contains(lowercased())
    }

    private static let descriptive: Set<String> = [
        "content-digest", "content-disposition", "content-encoding", "content-language", "content-length",
        "content-location", "content-md5", "content-range", "content-type", "digest", "expect", "repr-digest",
        "trailer",
        "transfer-encoding",
    ]

    private static let harmless: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "if-match",
        "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "last-event-id", "prefer", "range",
        "user-agent",
    ]
}
