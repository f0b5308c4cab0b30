import Synchronization

/// What the runs of one start tell the pipeline around them: the head of the latest response, and the hook that
/// receives the outcome.
///
/// Pagination recognizes a repeated page by the digest of its body.
final class RunReport: Sendable {
    private struct State: Sendable {
        var head: ResponseHead?
        var digest: Int?
        /// Whether ``digest`` is computed, which reads the whole body.
        var wantsDigest = false
        var settings: ResolvedSettings?
        var request: URLRequest?
        var called: CalledOperation?
    }

    private let state = Mutex(State())

    /// The head; `nil` if the latest run has no response yet, or none at all.
    var head: ResponseHead? { state.withLock { $0.head } }
    /// A digest that is equal for two responses with the same body; `nil` unless ``wantDigest()`` was called.
    var digest: Int? { state.withLock { $0.digest } }
    /// The settings of the request that was started last; `nil` if none was.
    var settings: RequestSettings? { state.withLock { $0.settings?.values } }

    /// Computes digests from now on.
    func wantDigest() {
        state.withLock { $0.wantsDigest = true }
    }

    /// Stores what was started.
    func start(_ request: URLRequest?, _ called: CalledOperation?, _ settings: ResolvedSettings) {
        state.withLock { ($0.request, $0.called, $0.settings) = (request, called, settings) }
    }

    /// Forgets the response of the previous run.
    func begin() {
        state.withLock { ($0.head, $0.digest) = (nil, nil) }
    }

    /// Stores the response with which a run ends; for a failed run, the response to its last attempt.
    func end(_ response: DataResponse) {
        let head = ResponseHead(response)
        let digest = state.withLock { $0.wantsDigest } ? Self.digest(of: response.data) : nil
        state.withLock { ($0.head, $0.digest) = (head, digest) }
    }

    /// A digest of all bytes; `Data`'s own hash uses only the first bytes.
    private static func digest(of data: Data) -> Int {
        var hasher = Hasher()
        data.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    /// Returns a pipeline that tells the hook the outcome of each run. It is the only place that does.
    ///
    /// - Parameter value: Returns the value that the hook receives.
    func reported<Output: Sendable, Failure>(
        _ pipeline: Pipeline<Output, Failure>, as value: @escaping @Sendable (Output) -> any Sendable = { $0 }
    ) -> Pipeline<Output, Failure> {
        let (hook, request, called) = state.withLock { ($0.settings?.values.hook, $0.request, $0.called) }
        guard let hook else { return pipeline }
        return Pipeline { () async throws(Failure) in
            let timeline = Timeline(hook.clock)
            let result = await pipeline.result
            await hook.report(
                RequestOutcome(
                    request: request.map { TransportRequest($0, calling: called) }, head: self.head,
                    result: result.map(value).mapError { $0 as any Error }, duration: timeline.now))
            // The task may have been cancelled while the hook was running.
            if Task.isCancelled {
                let error = request.map { ErrandError(.cancelled).with(request: $0) } ?? ErrandError(.cancelled)
                if let failure = error as? Failure { throw failure }
            }
            return try result.get()
        }
    }
}
