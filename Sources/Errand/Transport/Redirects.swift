/// The treatment of redirects (RFC 9110, section 15.4).
public enum RedirectPolicy: Sendable {
    /// Follows redirects, at most 20 in a row. Another redirect fails the request.
    case follow
    /// Returns the redirect as the response.
    case ignore
    /// Calls the closure for each redirect that can be followed, and follows it if the closure returns `true`; at most
    /// 20 in a row.
    ///
    /// The closure receives the redirect response, in most cases without its body, and the request that would be sent
    /// next, in which interceptors have not changed the cookies yet. Only its own request waits for it.
    case decide(@Sendable (_ response: DataResponse, _ next: URLRequest) -> Bool)
}

/// The actions of an interceptor at redirects.
package struct RedirectHook: Sendable {
    /// The interceptor. Requests with hooks of different owners do not share a transfer.
    package let owner: ObjectReference
    /// The pairs that the owner has added to the `Cookie` field of the latest request.
    var cookies: [String]
    /// Observes a redirect response with a location, even if it is not followed; not called with
    /// ``RedirectPolicy/ignore``. Only its own request waits for it.
    let observe: @Sendable (_ response: DataResponse) -> Void
    /// Changes the header fields of the next request, and returns the owner's pairs in it. The request still has the
    /// previous pairs unless it goes to another origin. Only its own request waits for it.
    let change: @Sendable (_ next: inout URLRequest, _ cookies: [String]) -> [String]
}

