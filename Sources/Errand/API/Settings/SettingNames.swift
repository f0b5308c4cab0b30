/// All properties of services and declarative requests, with any type, and with getters that may be asynchronous and
/// throw.
///
/// Only the compiler uses this protocol. Without it, Swift would ignore a declaration that does not fit a requirement,
/// and use the requirement's default. An example is `var path: String { get async }`. Every declaration fits this
/// protocol, so that its type becomes the type of the setting. A setting has a default only if its type is
/// ``NoSetting``. A declaration that fits this protocol, and not ``RequestSettings``, ``APIService`` or
/// ``DeclarativeRequest``, therefore does not compile.
public protocol SettingNames: Sendable {
    /// The type of ``RequestSettings/baseURL``: `URL`, `String`, or an optional of these.
    associatedtype BaseURLSetting = NoSetting
    /// The type of ``RequestSettings/headers``: ``HeaderFields`` or `[String: String]`.
    associatedtype HeadersSetting = NoSetting
    /// The type of ``RequestSettings/session``: any ``Transport``, or an optional of one.
    associatedtype SessionSetting = NoSetting
    /// The type of ``RequestSettings/interceptors``: an array of any ``Interceptor``, a single one, an
    /// ``InterceptorList``, or an optional.
    associatedtype InterceptorsSetting = NoSetting
    /// The type of ``RequestSettings/retryPolicy``: ``RetryPolicy``, or an optional of it.
    associatedtype RetryPolicySetting = NoSetting
    /// The type of ``RequestSettings/hook``: any ``RequestHook``, or an optional of one.
    associatedtype HookSetting = NoSetting
    /// The type of ``RequestSettings/decoder``: any ``DataDecoder``, or an optional of one.
    associatedtype DecoderSetting = NoSetting
    /// The type of ``RequestSettings/encoder``: any ``DataEncoder``, or an optional of one.
    associatedtype EncoderSetting = NoSetting
    /// The type of ``RequestSettings/acceptedStatusCodes``: a range, an array or a set of `Int`, an `Int`, or an
    /// optional of these.
    associatedtype AcceptedStatusCodesSetting = NoSetting
    /// The type of ``RequestSettings/acceptedContentTypes``: an array of ``ContentType`` or `String`, one of them, or
    /// an optional.
    associatedtype AcceptedContentTypesSetting = NoSetting
    /// The type of ``RequestSettings/timeoutInterval``: a number of seconds, `Duration`, or an optional of these.
    associatedtype TimeoutIntervalSetting = NoSetting
    /// The type of ``RequestSettings/resourceTimeout``: `Duration`, a number of seconds, or an optional of these.
    associatedtype ResourceTimeoutSetting = NoSetting
    /// The type of ``RequestSettings/maximumBodySize``: `Int`, or an optional of it.
    associatedtype MaximumBodySizeSetting = NoSetting
    /// The type of ``RequestSettings/redirectPolicy``: ``RedirectPolicy``, or an optional of it.
    associatedtype RedirectPolicySetting = NoSetting
    /// The type of ``RequestSettings/priority``: ``RequestPriority``, or an optional of it.
    associatedtype PrioritySetting = NoSetting
    /// The type of ``RequestSettings/cachePolicy``: `URLRequest.CachePolicy`, or an optional of it.
    associatedtype CachePolicySetting = NoSetting
    /// The type of ``RequestSettings/isSecure``: `Bool`, or an optional of it.
    associatedtype IsSecureSetting = NoSetting
    /// The type of a property `asynchronousHeaders`, which does not compile: a service has a method of this name.
    associatedtype AsynchronousHeadersPropertySetting = NoSetting
    /// The type of ``DeclarativeRequest/method``: ``RequestMethod`` or `String`.
    associatedtype MethodSetting = NoSetting
    /// The type of ``DeclarativeRequest/url``: `URL`, `String`, or an optional of these.
    associatedtype URLSetting = NoSetting
    /// The type of ``DeclarativeRequest/path``: ``RequestPath``, `String`, or an array of segments.
    associatedtype PathSetting = NoSetting
    /// The type of ``DeclarativeRequest/query``: ``URLQuery``, `[URLQueryItem]`, or a dictionary with values that a
    /// query supports.
    associatedtype QuerySetting = NoSetting
    /// The type of ``DeclarativeRequest/pagePosition``: ``PagePosition``, or an optional of it.
    associatedtype PagePositionSetting = NoSetting
    /// The type of ``DeclarativeRequest/defaultHeaders``: ``HeaderFields`` or `[String: String]`.
    associatedtype DefaultHeadersSetting = NoSetting
    /// The type of ``DeclarativeRequest/body``: ``RequestBody``, `String`, `Data`, or a value that the API's encoder
    /// encodes.
    associatedtype BodySetting: Sendable = NoSetting

