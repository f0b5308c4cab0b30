public import Errand

/// An interceptor that sends requests to another server if the first one fails.
///
/// ```swift
/// class LibraryAPI: APIBase {
///     static let failover = Failover(["https://eu.library.example.com/v1", "https://us.library.example.com/v1"])
///     override init() {
///         super.init()
///         baseURL = Self.failover.baseURLs.first
///         interceptors = [Self.failover]
///     }
/// }
/// ```
///
/// If the URL of a request begins with one of the base URLs, the request goes to the first server that works. It goes
/// on to the next server in these cases:
///
/// - Nothing was sent: the host name was not found, the connection was refused, the network is unavailable, the
///   certificate is invalid, or a limit or ``CircuitBreaker`` after this interceptor refused the request.
/// - The method is idempotent (RFC 9110, section 9.2.2), and the connection was lost, the TLS handshake failed, an
///   attempt timed out, or the status is 502, 503 or 504.
///
/// During its downtime, a server that failed is not the first choice. After that, if no server before it works, one
/// request that can go on to another server tries it, while others still use the next server. If all servers have
/// failed, a request tries each of them once. A body that can be read only once is sent once. An
/// ``/Errand/AttemptTimeout`` leaves time for the next server.
///
/// List this interceptor first, so that authentication, caches, a ``/Errand/CookieJar`` and limits see the URL of the
/// server. The servers must be replicas of one service: a request keeps its header fields, including `Authorization`.
///
/// All requests that list the same object share its state.
public final class Failover: Interceptor {
    /// The base URLs, the preferred one first.
    public let baseURLs: [URL]
    /// The parsed base URLs.
    private let bases: [Base]
    /// The position of the first invalid base URL; `nil` if all are valid.
    private let firstInvalid: Int?
    private let state: Locked<FailoverState>
    private let timeline: Timeline

    /// Creates the interceptor. Initially, all servers count as working.
    ///
    /// - Parameters:
    ///   - baseURLs: The base URLs, the preferred one first: `http` or `https`, without a query. If one of them is
    ///     invalid, all requests that use this interceptor fail with
    ///     ``/Errand/ErrandError/Code-swift.struct/invalidURL``.
    ///   - downtime: The time during which a server that failed is not the first choice; 30 seconds by default. A
    ///     negative value counts as zero.
    ///   - clock: The clock for the downtime.
    public init(
        _ baseURLs: [String], downtime: Duration = .seconds(30), clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.baseURLs = baseURLs.compactMap(URL.init(string:))
        bases = self.baseURLs.compactMap(Base.init)
        firstInvalid = baseURLs.firstIndex { URL(string: $0).flatMap(Base.init) == nil }
        state = Locked(FailoverState(count: bases.count, downtime: max(downtime.bounded, .zero)))
        timeline = Timeline(clock)
    }

    /// The base URLs of the servers whose last attempt failed.
    public var unavailableURLs: [URL] {
        guard firstInvalid == nil else { return [] }
        return state.withLock { state in bases.indices.filter(state.isDown).map { baseURLs[$0] } }
    }

    /// As listed: it adds no credentials.
    public var placement: InterceptorPlacement { .asListed }

    /// Sends the request to the first server that works.
    ///
    /// - Throws: ``/Errand/ErrandError`` with `invalidURL` if a base URL is invalid; otherwise the error of the last
    ///   attempt.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        if let firstInvalid {
            let reason = "base URL \(firstInvalid + 1) of the failover is not an HTTP URL without a query"
            throw ErrandError(.invalidURL, reason: reason).with(request: request.urlRequest)
        }
        guard let url = request.urlRequest.url, let rest = bases.lazy.compactMap({ $0.rest(of: url) }).first else {
            return try await next(request)
        }
        let began = timeline.now
        // Whether the request may be the one that tries a server after its downtime.
        let canTry = request.isIdempotent && request.canBeSentAgain
        var servers = state.withLock { $0.order(now: began, canTry: canTry) }
        let limit = request.resourceTimeout?.bounded
        while true {
            let server = servers.removeFirst()
            let elapsed = timeline.now - began
            // Each attempt has only the time that is left.
            var attempt = request.after(elapsed)
            attempt.urlRequest.url = bases[server].url(with: rest)
            let outcome: Result<DataResponse, any Error>
            do { outcome = .success(try await next(attempt)) } catch { outcome = .failure(error) }
            let hadTime = limit.map { elapsed * 2 <= $0 } ?? true
            let goesOn = note(outcome, of: server, request, hadTime: hadTime)
            let isTimeOver = limit.map { timeline.now - began >= $0 } ?? false
            // Nothing has read the body of a request that a limit refused.
            var canBeSent = request.canBeSentAgain
            if case .failure(let error as ErrandError) = outcome, error.isRefusedByLimit { canBeSent = true }
            guard goesOn, !servers.isEmpty, canBeSent, !isTimeOver, !Task.isCancelled else {
                return try outcome.get()
            }
        }
    }

    /// Records what an outcome says about a server.
    ///
    /// - Parameter hadTime: Whether at least half of the request's time was left when this attempt began. If not, a
    ///   timeout says nothing about the server.
    /// - Returns: Whether the request may go to another server.
    private func note(
        _ outcome: Result<DataResponse, any Error>, of server: Int, _ request: TransportRequest, hadTime: Bool
    ) -> Bool {
        let now = timeline.now
        switch Verdict(outcome) {
        case .works: state.withLock { $0.worked(server) }
        case .neither: break
        case .wasSkipped: return true
        case .failed(let mayHaveBeenSent, let isTimeout):
            if hadTime || !isTimeout { state.withLock { $0.failed(server, now: now) } }
            return !mayHaveBeenSent || request.isIdempotent
        }
        return false
    }
}

