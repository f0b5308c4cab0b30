/// The settings that an ``APIService`` and a ``DeclarativeRequest`` have in common: all of them optional, and each may have any
/// type that says the same.
///
/// ```swift
/// struct Staging: APIService {
///     let baseURL = "https://staging.example.com"
///     let headers = ["X-Tenant": "acme"]
///     let interceptors = [BearerAuthentication(token: token)]
///     let retryPolicy = RetryPolicy.exponential()
/// }
/// ```
///
/// A property of these names is never ignored: one whose type does not fit fails the request with
/// ``ErrandError/Code-swift.struct/invalidSetting``, which names the property, its type and the types that fit. The types of
/// the properties are associated types, such as ``HeadersSetting``, so that Swift infers them from what is written; nobody
/// needs to name them.
public protocol RequestSettings: Sendable {
    /// The type of ``baseURL``: `URL`, `String`, or an optional of these.
    associatedtype BaseURLSetting = URL?
    /// The type of ``headers``: ``HeaderFields`` or `[String: String]`.
    associatedtype HeadersSetting = HeaderFields
    /// The type of ``session``: any ``Transport``, or an optional of one.
    associatedtype SessionSetting = (any Transport)?
    /// The type of ``interceptors``: an array of any ``Interceptor``, a single one, an ``InterceptorList``, or an optional.
    associatedtype InterceptorsSetting = InterceptorList
    /// The type of ``retryPolicy``: ``RetryPolicy``, or an optional of it.
    associatedtype RetryPolicySetting = RetryPolicy?
    /// The type of ``hook``: any ``RequestHook``, or an optional of one.
    associatedtype HookSetting = (any RequestHook)?
    /// The type of ``decoder``: any ``DataDecoder``, or an optional of one.
    associatedtype DecoderSetting = (any DataDecoder)?
    /// The type of ``encoder``: any ``DataEncoder``, or an optional of one.
    associatedtype EncoderSetting = (any DataEncoder)?
    /// The type of ``acceptedStatusCodes``: a range, an array or a set of `Int`, an `Int`, or an optional of these.
    associatedtype AcceptedStatusCodesSetting = Set<Int>?
    /// The type of ``acceptedContentTypes``: an array of ``ContentType`` or `String`, one of them, or an optional.
    associatedtype AcceptedContentTypesSetting = [ContentType]?
    /// The type of ``timeoutInterval``: a number of seconds, `Duration`, or an optional of these.
    associatedtype TimeoutIntervalSetting = TimeInterval?
    /// The type of ``resourceTimeout``: `Duration`, a number of seconds, or an optional of these.
    associatedtype ResourceTimeoutSetting = Duration?
    /// The type of ``maximumBodySize``: `Int`, or an optional of it.
    associatedtype MaximumBodySizeSetting = Int?
    /// The type of ``redirectPolicy``: ``RedirectPolicy``, or an optional of it.
    associatedtype RedirectPolicySetting = RedirectPolicy?
    /// The type of ``priority``: ``RequestPriority``, or an optional of it.
    associatedtype PrioritySetting = RequestPriority?
    /// The type of ``cachePolicy``: `URLRequest.CachePolicy`, or an optional of it.
    associatedtype CachePolicySetting = URLRequest.CachePolicy?
    /// The type of ``isSecure``: `Bool`, or an optional of it.
    associatedtype IsSecureSetting = Bool?

