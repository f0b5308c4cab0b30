/// The handshake of a connection that a request opens for another protocol, such as a WebSocket. Each call of
/// ``send()`` is a run of the request, with its settings, interceptors and hook.
package struct Handshake: Sendable {
    /// The request as it was built.
    package let request: URLRequest
    /// The settings that apply to the request.
    package let settings: RequestSettings
    private let runner: RequestRunner
    /// The service to which requests of the interceptors are also sent; `nil` without a service.
    private let scope = ServiceScope.current?.ofInterceptors

    fileprivate init(_ request: TransportRequest, _ settings: Shared<RequestSettings>, _ runner: RequestRunner) {
        self.request = request.urlRequest
        self.settings = settings.value
        self.runner = runner
    }

    /// Sends the request, and returns the head of the response.
    package func send() async throws -> DataResponse {
        try await keepingService { try await runner.pipeline.value }
    }

    /// Performs work whose requests go to the service of the handshake, or else of the task, unless they name another
    /// server.
    package func keepingService<Value>(_ work: () async throws -> Value) async rethrows -> Value {
        try await ServiceScope.$current.withValue(scope ?? .current, operation: work)
    }
}

extension APIBase {
    /// Builds the request of a handshake. Its base URL may have the scheme `ws` or `wss`.
    ///
    /// - Parameters:
    ///   - last: Interceptors after all others.
    ///   - makeTransport: Checks the request, and returns the transport of the handshakes: over the session, or over
    ///     the transport that replaces it in a test.
    package func startHandshake<UpgradeTransport: Transport>(
        last: [any Interceptor],
        over makeTransport: (TransportRequest, _ session: any Transport) throws -> UpgradeTransport
    ) throws -> (Handshake, UpgradeTransport) {
        do {
            return try startingOnce {
                let settings = resolvedSettings()
                var request = try starting(with: \.kind, .webSocket) { try builtTransportRequest() }
                request.opensWebSocket = true
                let session = TestedTransport.transport(over: settings.value.session ?? .platformDefault)
                let transport = try makeTransport(request, upgradeStub ?? session)
                let runner = RequestRunner(.success(request), settings, of: self, over: transport, last: last)
                return (Handshake(request, settings, runner), transport)
            }
        } catch {
            throw describing(error)
        }
    }
}

extension APIService {
    /// Calls `start` in the scope of this service.
    ///
    /// - Parameter server: The server that the request's endpoint names; `nil` for none.
    package func starting<Value>(_ request: APIBase, server: URL? = nil, _ start: () -> Value) -> Value {
        ServiceScope(self, for: request, server: server).start(start)
    }
}
