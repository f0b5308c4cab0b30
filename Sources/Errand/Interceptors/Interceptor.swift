/// A step through which every request of an API passes: retries, authentication, caching, logging, or a custom step.
///
/// An interceptor stands between a request and its transport. It receives the request and may change it. It calls
/// `next` never, once or several times, and returns the response of `next` or another one.
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
/// Interceptors run in the order of ``APIBase/interceptors``, the first outermost, for each attempt of an
/// ``APIBase/retryPolicy``. Those of an ``APIService`` come after those of the class. Those that share responses, such
/// as a cache, run after all that may add credentials; see ``placement``. A stub replaces only the transport, so that
/// interceptors also run in tests. Validation and decoding follow after them.
///
/// An interceptor with state, such as tokens, a cache or a budget, protects it with an actor or a lock. Store it as one
/// value that all requests share.
public protocol Interceptor: Sendable {
    /// Sends a request with `next`, or returns another response.
    ///
    /// A request whose ``TransportRequest/streamsResponse`` is `true` receives a response whose body is read as it
    /// arrives. An interceptor that inspects only status and header fields handles both kinds in the same way. One that
    /// needs the whole body collects it with ``DataResponse/collected(upTo:)``, or returns streamed responses
    /// unchanged.
    ///
    /// An interceptor must not change the method of a request. A body that can be read only once is sent once: a second
    /// `next` fails with ``ErrandError/Code-swift.struct/bodyStreamAlreadyOpened``.
    ///
    /// - Throws: The error with which the request fails, usually the ``ErrandError`` of `next`. Cancelling the calling
    ///   task cancels `next`.
    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse

    /// The place beside interceptors that share responses; by default ``InterceptorPlacement/beforeSharing``.
    ///
    /// An interceptor that must run after a cache, such as a limit of what is sent, returns
    /// ``InterceptorPlacement/asListed``. If it adds credentials there, it returns
    /// ``InterceptorPlacement/signing(user:)``. The value must not change.
    var placement: InterceptorPlacement { get }
}

/// The place of an interceptor beside those that share responses among requests, such as ``HTTPCache``.
///
/// A response must not reach another user than the one whose credentials were sent for it. Therefore interceptors that
/// share responses run after all that may add credentials, whichever lists they stand in: those of the class, the
/// endpoint and the service are one list, in which every interceptor with ``beforeSharing`` moves before the first one
/// with ``sharing``. All others keep their order.
public enum InterceptorPlacement: Hashable, Sendable {
    /// Before all interceptors that share responses, because it may add credentials. This is the default.
    case beforeSharing
    /// The interceptor shares responses, and so runs after all that may add credentials.
    case sharing
    /// As listed, also after interceptors that share responses. The interceptor adds no credentials: it is a limit or a
    /// log, for example.
    case asListed
    /// As listed, also after interceptors that share responses. The interceptor adds credentials that are different for
    /// each request, such as a signature. Requests share a response only if their users are equal.
    ///
    /// - Parameter user: A text that identifies the user and stays the same, such as the ID of a key.
    case signing(user: String)
}

extension Interceptor {
    /// Before interceptors that share responses.
    public var placement: InterceptorPlacement { .beforeSharing }
}

extension [any Interceptor] {
    /// These interceptors, with those that may add credentials before the first one that shares responses.
    var inOrder: [any Interceptor] {
        guard let first = firstIndex(where: { $0.placement == .sharing }) else { return self }
        let rest = self[first...]
        return self[..<first] + rest.filter { $0.placement == .beforeSharing }
            + rest.filter { $0.placement != .beforeSharing }
    }

    /// The users for whom interceptors sign.
    var signingUsers: [String] { compactMap { if case .signing(let user) = $0.placement { user } else { nil } } }
}

/// The rest of a request's path: the interceptors after this one, and the transport or the stub.
public struct Next: Sendable {
    private let send: @Sendable (TransportRequest) async throws -> DataResponse

    /// Creates a path that consists of a closure, for tests of an interceptor.
    public init(_ send: @escaping @Sendable (TransportRequest) async throws -> DataResponse) {
        self.send = send
    }

    /// Sends the request. Each call sends it again.
    ///
    /// - Throws: An ``ErrandError`` of the transport, or the error of an interceptor.
    public func callAsFunction(_ request: TransportRequest) async throws -> DataResponse {
        try await send(request)
    }

    /// Returns this path with other interceptors before it, the first outermost. If an interceptor returns a streamed
    /// response to a request that does not stream, the response is collected.
    package func preceded(by interceptors: [any Interceptor]) -> Next {
        var mayGainCredentials = false
        return interceptors.reversed().reduce(self) { next, interceptor in
            let gains = mayGainCredentials
            if interceptor.placement == .beforeSharing { mayGainCredentials = true }
            return Next { request in
                let response = try await interceptor.intercept(request.with(mayGainCredentials: gains), next: next)
                return request.streamsResponse
                    ? response : try await response.collected(upTo: request.maximumBodySize)
            }
        }
    }
}

/// The way in which the body of a response ended.
package enum BodyEnd: Sendable {
    /// The body was read to its end.
    case whole
    /// The body failed before its end.
    case failed(any Error)
    /// The last reader released the body.
    case released
}

extension DataResponse {
    /// Returns this response, and calls `done` once: immediately for a collected body, and when a streamed body ends,
    /// fails or is released.
    ///
    /// - Parameter done: A closure that receives how the body ended, and the number of bytes read. It is called by the
    ///   task that reads, or on the thread that releases the body.
    package func watched(_ done: @escaping @Sendable (BodyEnd, _ count: Int) -> Void) -> DataResponse {
        guard body.isStreamed else {
            done(.whole, data.count)
            return self
        }
        let watch = BodyWatch(body, done)
        var response = self
        // `data` has the bytes that were read ahead. The reader returns them again, so they are counted too.
        response.body = ResponseBody(prefix: data) { try await watch.next() }
        return response
    }
}

/// A wrapper that forwards a body and reports its end once, at the latest when it is released.
private final class BodyWatch: Sendable {
    typealias Done = @Sendable (BodyEnd, _ count: Int) -> Void

    /// The state is not a tuple: a closure in a tuple is wrapped again at each lock, until the wrappers overflow the
    /// stack.
    private struct State: Sendable {
        var count = 0
        var done: Done?
    }

    private let reader: ResponseBody.Reader
    private let state: Locked<State>

    init(_ body: ResponseBody, _ done: @escaping Done) {
        reader = body.reader
        state = Locked(State(done: done))
    }

    deinit {
        end(.released)
    }

    func next() async throws -> Data? {
        do {
            let piece = try await reader()
            if let piece {
                state.withLock { $0.count += piece.count }
            } else {
                end(.whole)
            }
            return piece
        } catch {
            end(.failed(error))
            throw error
        }
    }

    private func end(_ end: BodyEnd) {
        let (count, done) = state.withLock { state in
            defer { state.done = nil }
            return (state.count, state.done)
        }
        done?(end, count)
    }
}
