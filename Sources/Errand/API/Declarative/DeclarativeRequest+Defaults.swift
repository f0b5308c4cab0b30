extension DeclarativeRequest where MethodSetting == RequestMethod {
    /// GET.
    public var method: RequestMethod { .get }
}

extension DeclarativeRequest where URLSetting == URL? {
    /// No URL.
    public var url: URL? { nil }
}

extension DeclarativeRequest where PathSetting == RequestPath {
    /// An empty path, which requests the base URL itself.
    public var path: RequestPath { "" }
}

extension DeclarativeRequest where QuerySetting == URLQuery {
    /// An empty query.
    public var query: URLQuery { [:] }
}

extension DeclarativeRequest where PagePositionSetting == PagePosition? {
    /// No page.
    public var pagePosition: PagePosition? { nil }
}

extension DeclarativeRequest where DefaultHeadersSetting == HeaderFields {
    /// No fields.
    public var defaultHeaders: HeaderFields { [:] }
}

extension DeclarativeRequest where BodySetting == RequestBody {
    /// No body.
    public var body: RequestBody { .empty }
}

extension DeclarativeRequest {
    /// Does nothing.
    public func validate() async throws {}
    /// Does nothing.
    public func prepare(_ request: inout URLRequest) async throws {}
}

extension DeclarativeRequest where Output == Void {
    /// Accepts any body, and returns nothing.
    public func decode(_ response: DataResponse) throws {}
}

extension DeclarativeRequest where Output == Data {
    /// Returns the body unchanged.
    public func decode(_ response: DataResponse) throws -> Data { response.data }
}

extension DeclarativeRequest where Output == String {
    /// Returns the body as text, decoded with the charset of the response; see ``DataResponse/text()``.
    public func decode(_ response: DataResponse) throws -> String { try response.text() }
}

extension DeclarativeRequest where Output: Decodable & SendableMetatype {
    /// Decodes the body with the decoder of the request or the service.
    public func decode(_ response: DataResponse) throws -> Output { try response.decode(Output.self) }
}