/// The redirects of one request (RFC 9110, section 15.4), for transports that do not follow redirects themselves.
///
/// A state machine without I/O: it receives responses and provides the next request.
package struct RedirectChain {
    /// The maximum number of redirects: 20. Another redirect fails the request.
    static let limit = 20

    /// The current request.
    package private(set) var request: URLRequest
    /// The number of redirects followed so far.
    private(set) var followed = 0
    /// Whether a redirect has changed the request to a GET, so that its body is no longer sent.
    package private(set) var hasDroppedBody = false
    /// Whether a redirect has led to another origin. The request's own credentials are then never sent again, even if a
    /// later redirect returns to the first origin.
    private(set) var hasLeftOrigin = false
    /// The redirects followed so far; `nil` without any.
    private(set) var history: RedirectHistory?
    private let policy: RedirectPolicy
    private var hooks: [RedirectHook]

    package init(_ request: TransportRequest) {
        self.request = request.urlRequest
        policy = request.redirectPolicy
        hooks = request.redirectHooks
    }

    /// Whether the policy or a hook decides about a redirect, which may be the user's code.
    var asksOthers: Bool {
        switch policy {
        case .ignore: false
        case .decide: true
        case .follow: !hooks.isEmpty
        }
    }

    /// Returns whether a status is that of a redirect that may be followed.
    static func isRedirect(_ status: Int) -> Bool {
        switch status {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }

    /// Follows a redirect response.
    ///
    /// - Returns: Whether there is another request to send; `false` if the response is the last one.
    /// - Throws: A ``TransportFailure``: `httpTooManyRedirects`; `redirectToNonExistentLocation` for an invalid
    ///   location, and for several that differ; `unsupportedURL` for a location whose scheme is not that of HTTP.
    package mutating func follow(_ response: DataResponse) throws(TransportFailure) -> Bool {
        if case .ignore = policy { return false }
        let locations = response.headers[values: "Location"]
        guard Self.isRedirect(response.statusCode), let location = locations.first, !location.isEmpty else {
            return false
        }
        guard locations.allSatisfy({ $0 == location }) else {
            throw TransportFailure(
                URLError(.redirectToNonExistentLocation), reason: "the redirect has several locations that differ")
        }
        for hook in hooks { hook.observe(response) }
        let target = try Self.target(of: location, from: request.url)
        guard followed < Self.limit else { throw TransportFailure(URLError(.httpTooManyRedirects)) }
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

    /// Returns the chain after a redirect, as ``follow(_:)`` leaves it; `nil` if the response is the last one.
    func following(_ response: DataResponse) throws(TransportFailure) -> RedirectChain? {
        var next = self
        return try next.follow(response) ? next : nil
    }

    /// Returns the URL that a location leads to. It must be an HTTP URL with a host (RFC 9110, section 4.2.1); a port
    /// must be at most 65,535.
    private static func target(of location: String, from base: URL?) throws(TransportFailure) -> URL {
        let code = URLError.Code.redirectToNonExistentLocation
        guard let target = URL(lenient: location, relativeTo: base)?.inheritingFragment(of: base) else {
            throw TransportFailure(URLError(code))
        }
        guard let scheme = target.scheme?.lowercased(), ["http", "https"].contains(scheme) else {
            throw TransportFailure(URLError(.unsupportedURL))
        }
        guard let host = target.host, !host.isEmpty else {
            throw TransportFailure(URLError(code), reason: "the location of the redirect has no host")
        }
        if let port = target.port, !(0...65_535 ~= port) {
            throw TransportFailure(URLError(code), reason: "the location of the redirect has an invalid port, \(port)")
        }
        return target
    }

    /// Adds a redirect that is followed to the history.
    private mutating func note(_ response: DataResponse, _ next: URLRequest) {
        let hop = RedirectHistory.Hop(
            method: request.httpMethod ?? "GET", url: request.url, statusCode: response.statusCode,
            headers: response.headers)
        history = RedirectHistory(hops: (history?.hops ?? []) + [hop], lastMethod: next.httpMethod ?? "GET")
    }

    /// Returns the request to a target, without the body and the fields that it must not have.
    private func redirected(to target: URL, after status: Int) -> URLRequest {
        var next = request
        if becomesGet(after: status) { next.dropBody() }
        if next.origin != Origin(target) { next.keepOnlyHarmlessFields() }
        next.url = target.withLowercasedScheme
        return next
    }

    private func becomesGet(after status: Int) -> Bool { Self.becomesGet(after: status, request.httpMethod) }

    /// After 303, every method but HEAD becomes GET. After 301 and 302, POST becomes GET, as RFC 9110 allows. The body
    /// is not sent then.
    static func becomesGet(after status: Int, _ method: String?) -> Bool {
        switch (status, method) {
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

    /// Removes all fields except those that may be sent to any server. For a new origin, every other field may be a
    /// credential, whatever its name: `X-Api-Key` as well as `Authorization`.
    fileprivate mutating func keepOnlyHarmlessFields() {
        for name in (allHTTPHeaderFields ?? [:]).keys where !name.isSentToOtherOrigins {
            setValue(nil, forHTTPHeaderField: name)
        }
    }
}

extension URL {
    /// Returns this URL, which gets the fragment of another one if it has none (RFC 9110, section 10.2.2). A fragment
    /// is not sent.
    fileprivate func inheritingFragment(of other: URL?) -> URL {
        let mark = UInt8(ascii: "#")
        guard let other = other?.absoluteString, let start = other.utf8.firstIndex(of: mark),
            !absoluteString.utf8.contains(mark)
        else { return self }
        return URL(string: absoluteString + other[start...]) ?? self
    }

    /// The URL with a lowercase scheme, because `URLSession` on Linux supports `http` but not `HTTP`.
    fileprivate var withLowercasedScheme: URL {
        guard let scheme, scheme != scheme.lowercased() else { return self }
        return URL(string: scheme.lowercased() + absoluteString.dropFirst(scheme.count)) ?? self
    }
}

extension String {
    /// Whether the field has no meaning without the body.
    fileprivate var describesBody: Bool {
        Self.descriptive.contains(lowercased())
    }

    /// Whether the field may be sent to any server.
    var isSentToOtherOrigins: Bool {
        describesBody || Self.harmless.contains(lowercased())
    }

    private static let descriptive: Set<String> = [
        "content-digest", "content-disposition", "content-encoding", "content-language", "content-length",
        "content-location", "content-md5", "content-range", "content-type", "digest", "expect", "repr-digest",
        "trailer", "transfer-encoding",
    ]

    private static let harmless: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "if-match",
        "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "last-event-id", "prefer", "range",
        "user-agent",
    ]
}
