import Errand

/// A body of ``RouteStubs`` that is being read, one step at a time.
final class StubBody: Sendable {
    /// Guards the remaining steps. One task reads at a time.
    private let rest: Locked<ArraySlice<StubDelivery.Step>>
    private let timeLimit: StubTimeLimit

    init(_ steps: [StubDelivery.Step], _ timeLimit: StubTimeLimit) {
        rest = Locked(steps[...])
        self.timeLimit = timeLimit
    }

    /// Returns the next piece; `nil` at the end.
    func next() async throws -> Data? {
        while let step = rest.withLock({ $0.first }) {
            switch step {
            case .send(let data):
                advance()
                return data
            case .pause(let pause):
                try await Self.calling(pause)
                advance()
            case .stream(let chunks):
                guard let piece = try await Self.calling(chunks) else {
                    advance()
                    continue
                }
                if !piece.isEmpty { return piece }
            case .fail(let code): throw URLError(code)
            case .stall: try await timeLimit.stall()
            }
        }
        return nil
    }

    private func advance() {
        rest.withLock { _ = $0.popFirst() }
    }

    /// Calls a closure of the test, until the reader is cancelled. An error that is not a network failure is replaced
    /// by a lost connection.
    private static func calling<Value: Sendable>(
        _ closure: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        do {
            return try await waitingCancellably(closure)
        } catch let error where error is URLError || error is ErrandError || error is CancellationError {
            throw error
        } catch {
            throw URLError(.networkConnectionLost)
        }
    }
}

/// The time limit of a request for responses of ``RouteStubs``, as over a network.
struct StubTimeLimit: Sendable {
    private let limit: Duration
    private let clock: any Clock<Duration>

    init(_ request: TransportRequest, clock: any Clock<Duration>) {
        let idle = Duration(bounding: request.urlRequest.timeoutInterval)
        limit = max(min(idle, request.resourceTimeout ?? idle), .zero)
        self.clock = clock
    }

    /// Waits for the delay of a response.
    ///
    /// - Throws: A `URLError` with `timedOut` at the limit, if the delay is not shorter.
    func wait(_ latency: MockResponse.Latency?) async throws {
        guard let latency, latency.duration > .zero else { return }
        let clock = latency.clock ?? clock
        if latency.duration >= limit {
            try await clock.sleep(for: limit)
            throw URLError(.timedOut)
        }
        try await clock.sleep(for: latency.duration)
    }

    /// Waits until the limit and fails with `timedOut`.
    func stall() async throws {
        try await clock.sleep(for: limit)
        throw URLError(.timedOut)
    }
}
