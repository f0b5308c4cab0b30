extension DeclarativeRequest {
    /// GET.
    public var method: HTTPMethod { .get }
    /// The service's base URL and `path`.
    public var url: URL? { nil }
    /// The base URL itself.
    public var path: RequestPath { "" }
    /// None.
    public var query: Query { [:] }
    /// None.
    public var page: PagePosition? { nil }
    /// None.
    public var headers: HTTPHeaders { [:] }
    /// None.
    public var defaultHeaders: HTTPHeaders { [:] }
    /// None.
    public var body: RequestBody { .empty }
    /// 200 to 299.
    public var acceptedStatusCodes: Range<Int> { 200..<300 }
    /// The usual.
    public var priority: RequestPriority { .normal }
    /// By the rules of HTTP.
    public var cachePolicy: URLRequest.CachePolicy { .useProtocolCachePolicy }
    /// A minute.
    public var timeoutInterval: TimeInterval { 60 }
    /// The transport's.
    public var resourceTimeout: Duration? { nil }
    /// 64 MiB.
    public var maximumBodySize: Int { APIBase.defaultMaximumBodySize }
    /// They are followed.
    public var redirectPolicy: RedirectPolicy { .follow }

    /// Finds nothing wrong.
    public func validate() throws {}
    /// Leaves it as it is.
    public func prepare(_ request: inout URLRequest) throws {}
}

extension DeclarativeRequest where Output == Void {
    /// Takes any body.
    public func decode(_ response: DataResponse) throws {}
}

extension DeclarativeRequest where Output == Data {
    /// The body as it is.
    public func decode(_ response: DataResponse) throws -> Data { response.data }
}

extension DeclarativeRequest where Output == String {
    /// The body as text, by the charset that the answer names; see ``DataResponse/text()``.
    public func decode(_ response: DataResponse) throws -> String { try response.text() }
}

extension DeclarativeRequest where Output: Decodable & SendableMetatype {
    /// The body as JSON, with a decoder without settings; see ``JSONRequest``.
    public func decode(_ response: DataResponse) throws -> Output { try response.decode(Output.self) }
}
