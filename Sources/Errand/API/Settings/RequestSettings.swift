/// The settings that an ``APIService`` and a ``DeclarativeRequest`` have in common. All are optional, and each accepts
/// several types.
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
/// A property with one of these names is never ignored. If its type does not fit, the request fails with
/// ``ErrandError/Code-swift.struct/invalidSetting``. The error names the property, its type and the types that fit.
///
/// The types of the properties are associated types, such as ``HeadersSetting``. Swift infers them, so that you do not
/// have to name them.
///
/// By default, a setting is not set. Then the setting of the other side applies, and if neither sets it, the default
/// below. ``APIService`` documents the precedence.
public protocol RequestSettings: Sendable {
    /// The type of ``baseURL``: `URL`, `String`, or an optional of these.
    associatedtype BaseURLSetting = URL?
    /// The type of ``headers``: ``HeaderFields`` or `[String: String]`.
    associatedtype HeadersSetting = HeaderFields
    /// The type of ``session``: any ``Transport``, or an optional of one.
    associatedtype SessionSetting = (any Transport)?
    /// The type of ``interceptors``: an array of any ``Interceptor``, a single one, an ``InterceptorList``, or an
    /// optional.
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

    /// The base URL of the API; `nil`, the default, if not set.
    var baseURL: BaseURLSetting { get }
    /// Header fields of every request; none by default.
    var headers: HeadersSetting { get }
    /// The transport that sends the request; `nil`, the default, if not set.
    var session: SessionSetting { get }
    /// Interceptors in addition to those of the API; none by default. Those of a service come last.
    /// ``InterceptorList/replacing(_:)`` drops the others.
    ///
    /// An interceptor with state must be stored, not created again by each access.
    var interceptors: InterceptorsSetting { get }
    /// The policy that decides whether and when a request is sent again. `nil`, the default, if not set;
    /// ``RetryPolicy/never`` disables retries.
    var retryPolicy: RetryPolicySetting { get }
    /// The hook that is called before and after the request; `nil`, the default, if not set.
    var hook: HookSetting { get }
    /// The decoder of bodies; `nil`, the default, if not set. If neither side sets one, it is a ``FastJSONDecoder``.
    var decoder: DecoderSetting { get }
    /// The encoder of bodies; `nil`, the default, if not set. If neither side sets one, it is a ``FastJSONEncoder``.
    var encoder: EncoderSetting { get }
    /// The accepted status codes; `nil`, the default, if not set.
    var acceptedStatusCodes: AcceptedStatusCodesSetting { get }
    /// The accepted media types of bodies, including ranges such as `application/*` and `*/*+json`; `nil`, the default,
    /// if not set.
    var acceptedContentTypes: AcceptedContentTypesSetting { get }
    /// The maximum time that the transfer may make no progress, greater than zero; `nil`, the default, if not set. If
    /// neither side sets it, it is 60 seconds.
    var timeoutInterval: TimeoutIntervalSetting { get }
    /// The maximum time of the whole request, including redirects; `nil`, the default, if not set. If neither side sets
    /// it, the limit of the transport applies.
    var resourceTimeout: ResourceTimeoutSetting { get }
    /// The maximum size of the response body in bytes, after decompression; `nil`, the default, if not set. If neither
    /// side sets it, it is 64 MiB.
    var maximumBodySize: MaximumBodySizeSetting { get }
    /// The policy for redirects; `nil`, the default, if not set. If neither side sets it, redirects are followed.
    var redirectPolicy: RedirectPolicySetting { get }
    /// The priority of the request when several requests wait for a connection; `nil`, the default, if not set.
    var priority: PrioritySetting { get }
    /// The rule that decides what an ``HTTPCache`` among the interceptors may return; `nil`, the default, if not set.
    var cachePolicy: CachePolicySetting { get }
    /// Whether a ``baseURL`` without a scheme gets `https`, or `http` if `false`; `nil`, the default, means `https`.
    var isSecure: IsSecureSetting { get }
}

extension RequestSettings where BaseURLSetting == URL? {
    /// Not set.
    public var baseURL: URL? { nil }
}

extension RequestSettings where HeadersSetting == HeaderFields {
    /// None.
    public var headers: HeaderFields { [:] }
}

extension RequestSettings where SessionSetting == (any Transport)? {
    /// Not set.
    public var session: (any Transport)? { nil }
}

extension RequestSettings where InterceptorsSetting == InterceptorList {
    /// None.
    public var interceptors: InterceptorList { [] }
}

extension RequestSettings where RetryPolicySetting == RetryPolicy? {
    /// Not set.
    public var retryPolicy: RetryPolicy? { nil }
}

extension RequestSettings where HookSetting == (any RequestHook)? {
    /// Not set.
    public var hook: (any RequestHook)? { nil }
}

extension RequestSettings where DecoderSetting == (any DataDecoder)? {
    /// Not set.
    public var decoder: (any DataDecoder)? { nil }
}

extension RequestSettings where EncoderSetting == (any DataEncoder)? {
    /// Not set.
    public var encoder: (any DataEncoder)? { nil }
}

extension RequestSettings where AcceptedStatusCodesSetting == Set<Int>? {
    /// Not set.
    public var acceptedStatusCodes: Set<Int>? { nil }
}

extension RequestSettings where AcceptedContentTypesSetting == [ContentType]? {
    /// Not set.
    public var acceptedContentTypes: [ContentType]? { nil }
}

extension RequestSettings where TimeoutIntervalSetting == TimeInterval? {
    /// Not set.
    public var timeoutInterval: TimeInterval? { nil }
}

extension RequestSettings where ResourceTimeoutSetting == Duration? {
    /// Not set.
    public var resourceTimeout: Duration? { nil }
}

extension RequestSettings where MaximumBodySizeSetting == Int? {
    /// Not set.
    public var maximumBodySize: Int? { nil }
}

extension RequestSettings where RedirectPolicySetting == RedirectPolicy? {
    /// Not set.
    public var redirectPolicy: RedirectPolicy? { nil }
}

extension RequestSettings where PrioritySetting == RequestPriority? {
    /// Not set.
    public var priority: RequestPriority? { nil }
}

extension RequestSettings where CachePolicySetting == URLRequest.CachePolicy? {
    /// Not set.
    public var cachePolicy: URLRequest.CachePolicy? { nil }
}

extension RequestSettings where IsSecureSetting == Bool? {
    /// Not set.
    public var isSecure: Bool? { nil }
}
