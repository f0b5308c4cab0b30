/// What cuts across requests: retrying, authentication, caching, logging, and whatever an API needs of its own.
///
/// An interceptor stands between a request and its transport. It gets the request, and may change it; it calls `next` no
/// time, once or many times; it returns what came, or something else.
///
/// ```swift
/// struct Versioned: Interceptor {
///     func intercept<Answer: HTTPResponse>(
///         _ request: TransportRequest, next: Next<Answer>
///     ) async throws -> Answer {
///         var request = request
///         request.urlRequest.setValue("2026-11-01", forHTTPHeaderField: "API-Version")
///         return try await next(request)
///     }
/// }
/// ```
///
/// They are run in the order in which ``APIBase/interceptors`` or ``Service/interceptors`` list them, the first outermost,
/// each time the request is sent; a stub stands where the transport was, so they run in tests as ever. Validation and
/// decoding come behind them. What keeps state (tokens, a cache, a budget) keeps it in an object behind its own lock or
/// in an actor, and is listed as one stored value that all requests share.
public protocol Interceptor: Sendable {
    /// Sends a request by way of `next`, or answers in its place.
    ///
    /// `Answer` is ``DataResponse``, or ``StreamedResponse`` for a request whose body is read as it comes: whoever looks
    /// at the head alone need not know which. To see whole bodies, conform to ``BufferingInterceptor``.
    ///
    /// - Throws: Whatever the request is to fail with: mostly the ``ErrandError`` that `next` threw. Cancelling the
    ///   calling task cancels `next`.
    func intercept<Answer: HTTPResponse>(_ request: TransportRequest, next: Next<Answer>) async throws -> Answer
}

/// An interceptor that looks at whole bodies; streamed answers pass it by.
public protocol BufferingInterceptor: Interceptor {
    /// Sends a request by way of `next`, or answers in its place.
    func intercept(_ request: TransportRequest, next: Next<DataResponse>) async throws -> DataResponse
}

extension BufferingInterceptor {
    /// Hands whole answers to the method that wants them, and leaves streams alone.
    public func intercept<Answer: HTTPResponse>(
        _ request: TransportRequest, next: Next<Answer>
    ) async throws -> Answer {
        guard let buffering = next as? Next<DataResponse> else { return try await next(request) }
        return Answer(try await intercept(request, next: buffering))
    }
}

/// The rest of a request's way: the interceptors behind this one, and the transport or the stub.
public struct Next<Answer: HTTPResponse>: Sendable {
    private let send: @Sendable (TransportRequest) async throws -> Answer

    /// A way that ends in a closure.
    public init(_ send: @escaping @Sendable (TransportRequest) async throws -> Answer) {
        self.send = send
    }

    /// Sends the request on; each call sends it once more.
    ///
    /// - Throws: An ``ErrandError`` from the transport, or what an interceptor threw.
    public func callAsFunction(_ request: TransportRequest) async throws -> Answer {
        try await send(request)
    }

    /// This way with interceptors in front of it, the first outermost.
    func preceded(by interceptors: [any Interceptor]) -> Next {
        interceptors.reversed().reduce(self) { next, interceptor in
            Next { try await interceptor.intercept($0, next: next) }
        }
    }
}