    /// Where the API is; `nil`, the default, says nothing.
    var baseURL: BaseURLSetting { get }
    /// Header fields of every request; none by default.
    var headers: HeadersSetting { get }
    /// What carries the request; `nil`, the default, says nothing.
    var session: SessionSetting { get }
    /// Interceptors besides those of the API; none by default. Those of a service come last. ``InterceptorList/replacing(_:)``
    /// drops the others.
    ///
    /// An interceptor with state is stored, not made again by each call.
    var interceptors: InterceptorsSetting { get }
    /// Whether and when a request is sent again; `nil`, the default, says nothing, and ``RetryPolicy/never`` switches it off.
    var retryPolicy: RetryPolicySetting { get }
    /// What is called before and after the request; `nil`, the default, says nothing.
    var hook: HookSetting { get }
    /// What decodes bodies; `nil`, the default, says nothing. Without any, it is a ``FastJSONDecoder``.
    var decoder: DecoderSetting { get }
    /// What encodes bodies; `nil`, the default, says nothing. Without any, it is a ``FastJSONEncoder``.
    var encoder: EncoderSetting { get }
    /// The status codes that are not a failure; `nil`, the default, says nothing.
    var acceptedStatusCodes: AcceptedStatusCodesSetting { get }
    /// The media types of bodies that are not a failure, ranges such as `application/*` and `*/*+json` among them; `nil`, the
    /// default, says nothing.
    var acceptedContentTypes: AcceptedContentTypesSetting { get }
    /// How long the transfer may make no progress, above zero; `nil`, the default, says nothing. Without any, it is 60 seconds.
    var timeoutInterval: TimeoutIntervalSetting { get }
    /// How long the whole request may take, redirects included; `nil`, the default, says nothing. Without any, the transport
    /// limits it.
    var resourceTimeout: ResourceTimeoutSetting { get }
    /// The most bytes that the response's body may have, decoded; `nil`, the default, says nothing. Without any, it is 64 MiB.
    var maximumBodySize: MaximumBodySizeSetting { get }
    /// What is done with redirects; `nil`, the default, says nothing. Without any, they are followed.
    var redirectPolicy: RedirectPolicySetting { get }
    /// Which requests go first when several wait for a connection; `nil`, the default, says nothing.
    var priority: PrioritySetting { get }
    /// What an ``HTTPCache`` among the interceptors may respond with; `nil`, the default, says nothing.
    var cachePolicy: CachePolicySetting { get }
    /// Whether a ``baseURL`` without a scheme gets `https` or `http`; `nil`, the default, for `https`.
    var isSecure: IsSecureSetting { get }
}

extension RequestSettings where BaseURLSetting == URL? {
    /// Says nothing.
    public var baseURL: URL? { nil }
}

extension RequestSettings where HeadersSetting == HeaderFields {
    /// None.
    public var headers: HeaderFields { [:] }
}

extension RequestSettings where SessionSetting == (any Transport)? {
    /// Says nothing.
    public var session: (any Transport)? { nil }
}

extension RequestSettings where InterceptorsSetting == InterceptorList {
    /// None.
    public var interceptors: InterceptorList { [] }
}

extension RequestSettings where RetryPolicySetting == RetryPolicy? {
    /// Says nothing.
    public var retryPolicy: RetryPolicy? { nil }
}

extension RequestSettings where HookSetting == (any RequestHook)? {
    /// Says nothing.
    public var hook: (any RequestHook)? { nil }
}

extension RequestSettings where DecoderSetting == (any DataDecoder)? {
    /// Says nothing.
    public var decoder: (any DataDecoder)? { nil }
}

extension RequestSettings where EncoderSetting == (any DataEncoder)? {
    /// Says nothing.
    public var encoder: (any DataEncoder)? { nil }
}

extension RequestSettings where AcceptedStatusCodesSetting == Set<Int>? {
    /// Says nothing.
    public var acceptedStatusCodes: Set<Int>? { nil }
}

extension RequestSettings where AcceptedContentTypesSetting == [ContentType]? {
    /// Says nothing.
    public var acceptedContentTypes: [ContentType]? { nil }
}

extension RequestSettings where TimeoutIntervalSetting == TimeInterval? {
    /// Says nothing.
    public var timeoutInterval: TimeInterval? { nil }
}

extension RequestSettings where ResourceTimeoutSetting == Duration? {
    /// Says nothing.
    public var resourceTimeout: Duration? { nil }
}

extension RequestSettings where MaximumBodySizeSetting == Int? {
    /// Says nothing.
    public var maximumBodySize: Int? { nil }
}

extension RequestSettings where RedirectPolicySetting == RedirectPolicy? {
    /// Says nothing.
    public var redirectPolicy: RedirectPolicy? { nil }
}

extension RequestSettings where PrioritySetting == RequestPriority? {
    /// Says nothing.
    public var priority: RequestPriority? { nil }
}

extension RequestSettings where CachePolicySetting == URLRequest.CachePolicy? {
    /// Says nothing.
    public var cachePolicy: URLRequest.CachePolicy? { nil }
}

extension RequestSettings where IsSecureSetting == Bool? {
    /// Says nothing.
    public var isSecure: Bool? { nil }
}
