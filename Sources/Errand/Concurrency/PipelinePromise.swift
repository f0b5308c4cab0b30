/// A promise of one outcome, which any thread can resolve and one task awaits.
///
/// ``Pipeline/callback(_:)`` passes it to its closure. Only the first outcome counts; later ones are ignored.
public struct PipelinePromise<Output: Sendable, Failure: Error>: Sendable {
    @usableFromInline let state = Locked(PromiseState<Output, Failure>())

    @inlinable package init() {}

    /// Resolves the promise, unless it is already resolved.
    @inlinable
    public func resolve(with outcome: Result<Output, Failure>) {
        perform(state.withLock { $0.resolve(outcome) })
    }

    /// Registers a handler that is called when the awaiting task is cancelled before the promise is resolved.
    ///
    /// It is called at most once, on the thread that cancels. For a task that is already cancelled, it is called
    /// immediately, or when the task begins to wait. A second handler replaces the first, unless the first was already
    /// called.
    @inlinable
    public func onCancel(_ handler: @escaping @Sendable () -> Void) {
        perform(state.withLock { $0.setCancelHandler(handler) })
    }

    /// The value, which must be awaited only once.
    @inlinable package var value: Output {
        get async throws(Failure) { try await outcome.get() }
    }

    /// The outcome, which must be awaited only once. A cancelled task receives ``ErrandError`` with `cancelled` if
    /// `Failure` can express that; otherwise, it continues to wait.
    @inlinable package var outcome: Result<Output, Failure> {
        get async {
            await withCancellationHandler {
                await withUnsafeContinuation { continuation in
                    perform(state.withLock { $0.wait(continuation) })
                }
            } onCancel: {
                let failure = ErrandError(.cancelled) as? Failure
                perform(state.withLock { $0.cancel(failure: failure) })
            }
        }
    }

    @inlinable func perform(_ action: PromiseState<Output, Failure>.Action) {
        action.cancelHandler?()
        if let (waiter, outcome) = action.resume {
            waiter.resume(returning: outcome)
        }
    }
}

/// The state machine of ``PipelinePromise``. Each event returns an action, which the caller performs after it has
/// released the lock.
///
/// The promise, its state and ``Locked`` are inlinable, so that another product contains copies of them for its types.
/// Without the copies, each use looks up generic types while the program runs, which took 15 % of the CPU time of a
/// WebSocket's message.
@usableFromInline struct PromiseState<Output: Sendable, Failure: Error>: Sendable {
    @usableFromInline typealias Outcome = Result<Output, Failure>
    // Unlike a checked continuation, an unsafe one has a size that the compiler knows. Its use thus looks up no types
    // while the program runs. A waiter is removed from the state before it is resumed, so it is resumed once.
    @usableFromInline typealias Waiter = UnsafeContinuation<Outcome, Never>

    @usableFromInline struct Action {
        @usableFromInline var cancelHandler: (@Sendable () -> Void)?
        @usableFromInline var resume: (Waiter, Outcome)?
        /// A handler that is no longer needed. Releasing it may run other code, so it happens outside the lock.
        @usableFromInline var released: (@Sendable () -> Void)?

        @inlinable init(
            cancelHandler: (@Sendable () -> Void)? = nil, resume: (Waiter, Outcome)? = nil,
            released: (@Sendable () -> Void)? = nil
        ) {
            self.cancelHandler = cancelHandler
            self.resume = resume
            self.released = released
        }
    }

    @inlinable init() {}

    @usableFromInline var outcome: Outcome?
    @usableFromInline var waiter: Waiter?
    @usableFromInline var isCancelled = false
    @usableFromInline var cancelHandler: (@Sendable () -> Void)?

    @inlinable mutating func resolve(_ newOutcome: Outcome) -> Action {
        guard outcome == nil else { return Action() }
        outcome = newOutcome
        defer {
            waiter = nil
            cancelHandler = nil
        }
        return Action(resume: waiter.map { ($0, newOutcome) }, released: cancelHandler)
    }

    @inlinable mutating func wait(_ newWaiter: Waiter) -> Action {
        if let outcome { return Action(resume: (newWaiter, outcome)) }
        waiter = newWaiter
        return Action()
    }

    @inlinable mutating func setCancelHandler(_ handler: @escaping @Sendable () -> Void) -> Action {
        if isCancelled { return Action(cancelHandler: handler) }
        guard outcome == nil else { return Action() }
        defer { cancelHandler = handler }
        return Action(released: cancelHandler)
    }

    /// - Parameter failure: The failure with which the waiter ends now; `nil` if it continues to wait for an outcome.
    @inlinable mutating func cancel(failure: Failure?) -> Action {
        guard outcome == nil else { return Action() }
        isCancelled = true
        let handler = cancelHandler
        cancelHandler = nil
        var action = failure.map { resolve(.failure($0)) } ?? Action()
        action.cancelHandler = handler
        return action
    }
}

/// Runs an operation in the isolation of the caller, with a handler for the cancellation of its task.
///
/// The standard library's `withTaskCancellationHandler` runs the operation outside the caller's isolation, unless the
/// closure uses that isolation, as here. On an actor, functions that the operation calls would then run elsewhere, and
/// each wait would need two thread switches instead of one (Swift 6.3). Without an actor, this function costs about
/// 1,000 more instructions than the standard library's.
@inlinable
package func withCancellationHandler<Value>(
    isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Value,
    onCancel handler: @Sendable () -> Void
) async rethrows -> Value {
    try await withTaskCancellationHandler {
        _ = isolation
        return try await operation()
    } onCancel: {
        handler()
    }
}

/// Waits for work, at most until the waiting task is cancelled.
///
/// When the waiting task is cancelled, `work` is cancelled but not awaited, even if it ignores the cancellation.
///
/// - Throws: The error of `work`; ``ErrandError`` with `cancelled`.
package func waitingCancellably<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws
    -> Value
{
    if Task.isCancelled { throw ErrandError(.cancelled) }
    let promise = PipelinePromise<Value, any Error>()
    let task = Task { promise.resolve(with: await Result.catching(work)) }
    promise.onCancel { task.cancel() }
    return try await promise.value
}
