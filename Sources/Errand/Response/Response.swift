/// The response to a scheduled request: sent once, however many wait for it.
///
/// ```swift
/// let response = UsersRequest().schedule()
/// async let names = response.value.map(\.name)
/// async let count = response.value.count
/// ```
///
/// Nothing is sent until someone waits. Whoever comes later gets the stored outcome. One waiter that is cancelled
/// leaves the others alone; when the last one leaves, the request is cancelled, for good.
public struct Response<Output: Sendable, Failure: Error>: Sendable {
    /// The shared run as a pipeline, for operators: what is attached runs for each waiter, the request does not.
    public let pipeline: Pipeline<Output, Failure>

    init(_ pipeline: Pipeline<Output, Failure>) {
        self.pipeline = pipeline.share()
    }

    /// Waits for the value; see ``Pipeline/value``.
    public var value: Output {
        get async throws(Failure) { try await pipeline.value }
    }

    /// Waits for the value or the failure; see ``Pipeline/result``.
    public var result: Result<Output, Failure> {
        get async { await pipeline.result }
    }
}

extension Response where Failure == Never {
    /// Waits for the value of a request that cannot fail; see ``Pipeline/value``.
    public var value: Output {
        get async { await pipeline.value }
    }
}
