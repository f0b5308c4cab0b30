public import Errand

extension MockResponse {
    /// A network failure in place of a response, for ``RouteStubs``.
    ///
    /// ```swift
    /// stubs.on(.get, "/books", inTurn: [.failure(.networkConnectionLost), .json(books)])
    /// ```
    ///
    /// A `MockServer` cannot send it: it responds with 500 and a text that says so. Use a ``MockFault`` there.
    public static func failure(_ code: URLError.Code) -> MockResponse {
        var response = text(
            "A MockServer cannot fail with URLError \(code.rawValue): use a MockFault\n", statusCode: 500)
        response.failure = code
        return response
    }

    /// This response after a delay.
    ///
    /// In ``RouteStubs``, if the delay is not shorter than the request's `timeoutInterval` or `resourceTimeout`, the
    /// request fails with `timedOut` after that time, as over a network.
    ///
    /// - Parameters:
    ///   - latency: The delay before the response; a negative value counts as zero, and the maximum is a hundred years.
    ///   - clock: The clock for the delay; by default the clock of the ``RouteStubs``, and real time in a
    ///     `MockServer`.
    public func after(_ latency: Duration, clock: (any Clock<Duration>)? = nil) -> MockResponse {
        var response = self
        response.latency = Latency(duration: max(latency.bounded, .zero), clock: clock)
        return response
    }

    /// Returns this response after its delay, for a server.
    package func afterLatency() async throws -> MockResponse {
        if let latency { try await (latency.clock ?? ContinuousClock()).sleep(for: latency.duration) }
        return self
    }

    /// The delay of a response and its clock.
    struct Latency: Sendable {
        let duration: Duration
        let clock: (any Clock<Duration>)?
    }
}
