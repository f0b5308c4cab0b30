extension DeclarativeRequest where MethodSetting == RequestMethod {
    /// GET.
    public var method: RequestMethod { .get }
}

extension DeclarativeRequest where URLSetting == URL? {
    /// None.
    public var url: URL? { nil }
}

extension DeclarativeRequest where PathSetting == RequestPath {
    /// The base URL itself.
    public var path: RequestPath { "" }
}

extension DeclarativeRequest where QuerySetting == URLQuery {
    /// Empty.
    public var query: URLQuery { [:] }
}

extension DeclarativeRequest where PagePositionSetting == PagePosition? {
    /// None.
    public var pagePosition: PagePosition? { nil }
}

extension DeclarativeRequest where DefaultHeadersSetting == HeaderFields {
    /// None.
    public var defaultHeaders: HeaderFields { [:] }
}

extension DeclarativeRequest where BodySetting == RequestBody {
    /// None.
    public var body: RequestBody { .empty }
}

extension DeclarativeRequest {
    /// Does nothing.
    public func validate() async throws {}
    /// Does nothing.
    public func prepare(_ request: inout URLRequest) async throws {}
}

extension DeclarativeRequest where Output == Void {
    /// Accepts any body.
    public func decode(_ response: DataResponse) throws {}
}

extension DeclarativeRequest where Output == Data {
    /// The body as it is.
    public func decode(_ response: DataResponse) throws -> Data { response.data }
}

extension DeclarativeRequest where Output == String {
    /// The body as text, by the charset of the response; see ``DataResponse/text()``.
    public func decode(_ response: DataResponse) throws -> String { try response.text() }
}

extension DeclarativeRequest where Output: Decodable & SendableMetatype {
    /// The body as a value, by the decoder of the request or the service.
    public func decode(_ response: DataResponse) throws -> Output { try response.decode(Output.self) }
}
