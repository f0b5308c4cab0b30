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
/// The service also applies to other requests of the same API class that a leaf starts itself: in `flatMap`, in
/// `catch`, or to refresh a token. For a service without a custom type, see ``PlainService``.
public protocol APIService<Failure>: RequestSettings {
    /// The error type of requests to this service. It is `any Error` unless ``mapError(_:)`` returns another type.
    associatedtype Failure: Error = any Error
    /// The document with which the server describes a failure, such as ``ProblemDetails``; none by default.
    ///
    /// It is decoded from the body of a response with an unacceptable status. The error that ``mapError(_:)`` receives
    /// provides it as ``ErrandError/payload(as:)``.
    associatedtype ErrorDocument: Decodable & Sendable = NoErrorDocument

    /// The return type of ``asynchronousHeaders()``: ``HeaderFields`` or `[String: String]`.
    associatedtype AsynchronousHeadersSetting: Sendable = HeaderFields

    /// Returns header fields that must be awaited, such as a token from a keychain. It is called each time a request is
    /// sent.
    ///
    /// - Throws: The error with which the request fails. The request is not sent.
    func asynchronousHeaders() async throws -> AsynchronousHeadersSetting
    /// Converts each failure of a request to this service into the service's own error.
    func mapError(_ error: any Error) -> Failure
}

/// The error document of a service or a request that does not declare one.
public struct NoErrorDocument: Decodable, Sendable {}

extension APIService where AsynchronousHeadersSetting == HeaderFields {
    /// Returns no fields.
    public func asynchronousHeaders() async throws -> HeaderFields { [:] }
}

extension APIService where Failure == any Error {
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
        try reader.checkStoredProperties(of: self, foreign: ServiceProperties.foreign)
        var settings = try commonSettings()
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
        guard ErrorDocument.self != NoErrorDocument.self else { return mapError(error) }
        return mapError(error.decodingPayload(ErrorDocument.self))
    }
}

private enum ServiceProperties {
    /// The properties that belong to a request.
    static let foreign: [String: String] = {
        let names = ["path", "method", "query", "body", "url", "pagePosition"]
        var reasons = Dictionary(uniqueKeysWithValues: names.map { ($0, "it belongs to a request, not to a service") })
        reasons["asynchronousHeaders"] = "a service has a method `asynchronousHeaders()`"
        return reasons
    }()
}
