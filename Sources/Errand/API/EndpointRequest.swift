/// A request with a name and typed parameters, which an ``Endpoint`` describes.
///
/// ```swift
/// struct BookRequest: EndpointRequest {
///     let id: Int
///     var endpoint: Endpoint<Book> { .get("/books/\(id)") }
/// }
///
/// let book = try await BookRequest(id: 7).schedule(with: .staging).value
/// ```
///
/// An endpoint is such a request itself. A leaf of an API class is an object that inherits the settings of its API and
/// can have operators; an endpoint request is a `Sendable` value. Both are sent by an ``APIBase``, with the same
/// checks, interceptors, stubs and errors.
public protocol EndpointRequest<Output>: Sendable, Stubbable {
    /// The type of the result.
    associatedtype Output: Sendable

    /// The request. It is read once for each start.
    var endpoint: Endpoint<Output> { get }
}

extension Endpoint: EndpointRequest {
    /// The endpoint itself.
    public var endpoint: Endpoint { self }
}

extension EndpointRequest {
    /// Builds the request for a service, so that it is sent once for all tasks that wait for its response.
    ///
    /// The service converts each failure into its own error.
    ///
    /// - Parameters:
    ///   - service: The destination of the request, and the settings it is sent with.
    ///   - stub: The response that replaces the transport's in tests; see ``Stubbable``.
    public func schedule<Failure>(
        with service: APIService<Failure>, stub: Pipeline<DataResponse, any Error>? = nil
    ) -> ScheduledRequest<Output, Failure> {
        APIBase(stub: stub).send(typedEndpoint, with: service)
    }

    /// Builds the request for a service, and returns a pipeline that sends it each time it runs.
    ///
    /// Use it for operators that send the request again, such as `retry(_:)`; ``schedule(with:stub:)`` sends it once.
    /// The hook receives the outcome of each run, before the response is validated and decoded.
    ///
    /// - Parameters:
    ///   - service: The destination of the request, and the settings it is sent with.
    ///   - stub: The response that replaces the transport's in tests; see ``Stubbable``.
    public func start<Failure>(
        with service: APIService<Failure>, stub: Pipeline<DataResponse, any Error>? = nil
    ) -> Pipeline<Output, Failure> {
        APIBase(stub: stub).start(typedEndpoint, with: service)
    }

    /// Builds a request that needs no service, so that it is sent once for all tasks that wait for its response.
    ///
    /// It needs a ``Endpoint/url`` or its own ``RequestSettings/baseURL``. Without either, it fails with
    /// ``ErrandError/Code-swift.struct/missingBaseURL``. Started by code that a request to a service runs, it goes to
    /// that service instead.
    ///
    /// - Parameter stub: The response that replaces the transport's in tests; see ``Stubbable``.
    public func schedule(stub: Pipeline<DataResponse, any Error>? = nil) -> ScheduledRequest<Output, any Error> {
        APIBase(stub: stub).send(typedEndpoint)
    }
}

extension EndpointRequest {
    /// The endpoint with the type of this request, unless it is one itself.
    var typedEndpoint: Endpoint<Output> {
        var endpoint = endpoint
        if Self.self != Endpoint<Output>.self { endpoint.requestType = Self.self }
        return endpoint
    }
}

extension APIBase {
    /// Builds a request with the settings and checks of this class, so that it is sent once for all tasks that wait for
    /// its response.
    ///
    /// ```swift
    /// let shelf = try await LibraryAPI().send(.get("/shelves/7", as: Shelf.self)).value
    /// ```
    ///
    /// The endpoint takes the place of ``path``, ``method`` and ``body``, and of ``url`` if it names a server. Its
    /// query and its header fields are added to those of the class, its settings come first, and ``startRequest()`` of
    /// the class validates the response. The object may send any number of requests.
    public final func send<Output>(_ endpoint: Endpoint<Output>) -> ScheduledRequest<Output, any Error> {
        scheduled({ start(endpoint) }, mapError: { $0 })
    }

    /// Builds a request with the settings and checks of this class for a service, such as staging.
    ///
    /// ``RequestSettings`` documents how the settings of endpoint, class and service combine. The service converts each
    /// failure into its own error.
    public final func send<Output, Failure>(
        _ endpoint: Endpoint<Output>, with service: APIService<Failure>
    ) -> ScheduledRequest<Output, Failure> {
        // The hook receives the outcome of the whole pipeline, including the decoding.
        scheduled({ pipeline(for: service, endpoint) }, mapError: { service.failure($0) })
    }

    /// Builds the request of an endpoint with the settings and checks of this class for a service, and returns a
    /// pipeline that sends it each time it runs.
    public final func start<Output, Failure>(
        _ endpoint: Endpoint<Output>, with service: APIService<Failure>
    ) -> Pipeline<Output, Failure> {
        pipeline(for: service, endpoint).mapError { service.failure($0) }
    }

    private func pipeline<Output>(
        for service: APIService<some Error>, _ endpoint: Endpoint<Output>
    ) -> Pipeline<Output, any Error> {
        pipeline(for: service, server: endpoint.server) { start(endpoint) }
    }

    /// Builds the request of an endpoint with the settings and checks of this class, and returns a pipeline that sends
    /// it each time it runs.
    ///
    /// Use it for operators that send the request again, such as `retry(_:)`; ``send(_:)`` sends it once.
    public final func start<Output>(_ endpoint: Endpoint<Output>) -> Pipeline<Output, any Error> {
        converted(Start(.response, of: self, endpoint: endpoint.undecoded)).decoding { try endpoint.decode($0) }
    }

    /// Creates an object that sends only endpoints.
    convenience init(stub: Pipeline<DataResponse, any Error>?) {
        self.init()
        dataTaskPipeline = stub
    }
}
