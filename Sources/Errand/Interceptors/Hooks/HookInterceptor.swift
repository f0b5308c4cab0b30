/// Calls a ``RequestHook`` around what is behind it in the list.
///
/// ``APIBase/hook`` and ``RequestSettings/hook`` put one in front of everything. List it among the interceptors to have several,
/// or one that is called for each attempt.
public struct HookInterceptor: Interceptor {
    private let hook: any RequestHook
    private let clock: any Clock<Duration>

    /// Calls a hook.
    ///
    /// - Parameters:
    ///   - hook: What is called.
    ///   - clock: Who tells how long it took; nil for the hook's own.
    public init(_ hook: any RequestHook, clock: (any Clock<Duration>)? = nil) {
        self.hook = hook
        self.clock = clock ?? hook.clock
    }

    /// Calls the hook, sends, and calls it again.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        let stopwatch = Stopwatch(clock)
        if let response = try await calling({ try await $0.willSend(request) }) {
            return response.answering(request)
        }
        var answer: DataResponse
        do {
            answer = try await next(request)
        } catch {
            let duration = stopwatch.elapsed
            try await tell(error, of: request, after: duration)
            throw error
        }
        let head = ResponseHead(of: answer, to: request)
        let duration = stopwatch.elapsed
        try await calling { try await $0.didReceive(head, for: request, duration: duration) }
        answer.decodeObservers.append { [hook] in hook.didDecode($0, from: $1, for: request) }
        return answer
    }

    private func tell(_ error: any Error, of request: TransportRequest, after duration: Duration) async throws {
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
    /// This answer, as a hook gives it in place of the server.
    fileprivate func answering(_ request: TransportRequest) -> DataResponse {
        var response = self
        response.source = .interceptor
        response.attempts = 0
        response.url = url ?? request.urlRequest.url
        response.method = method ?? request.urlRequest.httpMethod.map(RequestMethod.init(rawValue:))
        return response
    }
}

extension ResponseHead {
    /// The head of an answer of either kind.
    fileprivate init(of answer: DataResponse, to request: TransportRequest) {
        var response = answer.withoutStream
        response.url = response.url ?? request.urlRequest.url
        self.init(response)
    }
}