extension TransportRequest {
    fileprivate var isIdempotent: Bool {
        RequestMethod.idempotent.contains(RequestMethod(rawValue: urlRequest.httpMethod ?? "GET"))
    }
}

/// The meaning of an outcome for a server.
private enum Verdict {
    case works
    /// - Parameter mayHaveBeenSent: Whether the server may have received the request.
    case failed(mayHaveBeenSent: Bool, isTimeout: Bool = false)
    /// A limit refused the request.
    case wasSkipped
    case neither

    init(_ outcome: Result<DataResponse, any Error>) {
        switch outcome {
        case .success(let response):
            guard response.source.isFromServer else {
                self = .neither
                return
            }
            self = [502, 503, 504].contains(response.statusCode) ? .failed(mayHaveBeenSent: true) : .works
        // Nothing was sent to the server.
        case .failure(let error as ErrandError) where error.isTokenFailure:
            self = .neither
        case .failure(let error as ErrandError) where error.code == .circuitOpen:
            self = .failed(mayHaveBeenSent: false)
        case .failure(let error as ErrandError) where [.rateLimited, .concurrencyLimited].contains(error.code):
            self = .wasSkipped
        case .failure(let error):
            switch error.transportCode {
            case .timedOut: self = .failed(mayHaveBeenSent: true, isTimeout: true)
            // With TLS 1.3, a server may end the handshake after the request was sent.
            case .networkConnectionLost, .secureConnectionFailed: self = .failed(mayHaveBeenSent: true)
            case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet,
                .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
                .serverCertificateNotYetValid:
                self = .failed(mayHaveBeenSent: false)
            default: self = .neither
            }
        }
    }
}

/// A base URL, which can replace another one at the beginning of a URL.
private struct Base: Sendable {
    private let url: URLComponents
    private let origin: Origin
    /// The path without a trailing slash.
    private let path: String

    init?(_ url: URL) {
        guard let components = URLComponents(url: url, resolvingAgainstBaseURL: true), let origin = Origin(url),
            components.query == nil
        else { return nil }
        self.url = components
        self.origin = origin
        let path = components.percentEncodedPath
        self.path = path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Returns the rest of a URL after this base; `nil` if the URL does not begin with it.
    func rest(of url: URL) -> URLComponents? {
        guard Origin(url) == origin, var rest = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return nil
        }
        let whole = rest.percentEncodedPath
        guard whole == path || whole.hasPrefix(path + "/") else { return nil }
        rest.percentEncodedPath = String(whole.dropFirst(path.count))
        return rest
    }

    /// Returns the URL of this base followed by the rest.
    func url(with rest: URLComponents) -> URL? {
        var whole = rest
        // A user and password in the request's URL are kept only for its own server, unless this base has its own.
        if url.user != nil || rest.url.flatMap(Origin.init) != origin {
            whole.percentEncodedUser = url.percentEncodedUser
            whole.percentEncodedPassword = url.percentEncodedPassword
        }
        whole.scheme = origin.scheme
        whole.percentEncodedHost = url.percentEncodedHost
        whole.port = url.port
        whole.percentEncodedPath = path + rest.percentEncodedPath
        return whole.url
    }
}

/// The state of ``Failover``: which servers failed, and until when they are not the first choice.
struct FailoverState: Sendable {
    private let downtime: Duration
    /// The end of each server's downtime; `nil` for a server that works.
    private var downUntil: [Duration?]

    init(count: Int, downtime: Duration) {
        self.downtime = downtime
        downUntil = Array(repeating: nil, count: count)
    }

    /// Returns `true` if the last attempt at a server failed.
    func isDown(_ server: Int) -> Bool { downUntil[server] != nil }

    /// Returns the servers in the order in which a request tries them: first those that are usable, in the order of the
    /// list, then the others, the one with the earliest end of its downtime first.
    ///
    /// If the first choice is a usable server whose downtime is over, a new downtime begins, so that other requests use
    /// the other servers meanwhile.
    ///
    /// - Parameter canTry: Whether the request may try such a server: it must be able to go on to another one.
    mutating func order(now: Duration, canTry: Bool = true) -> [Int] {
        // A server is usable if it works, or if its downtime is over and the request may try it.
        let isUsable = downUntil.map { $0.map { $0 <= now && canTry } ?? true }
        let usable = downUntil.indices.filter { isUsable[$0] }
        if let trial = usable.first, downUntil[trial] != nil { downUntil[trial] = now + downtime }
        let others = downUntil.indices.filter { !isUsable[$0] }
            .sorted { (downUntil[$0] ?? .zero, $0) < (downUntil[$1] ?? .zero, $1) }
        return usable + others
    }

    mutating func failed(_ server: Int, now: Duration) {
        downUntil[server] = now + downtime
    }

    mutating func worked(_ server: Int) {
        downUntil[server] = nil
    }
}
