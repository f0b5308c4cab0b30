/// The ``APIBase`` object that sends a declarative request.
final class DeclaredRequest<Declaration: DeclarativeRequest>: APIBase, Request {
    private let declaration: Declaration
    /// The reason why the declaration is invalid; `nil` if it is valid.
    private var fault: (any Error)?
    /// The interceptors of the declaration if they replace those of the service.
    private var replacement: InterceptorList?

    init(_ declaration: Declaration, stub: Pipeline<DataResponse, any Error>?) {
        self.declaration = declaration
        super.init()
        dataTaskPipeline = stub
        do { try readSettings() } catch { fault = error }
    }

    private func readSettings() throws {
        let reader = SettingReader(Declaration.self)
        let settings = try declaration.commonSettings()
        baseURL = settings.baseURL
        headers = try defaultHeaders(reader).merging(settings.headers)
        if let session = settings.session { self.session = session }
        interceptors = settings.interceptors.interceptors
        if settings.interceptors.replacesOthers { replacement = settings.interceptors }
        retryPolicy = settings.retryPolicy
        hook = settings.hook
        decoder = settings.decoder
        encoder = settings.encoder
        acceptedStatusCodes = settings.acceptedStatusCodes
        acceptedContentTypes = settings.acceptedContentTypes
        method = try reader.method(declaration.method) ?? .get
        url = try reader.url("url", declaration.url)
        path = try reader.path(declaration.path) ?? ""
        query = try reader.query(declaration.query) ?? [:]
        pagePosition = try reader.pagePosition(declaration.pagePosition)
        // Nothing reads the body before it is sent, unlike in a class, which may override `buildURLRequest()`.
        body = try declaredBody(reader).encodedWhenSent()
        timeoutInterval = settings.timeoutInterval
        resourceTimeout = settings.resourceTimeout
        maximumBodySize = settings.maximumBodySize
        redirectPolicy = settings.redirectPolicy
        priority = settings.priority
        cachePolicy = settings.cachePolicy
    }

    private func defaultHeaders(_ reader: SettingReader) throws -> HeaderFields {
        if Declaration.DefaultHeadersSetting.self == NoSetting.self, declaration is any JSONRequest {
            return [.accept: "application/json"]
        }
        return try reader.headers("defaultHeaders", declaration.defaultHeaders) ?? [:]
    }

    private func declaredBody(_ reader: SettingReader) throws -> RequestBody {
        if Declaration.BodySetting.self == NoSetting.self {
            return (declaration as? any JSONRequest)?.bodyOfPayload ?? .empty
        }
        return try reader.body(declaration.body) ?? .empty
    }

    override func resolvedSettings() throws -> Settings {
        var settings = try super.resolvedSettings()
        settings.acceptedStatusCodes = settings.acceptedStatusCodes ?? DeclaredProperties.successful
        if let replacement { settings.interceptors = replacement }
        return settings
    }

    override func buildURLRequest() throws -> URLRequest {
        if let fault { throw fault }
        return try super.buildURLRequest()
    }

    override var preparation: RequestPreparation? {
        RequestPreparation { [declaration] in
            try await declaration.validate()
        } prepare: { [declaration] request in
            var request = request
            try await declaration.prepare(&request)
            return request
        }
    }

    func start() -> Pipeline<Declaration.Output, any Error> {
        sendRequest().decoding { [declaration] in try declaration.decode($0) }.mapError { Self.failure($0) }
    }

    /// Decodes the declaration's error document for a failure.
    static func failure(_ error: any Error) -> any Error {
        guard Declaration.ErrorDocument.self != Never.self else { return error }
        return error.decodingPayload(Declaration.ErrorDocument.self)
    }
}

private enum DeclaredProperties {
    static let successful = Set(200..<300)
}
