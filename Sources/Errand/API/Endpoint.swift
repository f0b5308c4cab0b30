/// A request as a value: what is sent, and how the response becomes the output. A service or a class says where it is
/// sent.
///
/// ```swift
/// let users = try await service.send(.get("/users", as: [User].self)).value
/// let book = try await service.send(.post("/books", body: .json(draft), as: Book.self)).value
/// try await LibraryAPI().send(.delete("/books/\(id)")).value
/// let page = try await Endpoint.get(url: link, as: Page.self).schedule().value
/// ```
///
/// The output is a `Decodable` value, `String` (the text, by its charset), `Data`, `Void`, or what a closure makes of
/// the response: `Endpoint(.get, "/books/7/cover") { $0.data.count }`. ``EndpointRequest`` gives an endpoint a name and
/// typed parameters. The response must have a successful status, unless the endpoint's settings, the class or the
/// service set `acceptedStatusCodes`.
public struct Endpoint<Output: Sendable>: Sendable {
    /// The HTTP method.
    public var method: RequestMethod
    /// The path, appended to that of ``url`` or of the base URL.
    public var path: RequestPath
    /// The complete URL, which replaces the base URL; `nil` by default.
    ///
    /// Header fields, asynchronous header fields and interceptors of a service or a class with another origin do not
    /// apply to it, and neither does the query of such a class.
    public var url: URL?
    /// The query items, appended to those of the URL.
    public var query: URLQuery
    /// The header fields, which replace those of ``settings``, class and service.
    public var headers: HeaderFields
    /// The body. It is encoded once for all attempts of a ``RetryPolicy``, outside the caller's actor.
    public var body: RequestBody
    /// The settings of this request, which come before those of service and class; see ``RequestSettings``.
    public var settings: RequestSettings
    /// The page of a list to request; see ``APIBase/pagePosition``.
    public private(set) var pagePosition: PagePosition?
    /// Whether `Accept: application/json` is sent if no header field says what is accepted, and the decoder reads JSON.
    private(set) var acceptsJSON = false
    /// The type of the struct request that this endpoint is from; `nil` without one.
    var requestType: Any.Type?
    /// The checks and changes of ``validate(_:)`` and ``prepare(_:)``, in order.
    private var changes: [@Sendable (inout URLRequest) async throws -> Void] = []
    let decode: @Sendable (DataResponse) throws -> Output

    /// Creates an endpoint whose output a closure makes of the response.
    ///
    /// The closure `decode` receives a response with an accepted status. The request fails with the error that it
    /// throws. ``DataResponse/decode(_:decoder:)`` and ``DataResponse/text()`` throw errors that describe the response.
    public init(
        _ method: RequestMethod, _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:],
        headers: HeaderFields = [:], body: RequestBody = .empty, settings: RequestSettings = RequestSettings(),
        decode: @escaping @Sendable (DataResponse) throws -> Output
    ) {
        self.method = method
        self.path = path
        self.url = url
        self.query = query
        self.headers = headers
        self.body = body
        self.settings = settings
        self.decode = decode
    }
}

extension Endpoint where Output: Decodable & SendableMetatype {
    /// Creates an endpoint whose output is decoded: text by its charset, data as it is, and other types by the
    /// decoder, JSON by default.
    public init(
        _ method: RequestMethod, _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:],
        headers: HeaderFields = [:], body: RequestBody = .empty, settings: RequestSettings = RequestSettings(),
        as output: Output.Type = Output.self
    ) {
        self.init(method, path, url: url, query: query, headers: headers, body: body, settings: settings) {
            try $0.output(Output.self)
        }
        acceptsJSON = Output.self != String.self && Output.self != Data.self
    }
}

extension DataResponse {
    /// The body as text or data if that is the type, and else the decoded body.
    fileprivate func output<Value: Decodable & SendableMetatype>(_ type: Value.Type) throws -> Value {
        // A cast alone would also succeed for `Data?`, which is decoded.
        if type == Data.self, let data = data as? Value { return data }
        if type == String.self, let text = try text() as? Value { return text }
        return try decode(type)
    }
}

extension Endpoint where Output == Void {
    /// Creates an endpoint without an output, which accepts any body.
    public init(
        _ method: RequestMethod, _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:],
        headers: HeaderFields = [:], body: RequestBody = .empty, settings: RequestSettings = RequestSettings()
    ) {
        self.init(method, path, url: url, query: query, headers: headers, body: body, settings: settings) { _ in }
    }
}

extension Endpoint {
    /// Returns the endpoint with a check that runs before the request is sent. Checks, and changes by ``prepare(_:)``,
    /// run in the order in which they were added.
    ///
    /// - Parameter check: A closure that throws the error with which the request fails. Nothing is sent then.
    public func validate(_ check: @escaping @Sendable () async throws -> Void) -> Endpoint {
        prepare { _ in try await check() }
    }

    /// Returns the endpoint with a change of its `URLRequest`, made after all settings were applied and before
    /// asynchronous header fields and interceptors.
    ///
    /// The result is checked like any other request. The closure is called once for all attempts of a ``RetryPolicy``.
    /// A WebSocket calls it for each connection. To send a stream, set it as ``body``.
    ///
    /// - Parameter change: A closure that changes the request, or throws the error with which the request fails.
    ///   Nothing is sent then.
    public func prepare(_ change: @escaping @Sendable (inout URLRequest) async throws -> Void) -> Endpoint {
        var endpoint = self
        endpoint.changes.append(change)
        return endpoint
    }

