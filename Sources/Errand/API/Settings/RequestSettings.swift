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
/// ``ErrandError/Code-swift.struct/invalidSetting``. The error names the property, its type and the types that fit. A
/// getter that is asynchronous or throws does not compile; ``SettingNames`` explains how.
///
/// The types of the properties are associated types, such as ``SettingNames/HeadersSetting``. Swift infers them, so
/// that you do not have to name them.
///
/// By default, a setting is not set. Then the setting of the other side applies, and if neither sets it, the default
/// below. ``APIService`` documents the precedence.
public protocol RequestSettings: SettingNames, SettingMethodNames {
    // Each requirement is separate from the one of the same name in `SettingNames`. Without `@_nonoverride`, Swift
    // would treat both as one requirement.

    /// The base URL of the API; `nil`, the default, if not set.
    @_nonoverride var baseURL: BaseURLSetting { get }
    /// Header fields of every request; none by default.
    @_nonoverride var headers: HeadersSetting { get }
    /// The transport that sends the request; `nil`, the default, if not set.
    @_nonoverride var session: SessionSetting { get }
    /// Interceptors in addition to those of the API; none by default. Those of a service come last.
    /// ``InterceptorList/replacing(_:)`` drops the others.
    ///
    /// An interceptor with state must be stored, not created again by each access.
    @_nonoverride var interceptors: InterceptorsSetting { get }
    /// The policy that decides whether and when a request is sent again. `nil`, the default, if not set;
    /// ``RetryPolicy/never`` disables retries.
    @_nonoverride var retryPolicy: RetryPolicySetting { get }
    /// The hook that is called before and after the request; `nil`, the default, if not set.
    @_nonoverride var hook: HookSetting { get }
    /// The decoder of bodies; `nil`, the default, if not set. If neither side sets one, it is a ``FastJSONDecoder``.
    @_nonoverride var decoder: DecoderSetting { get }
    /// The encoder of bodies; `nil`, the default, if not set. If neither side sets one, it is a ``FastJSONEncoder``.
    @_nonoverride var encoder: EncoderSetting { get }
    /// The accepted status codes; `nil`, the default, if not set.
    @_nonoverride var acceptedStatusCodes: AcceptedStatusCodesSetting { get }
    /// The accepted media types of bodies, including ranges such as `application/*` and `*/*+json`; `nil`, the default,
    /// if not set.
    @_nonoverride var acceptedContentTypes: AcceptedContentTypesSetting { get }
    /// The maximum time that the transfer may make no progress, greater than zero; `nil`, the default, if not set. If
    /// neither side sets it, it is 60 seconds.
    @_nonoverride var timeoutInterval: TimeoutIntervalSetting { get }
    /// The maximum time of the whole request, including redirects; `nil`, the default, if not set. If neither side sets
    /// it, the limit of the transport applies.
    @_nonoverride var resourceTimeout: ResourceTimeoutSetting { get }
    /// The maximum size of the response body in bytes, after decompression; `nil`, the default, if not set. If neither
    /// side sets it, it is 64 MiB.
    @_nonoverride var maximumBodySize: MaximumBodySizeSetting { get }
    /// The policy for redirects; `nil`, the default, if not set. If neither side sets it, redirects are followed.
    @_nonoverride var redirectPolicy: RedirectPolicySetting { get }
    /// The priority of the request when several requests wait for a connection; `nil`, the default, if not set.
    @_nonoverride var priority: PrioritySetting { get }
    /// The rule that decides what an ``HTTPCache`` among the interceptors may return; `nil`, the default, if not set.
    @_nonoverride var cachePolicy: CachePolicySetting { get }
    /// Whether a ``baseURL`` without a scheme gets `https`, or `http` if `false`; `nil`, the default, means `https`.
    @_nonoverride var isSecure: IsSecureSetting { get }

    /// A property of this name does not compile: a service has a method ``APIService/asynchronousHeaders()``.
    @_nonoverride var asynchronousHeaders: NoSetting { get }
}
