/// An observer of every request, which can also provide a response in place of the server: a log, metrics, a demo mode.
///
/// ```swift
/// hook = RequestHook(didEnd: { outcome in
///     print(outcome, "in", outcome.duration)
/// })
/// ```
///
/// A hook consists of two closures. The first is called before the request is sent, outside all interceptors and once
/// for all attempts of a ``RetryPolicy``, and may respond to the request. The second receives the outcome once. The
/// value of the outcome depends on how the request is started:
///
/// | started with | value of the outcome |
/// |---|---|
/// | `schedule()`, `schedule(with:)`, `send(_:)` | the output, `Void` too |
/// | a stream | the ``ResponseHead``, when the head was validated |
/// | a download | the ``DownloadedFile`` |
/// | a WebSocket | the ``DataResponse`` to each successful handshake |
/// | `start()`, awaited or with `sink` | the ``DataResponse`` that the settings accept, before operators |
///
/// The failure is the error that occurs in place of this value: that of the build, the transport, the validation or the
/// decoding. The request waits for the hook. A cancelled request fails immediately, and the hook receives the outcome
/// in a separate task.
public struct RequestHook: Sendable {
    let clock: any Clock<Duration>
    let willSend: @Sendable (TransportRequest) async throws -> DataResponse?
    let didEnd: @Sendable (RequestOutcome) async -> Void

    /// Creates a hook.
    ///
    /// - Parameters:
    ///   - clock: The clock that measures the durations.
    ///   - willSend: Called before the request is sent. A response that it returns is used in place of the server's,
    ///     with the source ``ResponseSource/interceptor``. By default, it returns `nil`, and the request is sent. If it
    ///     throws, the request fails with that error and is not sent.
    ///   - didEnd: Called once with the outcome of the request. Does nothing by default.
    public init(
        clock: any Clock<Duration> = ContinuousClock(),
        willSend: @escaping @Sendable (TransportRequest) async throws -> DataResponse? = { _ in nil },
        didEnd: @escaping @Sendable (RequestOutcome) async -> Void = { _ in }
    ) {
        self.clock = clock
        self.willSend = willSend
        self.didEnd = didEnd
    }

    /// Returns an interceptor that calls this hook before and after the interceptors that follow it.
    ///
    /// In contrast, the hook of ``APIBase/hook`` or ``RequestSettings/hook`` is called before all interceptors. List
    /// this interceptor to use several hooks, or a hook that is called for each attempt. The outcome is then the
    /// ``DataResponse`` or the failure at this place in the list, and a failure has no ``RequestOutcome/head``.
    public func asInterceptor() -> some Interceptor {
        HookInterceptor(hook: self, reportsOutcome: true)
    }
}

/// The outcome of a request, which its ``RequestHook`` receives.
public struct RequestOutcome: Sendable {
    /// The request; `nil` if it could not be built. The hook of a class or a service gets it as it was built, with its
    /// ``TransportRequest/urlRequest`` alone, and a hook's interceptor as the interceptor received it.
    public let request: TransportRequest?
    /// The head of the response to the last attempt, with the metrics of that attempt; `nil` if there was none.
    public let head: ResponseHead?
    /// The value, or the failure, usually an ``ErrandError``. The value may hold secrets.
    public let result: Result<any Sendable, any Error>
    /// The time since the request was started, or reached the hook's interceptor, including retries and waits.
    public let duration: Duration
}

extension RequestOutcome: Confidential {
    /// The request and the status, or the failure, without secrets: `GET https://api.example.com/users: 200`.
    public var description: String {
        switch result {
        case .success: "\(request?.description ?? "no request"): \(head.map { "\($0.statusCode)" } ?? "no response")"
        case .failure(let error as ErrandError): error.description
        case .failure(let error): "\(request?.description ?? "no request"): \(type(of: error))"
        }
    }
}

extension RequestHook {
    /// Reports an outcome in a separate task, which a cancellation of the request does not reach. Waits for the hook,
    /// unless the request is cancelled.
    func report(_ outcome: RequestOutcome) async {
        let reporting = Task { await didEnd(outcome) }
        if case .failure(let error) = outcome.result, error.isCancellation { return }
        try? await waitingCancellably { await reporting.value }
    }
}

/// An interceptor that calls a hook before and after the interceptors that follow it.
struct HookInterceptor: Interceptor {
    let hook: RequestHook
    /// Whether the hook receives the outcome here. If `false`, `RunReport` reports the outcome of the whole request.
    let reportsOutcome: Bool

    var placement: InterceptorPlacement { .asListed }

    /// Calls the hook, sends the request, and calls the hook with the outcome if it is reported here.
    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        let timeline = Timeline(hook.clock)
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
            return response.replacingServer(for: request)
        }
        return try await next(request)
    }
}

extension DataResponse {
    /// This response, marked as the response of a hook in place of the server.
    fileprivate func replacingServer(for request: TransportRequest) -> DataResponse {
        var response = self
        response.source = .interceptor
        response.attempts = 0
        response.url = url ?? request.urlRequest.url
        response.method = method ?? request.urlRequest.httpMethod.map(RequestMethod.init(rawValue:))
        return response
    }
}

extension ResponseHead {
    /// Creates the head of a response, with the URL of its request if it has none.
    fileprivate init(of response: DataResponse, to request: TransportRequest) {
        var response = response
        response.url = response.url ?? request.urlRequest.url
        self.init(response)
    }
}
