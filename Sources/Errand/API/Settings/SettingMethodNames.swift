// The methods of services and declarative requests, for the same purpose as `SettingNames`.

/// The methods that set header fields, with any result and any effects; see ``SettingNames``.
public protocol SettingMethodNames: Sendable {
    /// The return type of ``APIService/asynchronousHeaders()``: ``HeaderFields`` or `[String: String]`.
    associatedtype AsynchronousHeadersSetting: Sendable = NoSetting
    /// The return type of a method `headers()`, which does not compile: ``RequestSettings/headers`` is a property.
    associatedtype HeadersMethodSetting = NoSetting

    /// See ``APIService/asynchronousHeaders()``.
    func asynchronousHeaders() async throws -> AsynchronousHeadersSetting
    /// See ``RequestSettings/headers``.
    func headers() async throws -> HeadersMethodSetting
}

extension SettingMethodNames where AsynchronousHeadersSetting == NoSetting {
    /// Not set.
    public func asynchronousHeaders() -> NoSetting { NoSetting() }
}

extension SettingMethodNames where HeadersMethodSetting == NoSetting {
    /// Not set.
    public func headers() -> NoSetting { NoSetting() }
}

/// The methods of a service, with any parameter, result and effects; see ``SettingNames``.
public protocol ServiceMethodNames: Sendable {
    /// The type of the parameter of ``APIService/mapError(_:)``: `any Error`.
    associatedtype MappedError = any Error
    /// The return type of ``APIService/mapError(_:)``.
    associatedtype MappedFailure = any Error

    /// See ``APIService/mapError(_:)``.
    func mapError(_ error: MappedError) async throws -> MappedFailure
}

/// The methods of a declarative request, with any parameter, result and effects; see ``SettingNames``.
public protocol RequestMethodNames: Sendable {
    /// The type of the result.
    associatedtype Output: Sendable
    /// The return type of ``DeclarativeRequest/validate()``: `Void`.
    associatedtype ValidationResult = Void
    /// The type of the parameter of ``DeclarativeRequest/prepare(_:)``: `URLRequest`.
    associatedtype PreparedRequest = URLRequest
    /// The return type of ``DeclarativeRequest/prepare(_:)``: `Void`.
    associatedtype PreparationResult = Void
    /// The type of a parameter of `prepare(_:)` that is not `inout`, which does not compile.
    associatedtype CopiedRequest = NoSetting
    /// The return type of such a method.
    associatedtype CopyResult = NoSetting
    /// The type of the parameter of ``DeclarativeRequest/decode(_:)``: ``DataResponse``.
    associatedtype DecodedBody = DataResponse

    /// See ``DeclarativeRequest/validate()``.
    func validate() async throws -> ValidationResult
    /// See ``DeclarativeRequest/prepare(_:)``.
    func prepare(_ request: inout PreparedRequest) async throws -> PreparationResult
    /// See ``DeclarativeRequest/prepare(_:)``.
    func prepare(_ request: CopiedRequest) async throws -> CopyResult
    /// See ``DeclarativeRequest/decode(_:)``.
    func decode(_ response: DecodedBody) async throws -> Output
}

extension RequestMethodNames where CopiedRequest == NoSetting {
    /// Not declared.
    public func prepare(_ request: NoSetting) -> NoSetting { request }
}
