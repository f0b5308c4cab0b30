/// The handshake of a connection that a request opens for another protocol, such as a WebSocket. Each call of
/// ``send()`` is a run of the request, with its settings, interceptors and hook. It succeeds with status 101 alone.
package struct Handshake: Sendable {
    /// The request as it was built.
    package let request: URLRequest
    /// The settings that apply to the request.
    package let settings: RequestSettings
    private let plan: RunPlan
    /// The service to which requests of the interceptors are also sent; `nil` without a service.
    private let scope: ServiceScope?

    fileprivate init(_ start: Start, _ request: TransportRequest, _ settings: ResolvedSettings, _ plan: RunPlan) {
        self.request = request.urlRequest
        self.settings = settings.values
        self.plan = plan
        scope = start.service?.value.ofInterceptors
    }

    /// Sends the request, and returns the head of the response.
    package func send() async throws -> DataResponse {
        try await keepingService { try await plan.pipeline.value }
    }

    /// Performs work whose requests go to the service of the handshake, or else of the task, unless they name another
    /// server.
    package func keepingService<Value>(_ work: () async throws -> Value) async rethrows -> Value {
        try await ServiceScope.$current.withValue(scope ?? .current, operation: work)
    }

    /// Performs work that belongs to no run, although it may be started in one.
    package static func outsideOfRuns<Value>(_ work: () async throws -> Value) async rethrows -> Value {
        try await Run.outsideOfRuns(work)
    }
}

extension APIBase {
    /// Builds the request of a handshake. Its base URL may have the scheme `ws` or `wss`. ``startRequest()`` is not
    /// called.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint that is sent in place of the object's own request; `nil` for a leaf.
    ///   - last: Interceptors after all others.
    ///   - makeTransport: Checks the request, and returns the transport of the handshakes: over the session, or over
    ///     the transport that replaces it in a test.
    package func startHandshake<UpgradeTransport: Transport>(
        of endpoint: Endpoint<Void>?, last: [any Interceptor],
        over makeTransport: (TransportRequest, _ session: any Transport) throws -> UpgradeTransport
    ) throws -> (Handshake, UpgradeTransport) {
        try checkIsNotBuilding()
        let start = Start(.webSocket, of: self, endpoint: endpoint?.undecoded)
        return try building(start) {
            do {
                let request = try builtTransportRequest()
                let settings = resolvedSettings()
                let session = TestedTransport.transport(over: settings.values.session ?? .platformDefault)
                let transport = try makeTransport(request, upgradeStub ?? session)
                let plan = RunPlan(start, .success(request), settings, of: self, over: transport, last: last)
                return (Handshake(start, request, settings, plan), transport)
            } catch {
                throw describing(error)
            }
        }
    }

    /// The conversion of the failures of an endpoint, or of this object without one.
    package func failureConversion(of endpoint: Endpoint<Void>?) -> @Sendable (any Error) -> any Error {
        Start(.webSocket, of: self, endpoint: endpoint?.undecoded).conversion
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
