/// Where requests go and how they are carried, apart from what they ask: production, staging, a test server.
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
/// A service adds to what the API class says; ``RequestSettings`` has the properties. The rules:
///
/// | setting | of class and service |
/// |---|---|
/// | ``RequestSettings/baseURL``, ``RequestSettings/session``, ``RequestSettings/retryPolicy``, ``RequestSettings/hook`` | the service's, where it has one |
/// | ``RequestSettings/headers`` | both; the request's, where both have a field |
/// | ``asynchronousHeaders()`` | both, under the request's own fields; the service's over its `headers`, and these over the class's awaited fields |
/// | ``RequestSettings/interceptors`` | both, the class's first; ``InterceptorList/replacing(_:)`` drops the class's |
/// | ``RequestSettings/decoder``, ``RequestSettings/encoder``, ``RequestSettings/acceptedStatusCodes``, ``RequestSettings/acceptedContentTypes``, ``RequestSettings/timeoutInterval``, ``RequestSettings/resourceTimeout``, ``RequestSettings/maximumBodySize``, ``RequestSettings/redirectPolicy``, ``RequestSettings/priority``, ``RequestSettings/cachePolicy`` | the request's, where it has one; of a class, one that is not the default |
///
/// The service also applies to the other requests of the same API class that a leaf starts itself: in `flatMap`, in
/// `catch`, or to refresh a token. For a service without a type of its own, see ``PlainService``.
public protocol APIService<Failure>: RequestSettings {
    /// What requests to this service fail with; `any Error` unless ``mapError(_:)`` says otherwise.
    associatedtype Failure: Error = any Error
    /// The document that the server describes a failure with, such as ``ProblemDetails``; none by default.
    ///
    /// It is decoded from the body of a response with an unacceptable status, and is the ``ErrandError/payload(as:)`` of the
    /// error that ``mapError(_:)`` receives.
    associatedtype ErrorDocument: Decodable & Sendable = NoErrorDocument

    /// The type of what ``asynchronousHeaders()`` returns: ``HeaderFields`` or `[String: String]`.
    associatedtype AsynchronousHeadersSetting: Sendable = HeaderFields

    /// Returns header fields that have to be awaited, such as a token from a keychain; called each time a request is sent.
    ///
    /// - Throws: What the request fails with; it is not sent.
    func asynchronousHeaders() async throws -> AsynchronousHeadersSetting
    /// Converts every failure of a request to this service into the service's own error.
    func mapError(_ error: any Error) -> Failure
}

/// The error document of a service or a request that has none.
public struct NoErrorDocument: Decodable, Sendable {}

extension APIService where AsynchronousHeadersSetting == HeaderFields {
    /// No fields.
    public func asynchronousHeaders() async throws -> HeaderFields { [:] }
}

extension APIService where Failure == any Error {
    /// The failure as it is.
    public func mapError(_ error: any Error) -> any Error { error }
}

extension APIService {
    /// What the service says, checked.
    ///
    /// - Throws: ``ErrandError`` with `invalidSetting` for a property that does not fit, with `invalidURL` for a base URL that
    ///   is not valid.
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

    /// The failure of a request, with the service's error document, as the service's own error.
    func failure(_ error: any Error) -> Failure {
        guard ErrorDocument.self != NoErrorDocument.self else { return mapError(error) }
        return mapError(error.decodingPayload(ErrorDocument.self))
    }
}

private enum ServiceProperties {
    /// What belongs to a request.
    static let foreign: [String: String] = {
        let names = ["path", "method", "query", "body", "url", "pagePosition"]
        var reasons = Dictionary(uniqueKeysWithValues: names.map { ($0, "it belongs to a request, not to a service") })
        reasons["asynchronousHeaders"] = "a service has a method `asynchronousHeaders()`"
        return reasons
    }()
}
