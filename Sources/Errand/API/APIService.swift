/// The destination of requests and the settings they are sent with, such as production, staging or a test server.
///
/// ```swift
/// struct Staging: APIService {
///     let baseURL = "staging.example.com"
///     let headers = ["X-Tenant": "acme"]
/// }
///
/// let response = UsersRequest().schedule(with: Staging())
/// ```
///
/// A service adds to the settings of the API class. The properties are documented in ``RequestSettings``. These rules
/// apply:
///
/// | setting | used from class and service |
/// |---|---|
/// | ``RequestSettings/baseURL``, ``RequestSettings/session``, ``RequestSettings/retryPolicy``, ``RequestSettings/hook`` | the service's, if it has one |
/// | ``RequestSettings/headers`` | both; the request's, if both have a field of the same name |
/// | ``asynchronousHeaders()`` | both. The request's own fields replace them. The service's replace its `headers` and the asynchronous fields of the class |
/// | ``RequestSettings/interceptors`` | both, the class's first; ``InterceptorList/replacing(_:)`` drops the class's |
/// | ``RequestSettings/decoder``, ``RequestSettings/encoder``, ``RequestSettings/acceptedStatusCodes``, ``RequestSettings/acceptedContentTypes``, ``RequestSettings/timeoutInterval``, ``RequestSettings/resourceTimeout``, ``RequestSettings/maximumBodySize``, ``RequestSettings/redirectPolicy``, ``RequestSettings/priority``, ``RequestSettings/cachePolicy`` | the request's, if it has one; a class has one if its value is not the default |
///
/// The service also applies to other requests that a leaf starts itself, unless they name another server: in `flatMap`,
/// in `catch`, or to refresh a token. For a service without a custom type, see ``PlainService``.
public protocol APIService<Failure>: RequestSettings, ServiceMethodNames {
    /// The error type of requests to this service. It is `any Error` unless ``mapError(_:)`` returns another type.
    associatedtype Failure: Error = any Error
    /// The document with which the server describes a failure, such as ``ProblemDetails``; none by default.
    ///
    /// It is decoded from the body of a response with an unacceptable status. The error that ``mapError(_:)`` receives
    /// provides it as ``ErrandError/payload(as:)``.
    associatedtype ErrorDocument: Decodable & Sendable = Never

    /// Returns header fields that must be awaited, such as a token from a keychain. It is called each time a request is
    /// sent.
    ///
    /// - Throws: The error with which the request fails. The request is not sent.
    func asynchronousHeaders() async throws -> AsynchronousHeadersSetting
    /// Converts each failure of a request to this service into the service's own error.
    @_nonoverride func mapError(_ error: any Error) -> Failure

    /// A method of this name does not compile: ``RequestSettings/headers`` is a property.
    @_nonoverride func headers() -> NoSetting
    /// A property of requests. A service that declares it, or one of those below, does not compile.
    @_nonoverride var method: NoSetting { get }
    /// A property of requests.
    @_nonoverride var url: NoSetting { get }
    /// A property of requests.
    @_nonoverride var path: NoSetting { get }
    /// A property of requests.
    @_nonoverride var query: NoSetting { get }
    /// A property of requests.
    @_nonoverride var pagePosition: NoSetting { get }
    /// A property of requests.
    @_nonoverride var defaultHeaders: NoSetting { get }
    /// A property of requests.
    @_nonoverride var body: NoSetting { get }
}

extension APIService where Failure == any Error, MappedError == any Error, MappedFailure == any Error {
    /// Returns the failure unchanged.
    public func mapError(_ error: any Error) -> any Error { error }
}

extension APIService {
    /// Reads and checks the settings of the service.
    ///
    /// - Throws: ``ErrandError`` with `invalidSetting` for a property whose type does not fit, or with `invalidURL` for
    ///   an invalid base URL.
    func settings() throws -> Settings {
        let reader = SettingReader(Self.self)
        var settings = try commonSettings()
        guard AsynchronousHeadersSetting.self != NoSetting.self else { return settings }
        settings.asynchronousHeaders = [
            AsynchronousHeaders(replacing: settings.headers) {
                try reader.headers("asynchronousHeaders", await asynchronousHeaders()) ?? [:]
            }
        ]
        return settings
    }

    /// Decodes the service's error document for a failure of a request, and converts the failure into the service's own
    /// error.
    func failure(_ error: any Error) -> Failure {
        guard ErrorDocument.self != Never.self else { return mapError(error) }
        return mapError(error.decodingPayload(ErrorDocument.self))
    }
}
