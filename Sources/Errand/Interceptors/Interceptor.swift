/// A step that every request of an API passes: retrying, authentication, caching, logging, or one of your own.
///
/// An interceptor stands between a request and its transport. It receives the request and may change it; it calls `next`
/// never, once or several times; it returns the response of `next` or another one.
///
/// ```swift
/// struct Versioned: Interceptor {
///     func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
///         var request = request
///         request.urlRequest.setValue("2026-11-01", forHTTPHeaderField: "API-Version")
///         return try await next(request)
///     }
/// }
/// ```
///
/// Interceptors run in the order in which ``APIBase/interceptors`` lists them, the first outermost, each time the request is
/// sent; those of an ``APIService`` come after those of the class. A stub takes the place of the transport, so interceptors run
/// in tests too. Validation and decoding come after them. An interceptor with state (tokens, a cache, a budget) keeps it in
/// an actor or behind a lock, and is one stored value that all requests share.
public protocol Interceptor: Sendable {
    /// Sends a request with `next`, or returns a response in its place.
    ///
    /// A request whose ``TransportRequest/streamsResponse`` is `true` gets a response whose body is read as it arrives. An
    /// interceptor that looks at status and header fields treats both alike. One that needs the whole body collects it, with
    /// ``DataResponse/collected(upTo:)``, or passes streamed responses on.
    ///
    /// The method of a request stays what it is, and a body that can be read only once is sent once: a second `next` fails
    /// with ``ErrandError/Code-swift.struct/bodyStreamAlreadyOpened``.
    ///
    /// - Throws: What the request fails with, usually the ``ErrandError`` from `next`. Cancelling the calling task cancels
    ///   `next`.
    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse
}

/// The rest of a request's way: the interceptors after this one, and the transport or the stub.
public struct Next: Sendable {
    private let send: @Sendable (TransportRequest) async throws -> DataResponse

    /// A way that ends in a closure, for tests of an interceptor.
    public init(_ send: @escaping @Sendable (TransportRequest) async throws -> DataResponse) {
        self.send = send
    }

    /// Sends the request; each call sends it once more.
    ///
    /// - Throws: An ``ErrandError`` from the transport, or what an interceptor threw.
    public func callAsFunction(_ request: TransportRequest) async throws -> DataResponse {
        try await send(request)
    }

    /// This way after other interceptors, the first outermost. An interceptor that streams its own response to a request for a
    /// collected one has it collected.
    func preceded(by interceptors: [any Interceptor]) -> Next {
        interceptors.reversed().reduce(self) { next, interceptor in
            Next { request in
                let response = try await interceptor.intercept(request, next: next)
                return request.streamsResponse
                    ? response : try await response.collected(upTo: request.maximumBodySize)
            }
        }
    }
}
