import Errand

/// A body of ``RouteStubs`` while it is read: takes one step after the other.
final class StubBody: Sendable {
    /// Read by one task at a time; guards what is still to happen.
    private let rest: Locked<ArraySlice<StubDelivery.Step>>
    private let patience: StubPatience

    init(_ steps: [StubDelivery.Step], _ patience: StubPatience) {
        rest = Locked(steps[...])
        self.patience = patience
    }

    /// The next piece; nil at the end.
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
            case .stall: try await patience.stall()
            }
        }
        return nil
    }

    private func advance() {
        rest.withLock { _ = $0.popFirst() }
    }

    /// Calls a test's closure, no longer than the reader lives. What it throws is a lost connection, unless it is a network's
    /// failure itself.
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

/// How long a request waits for an answer of ``RouteStubs``: as long as it would for one over a network.
struct StubPatience: Sendable {
    private let limit: Duration
    private let clock: any Clock<Duration>

    init(_ request: TransportRequest, clock: any Clock<Duration>) {
        let idle = Duration(bounding: request.urlRequest.timeoutInterval)
        limit = max(min(idle, request.resourceTimeout ?? idle), .zero)
        self.clock = clock
    }

    /// Waits for an answer that takes so long.
    ///
    /// - Throws: A `URLError` where it takes too long, as late as that is known.
    func wait(_ latency: MockResponse.Latency?) async throws {
        guard let latency, latency.duration > .zero else { return }
        let clock = latency.clock ?? clock
        if latency.duration >= limit {
            try await clock.sleep(for: limit)
            throw URLError(.timedOut)
        }
        try await clock.sleep(for: latency.duration)
    }

    /// Waits for what does not come.
    func stall() async throws {
        try await clock.sleep(for: limit)
        throw URLError(.timedOut)
    }
}
