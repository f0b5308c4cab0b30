/// An interceptor that calls a ``RequestHook`` before and after the interceptors that follow it.
///
/// ``APIBase/hook`` and ``RequestSettings/hook`` have a hook called before all other interceptors. List this
/// interceptor to use several hooks, or a hook that is called for each attempt. The outcome is then the
/// ``DataResponse`` or the failure at this place in the list.
public struct HookInterceptor: Interceptor {
    private let hook: any RequestHook
    private let clock: any Clock<Duration>
    private let reportsOutcome: Bool

    /// Creates an interceptor for a hook.
    ///
    /// - Parameters:
    ///   - hook: The hook to call.
    ///   - clock: The clock for the durations; `nil`, the default, for the hook's own clock.
    public init(_ hook: any RequestHook, clock: (any Clock<Duration>)? = nil) {
        self.init(hook, clock: clock ?? hook.clock, reportsOutcome: true)
    }

    init(_ hook: any RequestHook, clock: any Clock<Duration>, reportsOutcome: Bool) {
        self.hook = hook
        self.clock = clock
        self.reportsOutcome = reportsOutcome
    }

    /// Calls the hook, sends the request, and calls the hook with the outcome.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        let timeline = Timeline(clock)
        let result = await Result.catching { try await response(to: request, next: next) }
        if reportsOutcome {
            let head = (try? result.get()).map { ResponseHead(of: $0, to: request) }
            let value = result.map { $0 as any Sendable }
            await hook.report(
                RequestOutcome(request: request, head: head, result: value, duration: timeline.now))
            if Task.isCancelled { throw ErrandError(.cancelled).with(request: request.urlRequest) }
        }
        return try result.get()
    }

    private func response(to request: TransportRequest, next: Next) async throws -> DataResponse {
        if let response = try await waitingCancellably({ [hook] in try await hook.willSend(request) }) {
            return response.responding(to: request)
        }
        return try await next(request)
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
