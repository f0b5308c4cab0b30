/// An interceptor that calls a ``RequestHook`` before and after the interceptors that follow it.
///
/// ``APIBase/hook`` and ``RequestSettings/hook`` add one before all other interceptors. List it yourself to use several
/// hooks, or a hook that is called for each attempt.
public struct HookInterceptor: Interceptor {
    private let hook: any RequestHook
    private let clock: any Clock<Duration>

    /// Creates an interceptor for a hook.
    ///
    /// - Parameters:
    ///   - hook: The hook to call.
    ///   - clock: The clock for the durations; `nil`, the default, for the hook's own clock.
    public init(_ hook: any RequestHook, clock: (any Clock<Duration>)? = nil) {
        self.hook = hook
        self.clock = clock ?? hook.clock
    }

    /// Calls the hook, sends the request, and calls the hook with the outcome.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        let stopwatch = Stopwatch(clock)
        if let response = try await calling({ try await $0.willSend(request) }) {
            return response.responding(to: request)
        }
        var response: DataResponse
        do {
            response = try await next(request)
        } catch {
            let duration = stopwatch.elapsed
            try await report(error, of: request, after: duration)
            throw error
        }
        let head = ResponseHead(of: response, to: request)
        let duration = stopwatch.elapsed
        try await calling { try await $0.didReceive(head, for: request, duration: duration) }
        response.decodeObservers.append { [hook] in hook.didDecode($0, from: $1, for: request) }
        return response
    }

    private func report(_ error: any Error, of request: TransportRequest, after duration: Duration) async throws {
        guard error.isCancellation || Task.isCancelled else {
            return try await calling { try await $0.didFail(error, for: request, duration: duration) }
        }
        Task { [hook] in try await hook.didFail(error, for: request, duration: duration) }
    }

    private func calling<Value: Sendable>(
        _ call: @escaping @Sendable (any RequestHook) async throws -> Value
    ) async throws -> Value {
        try await waitingCancellably { [hook] in try await call(hook) }
    }
}

extension DataResponse {
    /// This response, marked as the response of a hook in place of the server.
    fileprivate func responding(to request: TransportRequest) -> DataResponse {
        var response = self
        response.source = .interceptor
        response.attempts = 0
        response.url = url ?? request.urlRequest.url
        response.method = method ?? request.urlRequest.httpMethod.map(RequestMethod.init(rawValue:))
        return response
    }
}

extension ResponseHead {
    /// Creates the head of a buffered or streamed response.
    fileprivate init(of response: DataResponse, to request: TransportRequest) {
        var response = response.withoutStream
        response.url = response.url ?? request.urlRequest.url
        self.init(response)
    }
}