    /// Returns the endpoint for one page of a list.
    ///
    /// ```swift
    /// let pages = Pages(.cursor()) { page in
    ///     try await service.send(.get("/followers", as: [User].self).page(page)).value
    /// }
    /// ```
    public func page(_ position: PagePosition?) -> Endpoint {
        var endpoint = self
        endpoint.pagePosition = position
        return endpoint
    }

    /// This endpoint with the response itself as its output, and with its header fields among its settings, where they
    /// are combined with the others. The object that sends it need not know the output.
    var undecoded: Endpoint<DataResponse> {
        var endpoint = Endpoint<DataResponse>(
            method, path, url: url, query: query, body: body, settings: settings
        ) { $0 }
        endpoint.settings.headers.merge(headers)
        endpoint.pagePosition = pagePosition
        endpoint.acceptsJSON = acceptsJSON
        endpoint.changes = changes
        endpoint.requestType = requestType
        return endpoint
    }

    /// The server that the endpoint names itself; `nil` if a service or a class names it.
    package var server: URL? { url ?? settings.baseURL?.url }

    /// Applies the closures of ``validate(_:)`` and ``prepare(_:)`` to a request, and checks the result.
    func prepared(_ request: TransportRequest) async throws -> TransportRequest {
        guard !changes.isEmpty else { return request }
        var request = request
        for change in changes { try await change(&request.urlRequest) }
        guard request.urlRequest.httpBodyStream == nil else {
            let reason = "prepare(_:) has added a stream, which must be the request's `body`"
            throw ErrandError(.invalidSetting, reason: reason)
        }
        try RequestCheck.check(request.urlRequest, bodyStream: request.bodyStream)
        return request
    }
}

extension Endpoint: Confidential {
    /// The method, the URL and the path without secrets: `GET /users`.
    public var description: String {
        "\(method) \(url.map { $0.redacted.absoluteString } ?? "")\(path)"
    }
}

extension Endpoint where Output: Decodable & SendableMetatype {
    /// A GET request whose output is decoded.
    public static func get(
        _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:], headers: HeaderFields = [:],
        settings: RequestSettings = RequestSettings(), as output: Output.Type = Output.self
    ) -> Endpoint {
        Endpoint(.get, path, url: url, query: query, headers: headers, settings: settings, as: output)
    }

    /// A POST request whose output is decoded.
    public static func post(
        _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:], headers: HeaderFields = [:],
        body: RequestBody = .empty, settings: RequestSettings = RequestSettings(), as output: Output.Type = Output.self
    ) -> Endpoint {
        Endpoint(.post, path, url: url, query: query, headers: headers, body: body, settings: settings, as: output)
    }

    /// A PUT request whose output is decoded.
    public static func put(
        _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:], headers: HeaderFields = [:],
        body: RequestBody = .empty, settings: RequestSettings = RequestSettings(), as output: Output.Type = Output.self
    ) -> Endpoint {
        Endpoint(.put, path, url: url, query: query, headers: headers, body: body, settings: settings, as: output)
    }

    /// A PATCH request whose output is decoded.
    public static func patch(
        _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:], headers: HeaderFields = [:],
        body: RequestBody = .empty, settings: RequestSettings = RequestSettings(), as output: Output.Type = Output.self
    ) -> Endpoint {
        Endpoint(.patch, path, url: url, query: query, headers: headers, body: body, settings: settings, as: output)
    }

    /// A DELETE request whose output is decoded.
    public static func delete(
        _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:], headers: HeaderFields = [:],
        settings: RequestSettings = RequestSettings(), as output: Output.Type = Output.self
    ) -> Endpoint {
        Endpoint(.delete, path, url: url, query: query, headers: headers, settings: settings, as: output)
    }
}

extension Endpoint where Output == Void {
    /// A GET request without an output.
    public static func get(
        _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:], headers: HeaderFields = [:],
        settings: RequestSettings = RequestSettings()
    ) -> Endpoint {
        Endpoint(.get, path, url: url, query: query, headers: headers, settings: settings)
    }

    /// A POST request without an output.
    public static func post(
        _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:], headers: HeaderFields = [:],
        body: RequestBody = .empty, settings: RequestSettings = RequestSettings()
    ) -> Endpoint {
        Endpoint(.post, path, url: url, query: query, headers: headers, body: body, settings: settings)
    }

    /// A PUT request without an output.
    public static func put(
        _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:], headers: HeaderFields = [:],
        body: RequestBody = .empty, settings: RequestSettings = RequestSettings()
    ) -> Endpoint {
        Endpoint(.put, path, url: url, query: query, headers: headers, body: body, settings: settings)
    }

    /// A PATCH request without an output.
    public static func patch(
        _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:], headers: HeaderFields = [:],
        body: RequestBody = .empty, settings: RequestSettings = RequestSettings()
    ) -> Endpoint {
        Endpoint(.patch, path, url: url, query: query, headers: headers, body: body, settings: settings)
    }

    /// A DELETE request without an output.
    public static func delete(
        _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:], headers: HeaderFields = [:],
        settings: RequestSettings = RequestSettings()
    ) -> Endpoint {
        Endpoint(.delete, path, url: url, query: query, headers: headers, settings: settings)
    }
}

extension Endpoint where Output == HeaderFields {
    /// A HEAD request, whose output are the header fields of the response.
    public static func head(
        _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:], headers: HeaderFields = [:],
        settings: RequestSettings = RequestSettings()
    ) -> Endpoint {
        Endpoint(.head, path, url: url, query: query, headers: headers, settings: settings) { $0.headers }
    }
}
