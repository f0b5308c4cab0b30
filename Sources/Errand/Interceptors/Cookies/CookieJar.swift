/// Stores the cookies that servers set, and sends them back (RFC 6265bis).
///
/// ```swift
/// class ShopAPI: APIBase {
///     init(cookies: CookieJar) {
///         super.init()
///         baseURL = URL(string: "https://shop.example.com")
///         interceptors = [cookies]
///     }
/// }
///
/// let cookies = CookieJar()
/// _ = try await SignInRequest(cookies: cookies, password: password).start().value
/// let basket = try await BasketRequest(cookies: cookies).start().value   // with the cookies of the first response
/// ```
///
/// All requests that use the same jar share its cookies. Use one jar for each user.
///
/// A cookie is sent if its domain, path and `Secure` attribute allow it. Cookies of redirect responses are stored, and
/// each redirected request gets the cookies for its URL. To a `Cookie` header field of the request itself, the jar adds
/// cookies with other names.
///
/// List a ``RetryInterceptor``, authentication and `Failover` before the jar, so that each attempt gets the cookies for
/// its URL. ``HTTPCache`` and `Coalescing` run after the jar wherever they are listed, and keep the users of different
/// jars apart.
///
/// | limit | |
/// |---|---|
/// | cookies | 180 for each domain, and 3,000 in total; of one response, 180 are read |
/// | the `Cookie` header field | 8,190 bytes; cookies that do not fit are not sent |
/// | lifetime | 400 days |
///
/// If there are too many cookies, the jar removes expired ones first. Then it removes the ones used least recently: of
/// a domain, preferably those without `Secure`; in total, those of the site with the most cookies.
///
/// | different from a browser | |
/// |---|---|
/// | `SameSite`, `HttpOnly` | parsed without effect, since there are no pages and scripts |
/// | the public suffix list | ``PublicSuffixes``, a short rule |
/// | a cookie without a name | ignored |
/// | a loopback connection | counts as secure |
/// | a custom ``Transport`` that follows redirects itself | only its last response sets cookies |
/// | a request that a cache sends in the background | gets cookies; its last response sets none |
public final class CookieJar: Interceptor {
    /// The maximum number of bytes in a `Cookie` header field. Many servers reject longer ones.
    static let maximumFieldSize = 8190

    private let cookieStore: Locked<StoredCookies>
    private let suffixes: PublicSuffixes
    private let file: CookieFile?
    private let now: @Sendable () -> Date

    /// Creates a jar in memory.
    ///
    /// - Parameters:
    ///   - cookies: The initial cookies, for example those of an earlier jar; none by default.
    ///   - publicSuffixes: The domains that cookies must not be set for.
    ///   - now: Returns the current time; the system's by default.
    public convenience init(
        _ cookies: some Sequence<Cookie> = [], publicSuffixes: PublicSuffixes = [],
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(cookies, in: nil, publicSuffixes, now)
    }

    /// Creates a jar with a file, which keeps the cookies when the process ends.
    ///
    /// The file contains all values in plain text. Only its owner can read it. Each write replaces the whole file, so a
    /// process that is killed leaves either the old or the new version. The jar writes after each change, in the
    /// background. Requests do not wait for it; to wait, call ``flush()``. If two processes use the same file, the last
    /// write wins.
    ///
    /// - Parameters:
    ///   - file: The URL of the file. If it does not exist, the jar is empty. Missing directories are created.
    ///   - keepsSessionCookies: Whether cookies without an expiry are written too; `false` by default.
    ///   - publicSuffixes: The domains that cookies must not be set for.
    ///   - onError: A closure that is called once, on the jar's queue, with the first error of a write.
    ///   - now: Returns the current time; the system's by default.
    /// - Throws: ``ErrandError`` with `fileAccessFailed` if the URL is not that of a file, or if the file cannot be
    ///   read, belongs to another user, is larger than 64 MiB, or does not contain cookies. The file stays unchanged.
    public convenience init(
        file: URL, keepsSessionCookies: Bool = false, publicSuffixes: PublicSuffixes = [],
        onError: (@Sendable (any Error) -> Void)? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) throws(ErrandError) {
        let file = try CookieFile(file, keepsSessionCookies: keepsSessionCookies, onError: onError)
        self.init(try file.read(), in: file, publicSuffixes, now)
    }

    private init(
        _ cookies: some Sequence<Cookie>, in file: CookieFile?, _ suffixes: PublicSuffixes,
        _ now: @escaping @Sendable () -> Date
    ) {
        var stored = StoredCookies(suffixes: suffixes)
        for cookie in cookies { stored.set(cookie, at: now()) }
        cookieStore = Locked(stored)
        self.suffixes = suffixes
        self.file = file
        self.now = now
    }

    /// Sends the request with its cookies, and stores the cookies of the response.
    ///
    /// - Throws: The errors of `next`.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        // A jar that is listed twice handles a request once.
        let owner = ObjectReference(self)
        if request.redirectHooks.contains(where: { $0.owner == owner }) { return try await next(request) }
        var request = request
        let added = addCookies(to: &request.urlRequest)
        let url = request.urlRequest.url
        // The transport calls the first closure with each redirect response, and the second with the request that
        // follows. That request may still have the cookies that this jar added for the previous URL.
        request.redirectHooks.append(
            RedirectHook(owner: owner, cookies: added) { response in
                self.store(response, from: url)
            } change: { redirected, previous in
                redirected.removeCookies(previous)
                return self.addCookies(to: &redirected)
            })
        let response = try await next(request)
        // The cookies of a response from a cache may be older than those in the jar.
        if ![.cache, .stale].contains(response.source) { store(response, from: url) }
        return response
    }
}