    /// See ``RequestSettings/baseURL``.
    var baseURL: BaseURLSetting { get async throws }
    /// See ``RequestSettings/headers``.
    var headers: HeadersSetting { get async throws }
    /// See ``RequestSettings/session``.
    var session: SessionSetting { get async throws }
    /// See ``RequestSettings/interceptors``.
    var interceptors: InterceptorsSetting { get async throws }
    /// See ``RequestSettings/retryPolicy``.
    var retryPolicy: RetryPolicySetting { get async throws }
    /// See ``RequestSettings/hook``.
    var hook: HookSetting { get async throws }
    /// See ``RequestSettings/decoder``.
    var decoder: DecoderSetting { get async throws }
    /// See ``RequestSettings/encoder``.
    var encoder: EncoderSetting { get async throws }
    /// See ``RequestSettings/acceptedStatusCodes``.
    var acceptedStatusCodes: AcceptedStatusCodesSetting { get async throws }
    /// See ``RequestSettings/acceptedContentTypes``.
    var acceptedContentTypes: AcceptedContentTypesSetting { get async throws }
    /// See ``RequestSettings/timeoutInterval``.
    var timeoutInterval: TimeoutIntervalSetting { get async throws }
    /// See ``RequestSettings/resourceTimeout``.
    var resourceTimeout: ResourceTimeoutSetting { get async throws }
    /// See ``RequestSettings/maximumBodySize``.
    var maximumBodySize: MaximumBodySizeSetting { get async throws }
    /// See ``RequestSettings/redirectPolicy``.
    var redirectPolicy: RedirectPolicySetting { get async throws }
    /// See ``RequestSettings/priority``.
    var priority: PrioritySetting { get async throws }
    /// See ``RequestSettings/cachePolicy``.
    var cachePolicy: CachePolicySetting { get async throws }
    /// See ``RequestSettings/isSecure``.
    var isSecure: IsSecureSetting { get async throws }
    /// See ``APIService/asynchronousHeaders()``.
    var asynchronousHeaders: AsynchronousHeadersPropertySetting { get async throws }
    /// See ``DeclarativeRequest/method``.
    var method: MethodSetting { get async throws }
    /// See ``DeclarativeRequest/url``.
    var url: URLSetting { get async throws }
    /// See ``DeclarativeRequest/path``.
    var path: PathSetting { get async throws }
    /// See ``DeclarativeRequest/query``.
    var query: QuerySetting { get async throws }
    /// See ``DeclarativeRequest/pagePosition``.
    var pagePosition: PagePositionSetting { get async throws }
    /// See ``DeclarativeRequest/defaultHeaders``.
    var defaultHeaders: DefaultHeadersSetting { get async throws }
    /// See ``DeclarativeRequest/body``.
    var body: BodySetting { get async throws }
}

/// The payload of a ``JSONRequest``, with any effects; see ``SettingNames``. It is another protocol, because a
/// request of another kind may use the name for something else.
public protocol PayloadName: Sendable {
    /// The type of the value to send as JSON, which must be `Encodable`; no payload by default.
    associatedtype Payload: Sendable = NoSetting

