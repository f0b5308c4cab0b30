/// A place where requests are sent, and the settings that they share: production, staging, or a test server.
///
/// ```swift
/// extension APIService<LibraryError> {
///     static let staging = APIService(
///         baseURL: "staging.example.com", headers: ["X-Tenant": "acme"], mapError: { LibraryError($0) })
/// }
///
/// let books = try await BooksRequest(author: "Le Guin").schedule(with: .staging).value
/// let shelf = try await APIService.staging.send(.get("/shelves/7", as: Shelf.self)).value
/// ```
///
/// ``RequestSettings`` says which of the settings of service, class and endpoint applies.
///
/// The service also applies to other requests that a leaf starts itself, in `flatMap`, in `catch`, or to refresh a
/// token, if they have no base URL or that of the leaf's class. Those with another server go there.
public struct APIService<Failure: Error>: Sendable {
    /// The settings of the service.
    public var settings: RequestSettings
    private let mapError: @Sendable (any Error) -> Failure

    /// Creates a service from a value with its settings.
    ///
    /// - Parameters:
    ///   - settings: The settings of the service.
    ///   - mapError: A closure that converts each failure of a request into the service's own error.
    public init(_ settings: RequestSettings, mapError: @escaping @Sendable (any Error) -> Failure) {
        self.settings = settings
        self.mapError = mapError
    }

    /// Creates a service. ``RequestSettings`` documents the settings; those that are omitted are not set.
    ///
    /// The closure `mapError` converts each failure of a request into the service's own error, after the
    /// `errorDocument` was decoded.
    public init(
        baseURL: BaseURL? = nil, headers: HeaderFields = [:], session: (any Transport)? = nil,
        interceptors: InterceptorList = [], retryPolicy: RetryPolicy? = nil, hook: RequestHook? = nil,
        decoder: (any DataDecoder)? = nil, encoder: (any DataEncoder)? = nil,
        acceptedStatusCodes: StatusCodes? = nil, acceptedContentTypes: [ContentType]? = nil,
        errorDocument: (any (Decodable & Sendable).Type)? = nil, timeoutInterval: TimeInterval? = nil,
        resourceTimeout: Duration? = nil, maximumBodySize: Int? = nil, redirectPolicy: RedirectPolicy? = nil,
        priority: RequestPriority? = nil, cachePolicy: URLRequest.CachePolicy? = nil,
        asynchronousHeaders: AsynchronousHeaderFields? = nil, observers: [any ExchangeObserver] = [],
        mapError: @escaping @Sendable (any Error) -> Failure
    ) {
        let settings = RequestSettings(
            baseURL: baseURL, headers: headers, session: session, interceptors: interceptors, retryPolicy: retryPolicy,
            hook: hook, decoder: decoder, encoder: encoder, acceptedStatusCodes: acceptedStatusCodes,
            acceptedContentTypes: acceptedContentTypes, errorDocument: errorDocument, timeoutInterval: timeoutInterval,
            resourceTimeout: resourceTimeout, maximumBodySize: maximumBodySize, redirectPolicy: redirectPolicy,
            priority: priority, cachePolicy: cachePolicy, asynchronousHeaders: asynchronousHeaders,
            observers: observers)
        self.init(settings, mapError: mapError)
    }

    /// Returns a request to this service, which is sent once for all tasks that wait for its response.
    ///
    /// ```swift
    /// let users = try await service.send(.get("/users", as: [User].self)).value
    /// ```
    ///
    /// Nothing is sent until a task waits.
    ///
    /// - Parameters:
    ///   - endpoint: The request.
    ///   - stub: The response that replaces the transport's in tests; see ``Stubbable``.
    public func send<Output>(
        _ endpoint: Endpoint<Output>, stub: Pipeline<DataResponse, any Error>? = nil
    ) -> ScheduledRequest<Output, Failure> {
        endpoint.schedule(with: self, stub: stub)
    }

    /// Sends the request of a class with this service: a short form of ``Request/schedule(with:)``.
    public func send<Leaf: Request>(_ request: Leaf) -> ScheduledRequest<Leaf.Output, Failure>
    where Leaf.Output: Sendable {
        request.schedule(with: self)
    }

    /// Sends a request with this service and returns its value, also that of `any Request`:
    ///
    /// ```swift
    /// let requests: [any Request] = [RenameShelf(7, to: "New"), DeleteBook(3)]
    /// for request in requests { _ = try await library.value(of: request) }
    /// ```
    ///
    /// - Throws: The error of the service. Cancelling the calling task cancels the request.
    public func value<Leaf: Request>(of request: Leaf) async throws(Failure) -> Leaf.Output {
        try await request.start(with: self).value
    }

    /// Sends a request with this service and returns its value, also that of `any EndpointRequest`.
    ///
    /// - Throws: The error of the service. Cancelling the calling task cancels the request.
    public func value<Value: EndpointRequest>(of request: Value) async throws(Failure) -> Value.Output {
        try await request.start(with: self).value
    }

    /// Decodes the service's error document for a failure of a request, and converts the failure into the service's own
    /// error.
    package func failure(_ error: any Error) -> Failure {
        mapError(error.decodingDocument(settings.errorDocument))
    }
}

extension APIService where Failure == any Error {
    /// Creates a service from a value with its settings. Its requests fail with the original errors.
    public init(_ settings: RequestSettings) {
        self.init(settings) { $0 }
    }

    /// Creates a service whose requests fail with the original errors. ``RequestSettings`` documents the settings;
    /// those that are omitted are not set.
    public init(
        baseURL: BaseURL? = nil, headers: HeaderFields = [:], session: (any Transport)? = nil,
        interceptors: InterceptorList = [], retryPolicy: RetryPolicy? = nil, hook: RequestHook? = nil,
        decoder: (any DataDecoder)? = nil, encoder: (any DataEncoder)? = nil,
        acceptedStatusCodes: StatusCodes? = nil, acceptedContentTypes: [ContentType]? = nil,
        errorDocument: (any (Decodable & Sendable).Type)? = nil, timeoutInterval: TimeInterval? = nil,
        resourceTimeout: Duration? = nil, maximumBodySize: Int? = nil, redirectPolicy: RedirectPolicy? = nil,
        priority: RequestPriority? = nil, cachePolicy: URLRequest.CachePolicy? = nil,
        asynchronousHeaders: AsynchronousHeaderFields? = nil, observers: [any ExchangeObserver] = []
    ) {
        self.init(
            baseURL: baseURL, headers: headers, session: session, interceptors: interceptors, retryPolicy: retryPolicy,
            hook: hook, decoder: decoder, encoder: encoder, acceptedStatusCodes: acceptedStatusCodes,
            acceptedContentTypes: acceptedContentTypes, errorDocument: errorDocument, timeoutInterval: timeoutInterval,
            resourceTimeout: resourceTimeout, maximumBodySize: maximumBodySize, redirectPolicy: redirectPolicy,
            priority: priority, cachePolicy: cachePolicy, asynchronousHeaders: asynchronousHeaders,
            observers: observers, mapError: { $0 })
    }
}

extension APIService: Confidential {
    /// The base URL without secrets, and the names of the header fields.
    public var description: String {
        "APIService(\(settings.baseURL?.description ?? "no base URL"), headers: \(settings.headers))"
    }
}

extension Error {
    /// Returns this error with an error document decoded from its body, unless it has one already.
    func decodingDocument(_ type: (any (Decodable & Sendable).Type)?) -> any Error {
        guard let type, (self as? ErrandError)?.payload == nil else { return self }
        return decodingPayload(type)
    }
}
