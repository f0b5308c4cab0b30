extension Pipeline where Output: Sendable {
    /// Runs two pipelines at once and pairs their values.
    ///
    /// The first failure cancels the other and is the failure of both; what the other then says is dropped.
    public func zip<Second: Sendable>(
        _ second: Pipeline<Second, Failure>
    ) -> Pipeline<(Output, Second), Failure> {
        Pipeline<(Output, Second), Failure> { () async throws(Failure) in
            // `async let` would lose the type of the failure, and wait for the first before it sees the second fail.
            try await withTaskGroup(of: Half<Output, Second>.self) { group in
                group.addTask { .first(await result) }
                group.addTask { .second(await second.result) }
                return await pair(of: &group)
            }.get()
        }
    }

    /// Runs three pipelines at once and groups their values.
    ///
    /// The first failure cancels the others and is the failure of all; what the others then say is dropped.
    public func zip<Second: Sendable, Third: Sendable>(
        _ second: Pipeline<Second, Failure>, _ third: Pipeline<Third, Failure>
    ) -> Pipeline<(Output, Second, Third), Failure> {
        zip(second.zip(third)).map { ($0, $1.0, $1.1) }
    }

    private enum Half<First: Sendable, Second: Sendable>: Sendable {
        case first(Result<First, Failure>)
        case second(Result<Second, Failure>)
    }

    private func pair<Second: Sendable>(
        of group: inout TaskGroup<Half<Output, Second>>
    ) async -> Result<(Output, Second), Failure> {
        var first: Output?
        var second: Second?
        for await half in group {
            switch half {
            case .first(.success(let value)): first = value
            case .second(.success(let value)): second = value
            case .first(.failure(let failure)), .second(.failure(let failure)):
                group.cancelAll()
                return .failure(failure)
            }
            if let first, let second { return .success((first, second)) }
        }
        preconditionFailure("Both halves answer, each once")
    }
}