// The cookies.
extension CookieJar {
    /// All cookies that have not expired, in the order in which they were first set.
    public var cookies: [Cookie] {
        let now = now()
        return cookieStore.withLock { $0.all(at: now) }
    }

    /// Returns the cookies for a request to a URL, in the order in which they are sent.
    public func cookies(for url: URL) -> [Cookie] {
        guard let target = CookieTarget(url) else { return [] }
        let now = now()
        return cookieStore.withLock { $0.cookies(for: target, at: now) }
    }

    /// Stores a cookie as if a response from a URL had set it.
    ///
    /// ```swift
    /// try cookies.setCookie("theme=dark; Max-Age=86400", for: url)
    /// ```
    ///
    /// - Parameters:
    ///   - field: The value of a `Set-Cookie` field.
    ///   - url: The URL of the response.
    /// - Throws: ``ErrandError`` with `invalidHeaderField` if the jar rejects the cookie; the error's reason says why.
    public func setCookie(_ field: String, for url: URL) throws(ErrandError) {
        do throws(CookieFault) {
            guard let target = CookieTarget(url) else { throw .invalidURL }
            if try set(field, for: target) { file?.write { self.cookies } }
        } catch {
            throw ErrandError(.invalidHeaderField, reason: error.rawValue)
        }
    }

    /// Removes the cookies that match.
    ///
    /// ```swift
    /// cookies.remove { $0.domain == "shop.example.com" }
    /// cookies.remove { $0.expires == nil }                    // ends the session
    /// ```
    public func remove(where isUnwanted: (Cookie) throws -> Bool) rethrows {
        // The closure may use the jar, so it is called without the lock.
        let unwanted = Set(try cookies.filter(isUnwanted))
        if cookieStore.withLock({ $0.remove { unwanted.contains($0) } }) { file?.write { self.cookies } }
    }

    /// Removes all cookies.
    public func removeAll() {
        if cookieStore.withLock({ $0.remove { _ in true } }) { file?.write { self.cookies } }
    }

    /// Writes the cookies to the jar's file, unless they are already written, and returns when they are written. Does
    /// nothing for a jar in memory.
    ///
    /// If the task is cancelled, the call stops waiting, but the file is still written.
    ///
    /// - Throws: ``ErrandError`` with `fileAccessFailed` if the file cannot be written, or with `cancelled`.
    public func flush() async throws {
        try await file?.flush { self.cookies }
    }

    /// Stores the cookies of a response. Invalid cookies are ignored.
    ///
    /// - Parameter url: The URL of the request, used if the response has none.
    private func store(_ response: DataResponse, from url: URL?) {
        let fields = response.headers[values: "Set-Cookie"].prefix(StoredCookies.maximumCount.perDomain)
        guard !fields.isEmpty, let target = (response.url ?? url).flatMap(CookieTarget.init) else { return }
        let changes = fields.map { (try? set($0, for: target)) ?? false }
        if changes.contains(true) { file?.write { self.cookies } }
    }

    /// Stores the cookie of one field.
    ///
    /// - Returns: Whether anything changed.
    private func set(_ field: String, for target: CookieTarget) throws(CookieFault) -> Bool {
        let now = now()
        let cookie = try Cookie(field, for: target, suffixes: suffixes, now: now)
        let hasChanged: Bool? = cookieStore.withLock { stored in
            stored.overlaysSecure(cookie, from: target, at: now) ? nil : stored.set(cookie, at: now)
        }
        guard let hasChanged else { throw .overlaysSecure }
        return hasChanged
    }

    /// Adds the cookies for the URL that fit, except those whose names the request's `Cookie` header field already has.
    ///
    /// - Returns: The `name=value` pairs that were added.
    private func addCookies(to request: inout URLRequest) -> [String] {
        let own = request.cookieParts
        let names = Set(own.map { $0.trimmed.prefix { $0 != "=" }.trimmed })
        var field = own.joined(separator: ";")
        var added: [String] = []
        for cookie in request.url.map(cookies(for:)) ?? [] where !names.contains(cookie.name) {
            let pair = "\(cookie.name)=\(cookie.value)"
            let longer = field.isEmpty ? pair : "\(field); \(pair)"
            guard longer.utf8.count <= Self.maximumFieldSize else { continue }
            field = longer
            added.append(pair)
        }
        if !added.isEmpty { request.setValue(field, forHTTPHeaderField: "Cookie") }
        return added
    }
}

extension URLRequest {
    /// The value of the `Cookie` header field, split at its semicolons.
    fileprivate var cookieParts: [Substring] {
        (value(forHTTPHeaderField: "Cookie") ?? "").split(separator: ";", omittingEmptySubsequences: false)
    }

    /// Removes pairs from the `Cookie` header field; of equal pairs, the last one.
    fileprivate mutating func removeCookies(_ pairs: [String]) {
        var parts = cookieParts
        for pair in pairs {
            if let index = parts.lastIndex(where: { $0.trimmed == pair }) { parts.remove(at: index) }
        }
        let field = parts.joined(separator: ";")[...].trimmed
        setValue(field.isEmpty ? nil : field, forHTTPHeaderField: "Cookie")
    }
}

extension Substring {
    /// The text without spaces and tabs at both ends.
    fileprivate var trimmed: String { String(Substring(utf8.trimmingBlanks)) }
}

extension CookieJar: CustomStringConvertible {
    /// The number of cookies; never a value.
    public var description: String { "CookieJar with \(cookies.count) cookies" }
}