    /// See ``JSONRequest/payload``.
    var payload: Payload { get async throws }
}

/// The type of a setting that a service or a declarative request does not declare.
public struct NoSetting: Sendable {}

extension SettingNames where BaseURLSetting == NoSetting {
    /// Not set.
    public var baseURL: NoSetting { NoSetting() }
}

extension SettingNames where HeadersSetting == NoSetting {
    /// Not set.
    public var headers: NoSetting { NoSetting() }
}

extension SettingNames where SessionSetting == NoSetting {
    /// Not set.
    public var session: NoSetting { NoSetting() }
}

extension SettingNames where InterceptorsSetting == NoSetting {
    /// Not set.
    public var interceptors: NoSetting { NoSetting() }
}

extension SettingNames where RetryPolicySetting == NoSetting {
    /// Not set.
    public var retryPolicy: NoSetting { NoSetting() }
}

extension SettingNames where HookSetting == NoSetting {
    /// Not set.
    public var hook: NoSetting { NoSetting() }
}

extension SettingNames where DecoderSetting == NoSetting {
    /// Not set.
    public var decoder: NoSetting { NoSetting() }
}

extension SettingNames where EncoderSetting == NoSetting {
    /// Not set.
    public var encoder: NoSetting { NoSetting() }
}

extension SettingNames where AcceptedStatusCodesSetting == NoSetting {
    /// Not set.
    public var acceptedStatusCodes: NoSetting { NoSetting() }
}

extension SettingNames where AcceptedContentTypesSetting == NoSetting {
    /// Not set.
    public var acceptedContentTypes: NoSetting { NoSetting() }
}

extension SettingNames where TimeoutIntervalSetting == NoSetting {
    /// Not set.
    public var timeoutInterval: NoSetting { NoSetting() }
}

extension SettingNames where ResourceTimeoutSetting == NoSetting {
    /// Not set.
    public var resourceTimeout: NoSetting { NoSetting() }
}

extension SettingNames where MaximumBodySizeSetting == NoSetting {
    /// Not set.
    public var maximumBodySize: NoSetting { NoSetting() }
}

extension SettingNames where RedirectPolicySetting == NoSetting {
    /// Not set.
    public var redirectPolicy: NoSetting { NoSetting() }
}

extension SettingNames where PrioritySetting == NoSetting {
    /// Not set.
    public var priority: NoSetting { NoSetting() }
}

extension SettingNames where CachePolicySetting == NoSetting {
    /// Not set.
    public var cachePolicy: NoSetting { NoSetting() }
}

extension SettingNames where IsSecureSetting == NoSetting {
    /// Not set.
    public var isSecure: NoSetting { NoSetting() }
}

extension SettingNames where AsynchronousHeadersPropertySetting == NoSetting {
    /// Not set.
    public var asynchronousHeaders: NoSetting { NoSetting() }
}

extension SettingNames where MethodSetting == NoSetting {
    /// Not set.
    public var method: NoSetting { NoSetting() }
}

extension SettingNames where URLSetting == NoSetting {
    /// Not set.
    public var url: NoSetting { NoSetting() }
}

extension SettingNames where PathSetting == NoSetting {
    /// Not set.
    public var path: NoSetting { NoSetting() }
}

extension SettingNames where QuerySetting == NoSetting {
    /// Not set.
    public var query: NoSetting { NoSetting() }
}

extension SettingNames where PagePositionSetting == NoSetting {
    /// Not set.
    public var pagePosition: NoSetting { NoSetting() }
}

extension SettingNames where DefaultHeadersSetting == NoSetting {
    /// Not set.
    public var defaultHeaders: NoSetting { NoSetting() }
}

extension SettingNames where BodySetting == NoSetting {
    /// Not set.
    public var body: NoSetting { NoSetting() }
}
