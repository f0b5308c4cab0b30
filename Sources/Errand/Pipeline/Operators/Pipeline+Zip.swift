extension Pipeline where Output: Sendable {
    /// Returns a pipeline that runs two pipelines at once and pairs their values.
    ///
    /// The first failure cancels the other run and is the failure of the whole. The result of the other run is
    /// discarded without waiting for it.
    public func zip<Second: Sendable>(
        _ second: Pipeline<Second, Failure>
    ) -> Pipeline<(Output, Second), Failure> {
        Pipeline<(Output, Second), Failure> { () async throws(Failure) in
            // If the task is already cancelled, new tasks would start their work before they are cancelled.
            if Task.isCancelled { return (try await value, try await second.value) }
            // Unstructured: `async let` would lose the type of the failure, and a task group would wait for a run that
            // ignores its cancellation.
            let pair = PairInProgress<Output, Second, Failure>()
            let tasks = [
                Task { pair.settle(await result) { $0.first = $1 } },
                Task { pair.settle(await second.result) { $0.second = $1 } },
            ]
            let cancelBoth: @Sendable () -> Void = { for task in tasks { task.cancel() } }
            pair.promise.onCancel(cancelBoth)
            defer { cancelBoth() }
            return try await pair.promise.value
        }
    }

    /// Returns a pipeline that runs three pipelines at once and groups their values.
    ///
    /// The first failure cancels the other runs and is the failure of the whole. The results of the other runs are
    /// discarded without waiting for them.
    public func zip<Second: Sendable, Third: Sendable>(
        _ second: Pipeline<Second, Failure>, _ third: Pipeline<Third, Failure>
    ) -> Pipeline<(Output, Second, Third), Failure> {
        zip(second.zip(third)).map { ($0, $1.0, $1.1) }
    }
}

/// The values of two concurrent runs, with a promise that both values, or a failure, resolve.
private struct PairInProgress<First: Sendable, Second: Sendable, Failure: Error>: Sendable {
    struct Halves {
        var first: First?
        var second: Second?
    }

    let promise = PipelinePromise<(First, Second), Failure>()
    private let halves = Locked(Halves())

    func settle<Value: Sendable>(
        _ result: Result<Value, Failure>, _ store: @Sendable (inout Halves, Value) -> Void
    ) {
        switch result {
        case .failure(let failure):
            promise.resolve(with: .failure(failure))
        case .success(let value):
            let (first, second) = halves.withLock { halves in
                store(&halves, value)
                return (halves.first, halves.second)
            }
            if let first, let second { promise.resolve(with: .success((first, second))) }
        }
    }
}
