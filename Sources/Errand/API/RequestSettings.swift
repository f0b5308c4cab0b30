/// The settings that a service and its requests share, as one value. `nil` means that a setting is not set.
///
/// ```swift
/// extension RequestSettings {
///     static let slow = RequestSettings(retryPolicy: .exponential(), timeoutInterval: 300)
/// }
///
/// let report = try await service.send(.get("/report", settings: .slow, as: Report.self)).value
/// ```
///
/// Which of several settings applies is decided once for each start of a request, from those of the ``Endpoint``, the
/// ``APIService`` and the ``APIBase`` class. An endpoint comes first. After it, a service decides where requests are
/// sent, such as to a staging server, and how. The class decides what its requests and responses are:
///
/// | setting | |
/// |---|---|
/// | ``baseURL``, ``session``, ``retryPolicy``, ``hook`` | the endpoint's, else the service's, else the class's |
/// | ``headers``, ``asynchronousHeaders`` | all. For a field in several, the first of these: `headers` of endpoint and class, then `asynchronousHeaders` of endpoint and service, `headers` of the service, `asynchronousHeaders` of the class |
/// | ``interceptors`` | all: the class's, then the endpoint's, then the service's; ``InterceptorList/replacing(_:)`` drops those before it |
/// | ``observers`` | all: the class's, then the endpoint's, then the service's |
/// | all others | the endpoint's, else the class's, else the service's, else the default |
/// | `mapError` | all: the service's receives the result of the class's |
/// | an endpoint that names its server | nothing of ``headers``, ``asynchronousHeaders`` and ``interceptors`` of a service or a class with another origin, nor of the class's ``APIBase/query`` |
/// | a class with ``APIBase/url`` | nothing of these three settings of a service with another origin |
public struct RequestSettings: Sendable {
    /// The base URL, to which path and query are appended.
    public var baseURL: BaseURL?
    /// The header fields of every request; none by default.
    public var headers: HeaderFields
    /// The closure that returns header fields which must be awaited, such as a token from a keychain. It is called when
    /// a request is sent, and for each further attempt of a retry. If it throws, the request fails with that error, and
    /// is not sent.
    public var asynchronousHeaders: AsynchronousHeaderFields?
    /// The transport that sends the requests; by default ``Transport/platformDefault``.
    public var session: (any Transport)?
    /// The interceptors of every request; none by default.
    ///
    /// An interceptor with state, such as a cache, must be the same object for all requests that share it.
    public var interceptors: InterceptorList
    /// The observers of what is sent, such as spans and metrics; none by default.
    public var observers: [any ExchangeObserver]
    /// The policy that decides whether and when a request is sent again; by default ``RetryPolicy/never``.
    public var retryPolicy: RetryPolicy?
    /// The hook that is called before and after each request.
    public var hook: RequestHook?
    /// The decoder of bodies; by default a ``/ErrandJSON/FastJSONDecoder``.
    public var decoder: (any DataDecoder)?
    /// The encoder of bodies; by default a ``/ErrandJSON/FastJSONEncoder``.
    public var encoder: (any DataEncoder)?
    /// The accepted status codes; by default ``StatusCodes/successful`` for an endpoint. A class leaves the judgement
    /// to its operators; see ``APIBase/acceptedStatusCodes``.
    public var acceptedStatusCodes: StatusCodes?
    /// The accepted media types of response bodies, including ranges such as `application/*`; by default all.
    public var acceptedContentTypes: [ContentType]?
    /// The type of the document with which the server describes a failure, such as ``ProblemDetails``; none by default.
    ///
    /// It is decoded from the body of a response with an unacceptable status, and is the
    /// ``ErrandError/payload(as:)`` of the error. If that of an endpoint cannot be decoded, the service's is tried. A
    /// class has no such setting; it calls `decodeError(_:)`.
    public var errorDocument: (any (Decodable & Sendable).Type)?
    /// The maximum time in seconds that the transfer may make no progress; greater than zero, by default 60.
    public var timeoutInterval: TimeInterval?
    /// The maximum time of the whole request, including redirects; by default that of the transport.
    public var resourceTimeout: Duration?
    /// The maximum size of the response body in bytes, after decompression; by default 64 MiB.
    public var maximumBodySize: Int?
    /// The policy for redirects; by default they are followed.
    public var redirectPolicy: RedirectPolicy?
    /// The priority when several requests wait for a connection; by default `normal`.
    public var priority: RequestPriority?
    /// The rule that decides what an ``HTTPCache`` or a ``TimedCache`` may return; by default `useProtocolCachePolicy`.
    public var cachePolicy: URLRequest.CachePolicy?

