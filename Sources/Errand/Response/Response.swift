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
    private let observer: HeadObserver

    /// - Parameter mapError: What becomes of a failure; called for each waiter.
    init<Cause: Error>(
        _ pipeline: Pipeline<Output, Cause>, mapError: @escaping @Sendable (Cause) -> Failure
    ) {
        let observer = HeadObserver()
        let run = Pipeline<Output, Cause> { () async throws(Cause) in
            let told = HeadObserver.current.map { HeadObserver(telling: [observer, $0]) } ?? observer
            return try await HeadObserver.$current.withValue(told) { await pipeline.result }.get()
        }
        self.pipeline = run.share().mapError(mapError)
        self.observer = observer
    }

    /// The response to any pipeline: run once, however many wait for it.
    public init(_ pipeline: Pipeline<Output, Failure>) {
        self.init(pipeline) { $0 }
    }

    /// Waits for the value; see ``Pipeline/value``.
    public var value: Output {
        get async throws(Failure) { try await pipeline.value }
    }

    /// Waits for the value or the failure; see ``Pipeline/result``.
    public var result: Result<Output, Failure> {
        get async { await pipeline.result }
    }

    /// Waits for the head of the answer alone: status, header fields, metrics. Whoever waits for it is a waiter like any
    /// other.
    ///
    /// It is there for every answer, also where its status is refused or its body cannot be decoded; nil only where the
    /// value came without one.
    ///
    /// - Throws: What the request failed with when no answer came.
    public var head: ResponseHead? {
        get async throws(Failure) {
            let outcome = await pipeline.result
            if let head = observer.latest { return head }
            _ = try outcome.get()
            return nil
        }
    }
}

extension Response where Failure == Never {
    /// Waits for the value of a request that cannot fail; see ``Pipeline/value``.
    public var value: Output {
        get async { await pipeline.value }
    }
}
