public import Errand

/// An interceptor that sends identical concurrent requests only once, and returns the response to all of them.
///
/// ```swift
/// class LibraryAPI: APIBase {
///     static let coalescing = Coalescing()
///     override init() {
///         super.init()
///         interceptors = [Self.coalescing]
///     }
/// }
/// ```
///
/// Only GET and HEAD requests without a body are shared, which are safe (RFC 9110, section 9.2.1). They must have the
/// same method, URL, header fields, timeouts, accepted status codes, redirect policy, cache policy, body limit, Digest
/// credential and cookie jars. The fields of a ``/Errand/TraceContext`` are ignored: the transfer belongs to the trace
/// of the first request. Requests with different `Authorization` never share: list this **after** interceptors that add
/// credentials. List it before interceptors that should see a shared transfer only once. Streams, requests whose
/// redirects a closure decides, and requests for a new token are not shared.
///
/// Requests over different transports, or with different client certificates, never share a response. For sharing, a
/// custom ``/Errand/Transport`` must be a class, or a `Hashable` value that is equal only if it sends with the same
/// identity. Requests over other values are sent separately.
///
/// Cancelling one waiting request does not affect the others; cancelling the last one cancels the transfer. If the
/// transfer fails, all waiting requests fail. A request after the end of the transfer is sent again, because nothing is
/// stored; use a cache for that. ``/Errand/ScheduledRequest`` shares the response of one request object; this
/// interceptor shares between objects.
///
/// The transfer uses the stub of the first request. The progress of the others shows only its end. Requests with
/// different ``/Errand/RequestPriority`` are sent separately, so that none waits with a lower priority than its own.
public final class Coalescing: Interceptor {
    private let transfers = SharedRuns<CoalescingKey, DataResponse, any Error>()
    private let isShared: @Sendable (TransportRequest) -> Bool

    /// Creates an interceptor.
    ///
    /// - Parameter isShared: A closure that decides whether a request that could be shared is shared. It is called on
    ///   the thread that sends the request.
    public init(isShared: @escaping @Sendable (TransportRequest) -> Bool = { _ in true }) {
        self.isShared = isShared
    }

    /// The number of requests that wait for a transfer, including those that started one.
    public var waitingCount: Int { transfers.waiterCount }

    /// Joins the transfer of an identical request, or sends the request.
    ///
    /// - Throws: The failure of the transfer. ``/Errand/ErrandError`` with `cancelled`, immediately, for a waiting
    ///   request that is cancelled.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        // The request for a token must not join a transfer that waits for that token.
        guard !request.streamsResponse, !ProviderCall.isActive, let key = CoalescingKey(request), isShared(request)
        else { return try await next(request) }
        do {
            return try await transfers.join(key) { try await next(request) }
        } catch let error as ErrandError {
            throw error.with(request: request.urlRequest)
        }
    }
}

/// The identity of a request. Requests with equal keys can share a transfer.
struct CoalescingKey: Hashable, Sendable {
    private let method: String
    private let url: URL
    /// The header fields by lowercase name, without trace fields, which are different for each request.
    private let fields: [String: String]
    private let followsRedirects: Bool
    private let maximumBodySize: Int
    private let timeoutInterval: TimeInterval
    private let resourceTimeout: Duration?
    /// The accepted status codes, because a retry inside the transfer depends on them.
    private let acceptedStatusCodes: StatusCodes?
    private let cachePolicy: URLRequest.CachePolicy
    private let digestCredential: PasswordCredential?
    private let clientCertificate: String?
    private let transport: TransportIdentity?
    private let priority: RequestPriority
    /// The cookie jars, because each request must receive the cookies of its jar.
    private let redirectHooks: [ObjectIdentifier]

    /// - Returns: `nil` for a request that cannot be shared: with a body, or with another method than GET and HEAD.
    ///   Also if a closure decides about redirects, because two closures may decide differently. Also over a transport
    ///   that cannot be compared, because two values of it may send with different identities.
    init?(_ request: TransportRequest) {
        let urlRequest = request.urlRequest
        method = urlRequest.httpMethod ?? "GET"
        transport = request.transport.map(TransportIdentity.init)
        priority = request.priority
        guard let url = urlRequest.url, method == "GET" || method == "HEAD", transport?.isComparable ?? true,
            request.bodyStream == nil, urlRequest.httpBody == nil, urlRequest.httpBodyStream == nil,
            let followsRedirects = request.redirectPolicy.isFollowing
        else { return nil }
        self.url = url
        self.followsRedirects = followsRedirects
        fields = request.comparedFields
        maximumBodySize = request.maximumBodySize
        timeoutInterval = urlRequest.timeoutInterval
        resourceTimeout = request.resourceTimeout
        acceptedStatusCodes = request.acceptedStatusCodes
        cachePolicy = urlRequest.cachePolicy
        digestCredential = request.digestCredential
        clientCertificate = request.clientCertificate
        redirectHooks = request.redirectHooks.map(\.owner)
    }
}

/// The identity of the transport that will send a request, and of the test network before it. Different transports may
/// authenticate the client in different ways, such as with different certificates.
///
/// Objects are compared by reference, and other transports by `==` if they are `Hashable`.
private struct TransportIdentity: Hashable {
    private let network: ObjectIdentifier?
    private let transport: any Transport

    init(_ transport: any Transport) {
        let tested = transport as? TestedTransport
        network = tested.map { ObjectIdentifier($0.network) }
        self.transport = tested?.session ?? transport
    }

    /// Whether equal identities mean the same transport. It is `false` for a value that is not `Hashable`.
    var isComparable: Bool { object != nil || transport is any Hashable }

    private var object: ObjectIdentifier? {
        // A cast to `AnyObject` would put a value into a new object.
        type(of: transport) is AnyClass ? ObjectIdentifier(transport as AnyObject) : nil
    }

    static func == (one: TransportIdentity, other: TransportIdentity) -> Bool {
        guard one.network == other.network, type(of: one.transport) == type(of: other.transport),
            one.object == other.object
        else { return false }
        guard one.object == nil, let value = one.transport as? any Hashable else { return true }
        return value.isEqual(to: other.transport)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(network)
        hasher.combine(ObjectIdentifier(type(of: transport)))
        hasher.combine(object)
    }
}

extension Equatable {
    /// Compares this value with one whose type is not known to be the same.
    fileprivate func isEqual(to other: any Sendable) -> Bool { other as? Self == self }
}