    /// Creates settings. Those that are omitted are not set.
    public init(
        baseURL: BaseURL? = nil, headers: HeaderFields = [:], session: (any Transport)? = nil,
        interceptors: InterceptorList = [], retryPolicy: RetryPolicy? = nil, hook: RequestHook? = nil,
        decoder: (any DataDecoder)? = nil, encoder: (any DataEncoder)? = nil,
        acceptedStatusCodes: StatusCodes? = nil, acceptedContentTypes: [ContentType]? = nil,
        errorDocument: (any (Decodable & Sendable).Type)? = nil, timeoutInterval: TimeInterval? = nil,
        resourceTimeout: Duration? = nil, maximumBodySize: Int? = nil, redirectPolicy: RedirectPolicy? = nil,
        priority: RequestPriority? = nil, cachePolicy: URLRequest.CachePolicy? = nil,
        asynchronousHeaders: AsynchronousHeaderFields? = nil, observers: [any ExchangeObserver] = []
    ) {
        self.baseURL = baseURL
        self.headers = headers
        self.session = session
        self.interceptors = interceptors
        self.retryPolicy = retryPolicy
        self.hook = hook
        self.decoder = decoder
        self.encoder = encoder
        self.acceptedStatusCodes = acceptedStatusCodes
        self.acceptedContentTypes = acceptedContentTypes
        self.errorDocument = errorDocument
        self.timeoutInterval = timeoutInterval
        self.resourceTimeout = resourceTimeout
        self.maximumBodySize = maximumBodySize
        self.redirectPolicy = redirectPolicy
        self.priority = priority
        self.cachePolicy = cachePolicy
        self.asynchronousHeaders = asynchronousHeaders
        self.observers = observers
    }

    static let defaultTimeoutInterval: TimeInterval = 60
}

extension RequestSettings {
    /// Combines the settings of an endpoint, a service and a class, by the table of ``RequestSettings``.
    static func resolved(
        endpoint: RequestSettings, service: RequestSettings, class api: RequestSettings
    ) -> RequestSettings {
        RequestSettings(
            baseURL: endpoint.baseURL ?? service.baseURL ?? api.baseURL,
            headers: service.headers.merging(api.headers).merging(endpoint.headers),
            session: endpoint.session ?? service.session ?? api.session,
            interceptors: service.interceptors.after(endpoint.interceptors.after(api.interceptors)),
            retryPolicy: endpoint.retryPolicy ?? service.retryPolicy ?? api.retryPolicy,
            hook: endpoint.hook ?? service.hook ?? api.hook,
            decoder: endpoint.decoder ?? api.decoder ?? service.decoder,
            encoder: endpoint.encoder ?? api.encoder ?? service.encoder,
            acceptedStatusCodes: endpoint.acceptedStatusCodes ?? api.acceptedStatusCodes ?? service.acceptedStatusCodes,
            acceptedContentTypes: endpoint.acceptedContentTypes ?? api.acceptedContentTypes
                ?? service.acceptedContentTypes,
            errorDocument: endpoint.errorDocument ?? api.errorDocument ?? service.errorDocument,
            timeoutInterval: endpoint.timeoutInterval ?? api.timeoutInterval ?? service.timeoutInterval,
            resourceTimeout: endpoint.resourceTimeout ?? api.resourceTimeout ?? service.resourceTimeout,
            maximumBodySize: endpoint.maximumBodySize ?? api.maximumBodySize ?? service.maximumBodySize,
            redirectPolicy: endpoint.redirectPolicy ?? api.redirectPolicy ?? service.redirectPolicy,
            priority: endpoint.priority ?? api.priority ?? service.priority,
            cachePolicy: endpoint.cachePolicy ?? api.cachePolicy ?? service.cachePolicy,
            asynchronousHeaders: awaitedFields(endpoint, service, api),
            observers: api.observers + endpoint.observers + service.observers)
    }

