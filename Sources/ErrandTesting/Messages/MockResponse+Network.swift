public import Errand

extension MockResponse {
    /// No answer, but the failure of a network: what ``RouteStubs`` make a request fail with.
    ///
    /// ```swift
    /// stubs.on(.get, "/books", inTurn: [.failure(.networkConnectionLost), .json(books)])
    /// ```
    ///
    /// A ``MockServer`` makes faults and not errors; it answers 500 with a text that says so. There, use a ``MockFault``.
    public static func failure(_ code: URLError.Code) -> MockResponse {
        var response = text(
            "A MockServer cannot fail with URLError \(code.rawValue): use a MockFault\n", statusCode: 500)
        response.failure = code
        return response
    }

    /// This response, which comes so much later.
    ///
    /// In ``RouteStubs`` a wait that is longer than the request's `timeoutInterval` or `resourceTimeout` ends with these, in
    /// `timedOut`, as it does over a network.
    ///
    /// - Parameters:
    ///   - latency: How long it takes, before anything of it is sent; zero and less is no time.
    ///   - clock: Who tells the time; by default the clock of the ``RouteStubs``, and in a ``MockServer`` real time.
    public func after(_ latency: Duration, clock: (any Clock<Duration>)? = nil) -> MockResponse {
        var response = self
        response.latency = Latency(duration: max(latency.bounded, .zero), clock: clock)
        return response
    }

    /// This response, after as long as it takes, for a server.
    func whenItComes() async throws -> MockResponse {
        if let latency { try await (latency.clock ?? ContinuousClock()).sleep(for: latency.duration) }
        return self
    }

    /// How much later a response comes, and by which clock.
    struct Latency: Sendable {
        let duration: Duration
        let clock: (any Clock<Duration>)?
    }
}
