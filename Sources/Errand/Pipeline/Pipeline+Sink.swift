extension Pipeline where Output: Sendable {
    /// Runs the pipeline now and calls back with what comes of it.
    ///
    /// ```swift
    /// let token = UsersRequest().start().sink { completion in
    ///     if case .failure(let error) = completion { print(error) }
    /// } receiveValue: { users in
    ///     print(users.count)
    /// }
    /// ```
    ///
    /// The closures run in the isolation they were written in: on the main actor when `sink` was called there.
    /// Cancelling on that actor means that nothing is called afterwards; a call under way elsewhere still ends.
    ///
    /// - Parameters:
    ///   - receiveCompletion: Called last, with how the run ended; not called after a cancel.
    ///   - receiveValue: Called with the value.
    /// - Returns: A token. Releasing it, or calling ``CancellationToken/cancel()``, cancels the run.
    public func sink(
        @_inheritActorContext
        receiveCompletion: @escaping @isolated(any) @Sendable (Completion<Failure>) -> Void,
        @_inheritActorContext
        receiveValue: @escaping @isolated(any) @Sendable (Output) -> Void
    ) -> CancellationToken {
        let task = Task {
            switch await result {
            case .success(let value):
                await Self.deliver(value, to: receiveValue, on: receiveValue.isolation)
                await Self.deliver(.finished, to: receiveCompletion, on: receiveCompletion.isolation)
            case .failure(let failure):
                await Self.deliver(.failure(failure), to: receiveCompletion, on: receiveCompletion.isolation)
            }
        }
        return CancellationToken { task.cancel() }
    }

    /// Asks on the closure's own actor whether the run was cancelled, so that no cancel can come in between.
    private static func deliver<Value: Sendable>(
        _ value: Value, to receive: @isolated(any) @Sendable (Value) -> Void, on isolation: isolated (any Actor)?
    ) async {
        guard !Task.isCancelled else { return }
        await receive(value)
    }
}