    /// The asynchronous header fields of all three; `nil` if none has any.
    private static func awaitedFields(
        _ endpoint: RequestSettings, _ service: RequestSettings, _ api: RequestSettings
    ) -> AsynchronousHeaderFields? {
        // The order is that of the table: the endpoint's replace the service's, which replace the class's. The
        // `headers` of the service replace only those of the class. `AsynchronousHeaders` does the rest: it keeps the
        // `headers` of the endpoint and the class, and replaces those of the service.
        let ofEndpoint = endpoint.asynchronousHeaders
        let ofService = service.asynchronousHeaders
        let ofClass = api.asynchronousHeaders
        if ofEndpoint == nil, ofService == nil, ofClass == nil { return nil }
        let serviceNames = service.headers.map(\.name)
        return {
            var fields = try await ofClass?() ?? [:]
            for name in serviceNames { fields[name] = nil }
            if let awaited = try await ofService?() { fields = fields.merging(awaited) }
            if let awaited = try await ofEndpoint?() { fields = fields.merging(awaited) }
            return fields
        }
    }

    /// These settings, without the header fields and interceptors if the request goes to another server than theirs:
    /// they may have secrets.
    ///
    /// - Parameters:
    ///   - own: The server of these settings. Settings without a server are for any server.
    ///   - server: The server that the request names itself; `nil` if it names none.
    func withoutSecrets(of own: URL?, for server: URL?) -> RequestSettings {
        guard let server, let own, !own.hasOrigin(of: server) else { return self }
        var settings = self
        settings.headers = [:]
        settings.asynchronousHeaders = nil
        settings.interceptors = []
        return settings
    }
}

/// The interceptors of a service or an endpoint, which add to or replace those before them; see ``RequestSettings``.
///
/// ```swift
/// APIService(baseURL: "staging.example.com", interceptors: [HTTPCache()])                  // in addition
/// APIService(baseURL: "staging.example.com", interceptors: .replacing([HTTPCache()]))      // replaces the class's
/// ```
public struct InterceptorList: Sendable, ExpressibleByArrayLiteral {
    /// The interceptors, the outermost first.
    public let elements: [any Interceptor]
    /// Whether they replace those that come before them.
    public let replacesOthers: Bool

    /// Creates a list of interceptors that come after those of the API.
    public static func adding(_ interceptors: [any Interceptor]) -> InterceptorList {
        InterceptorList(elements: interceptors, replacesOthers: false)
    }

    /// Creates a list of interceptors that replace those before them. The API's authentication, cache and limits do not
    /// apply then.
    public static func replacing(_ interceptors: [any Interceptor]) -> InterceptorList {
        InterceptorList(elements: interceptors, replacesOthers: true)
    }

    /// Creates a list of interceptors that come after those of the API.
    public init(arrayLiteral interceptors: any Interceptor...) {
        self = .adding(interceptors)
    }

    private init(elements: [any Interceptor], replacesOthers: Bool) {
        self.elements = elements
        self.replacesOthers = replacesOthers
    }

    /// Returns this list with each interceptor replaced by the result of a closure.
    func mapped(_ replace: (any Interceptor) -> any Interceptor) -> InterceptorList {
        InterceptorList(elements: elements.map(replace), replacesOthers: replacesOthers)
    }

    /// Combines this list with the one that comes before it.
    func after(_ others: InterceptorList) -> InterceptorList {
        guard !replacesOthers else { return self }
        guard !elements.isEmpty else { return others }
        return InterceptorList(elements: others.elements + elements, replacesOthers: others.replacesOthers)
    }
}
