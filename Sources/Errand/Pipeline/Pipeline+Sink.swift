extension Pipeline where Output: Sendable {
    /// Runs the pipeline immediately and passes its outcome to closures.
    ///
    /// ```swift
    /// let token = UsersRequest().start().sink { completion in
    ///     if case .failure(let error) = completion { print(error) }
    /// } receiveValue: { users in
    ///     print(users.count)
    /// }
    /// ```
    ///
    /// The closures run in the isolation in which they were written: on the main actor if `sink` was called there.
    /// After a cancellation on that actor, no closure is called. After a cancellation elsewhere, a closure that has
    /// already begun still completes.
    ///
    /// - Parameters:
    ///   - receiveCompletion: Called last, with the end of the run; not called after a cancellation.
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

    /// Checks on the closure's actor whether the run was cancelled, so that no cancellation on that actor can occur
    /// between the check and the call.
    private static func deliver<Value: Sendable>(
        _ value: Value, to receive: @isolated(any) @Sendable (Value) -> Void, on isolation: isolated (any Actor)?
    ) async {
        guard !Task.isCancelled else { return }
        await receive(value)
    }
}

/// The end of a run of a pipeline.
public enum Completion<Failure: Error>: Sendable {
    /// The run ended with a value, which was delivered before.
    case finished
    /// The run ended with a failure.
    case failure(Failure)
}

extension Completion: Equatable where Failure: Equatable {}

/// A token that cancels work when its last reference is released, or when ``cancel()`` is called.
public final class CancellationToken: Sendable {
    private let action: Locked<(@Sendable () -> Void)?>

    /// Creates a token.
    ///
    /// - Parameter cancel: The closure that cancels the work. It is called at most once, on the thread that cancels or
    ///   releases.
    public init(_ cancel: @escaping @Sendable () -> Void) {
        action = Locked(cancel)
    }

    deinit {
        cancel()
    }

    /// Cancels the work. Only the first call has an effect.
    public func cancel() {
        let cancel = action.withLock { action in
            defer { action = nil }
            return action
        }
        cancel?()
    }

    /// Stores this token in a collection, which keeps the work alive.
    public func store(in collection: inout some RangeReplaceableCollection<CancellationToken>) {
        collection.append(self)
    }

    /// Stores this token in a set, which keeps the work alive.
    public func store(in set: inout Set<CancellationToken>) {
        set.insert(self)
    }
}

extension CancellationToken: Hashable {
    /// Returns `true` if both are the same object.
    public static func == (one: CancellationToken, other: CancellationToken) -> Bool { one === other }

    /// Hashes the identity of the token.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
