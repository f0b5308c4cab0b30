/// Asynchronous work that has not started, and that ends with one value or one failure.
///
/// A pipeline is cold: creating it and applying operators does nothing. A run begins when the pipeline's `value` or
/// ``result`` is awaited, or with ``sink(receiveCompletion:receiveValue:)``. Each run is a new one, except with
/// ``share()``.
///
/// ```swift
/// let users = try await UsersRequest().start().value
/// let names = UsersRequest().start().map { $0.map(\.name) }
/// ```
///
/// It runs in the isolation of the task that awaits it, except the work for which an operator starts a task, such as
/// ``share()``. On the main actor, immediate values pass through their operators without leaving the actor. Cancelling
/// the awaiting task cancels the run, unless other tasks share it. Work with several values is an `AsyncSequence`, not
/// a pipeline.
///
/// The hot path is inlinable, so that operators are specialized for the types with which they are used.
@frozen
public struct Pipeline<Output, Failure: Error>: Sendable {
    /// The source of the value. Operators that do not have to wait keep an immediate source immediate, so that the run
    /// does not suspend.
    @usableFromInline
    @frozen
    enum Source: Sendable {
        case immediate(@Sendable () throws(Failure) -> Output)
        case suspending(@Sendable () async throws(Failure) -> Output)
    }

    @usableFromInline let source: Source

    /// Creates a pipeline that calls an async closure for each run.
    ///
    /// - Parameter body: The work. It is cancelled with the task that awaits the pipeline, and should then end soon.
    @inlinable
    public init(_ body: @escaping @Sendable () async throws(Failure) -> Output) {
        source = .suspending(body)
    }

    @inlinable
    init(immediate body: @escaping @Sendable () throws(Failure) -> Output) {
        source = .immediate(body)
    }

    /// Runs the pipeline and returns its value.
    ///
    /// Cancelling the awaiting task cancels the work, unless other tasks share it. The source determines when this then
    /// throws, and which error: a request fails immediately with ``ErrandError/Code-swift.struct/cancelled``.
    ///
    /// - Throws: The failure of the source or of an operator.
    @inlinable public var value: Output {
        get async throws(Failure) {
            switch source {
            case .immediate(let run): try run()
            case .suspending(let run): try await run()
            }
        }
    }

    /// Runs the pipeline and returns its value or its failure, as `value` does, without throwing.
    @inlinable public var result: Result<Output, Failure> {
        get async {
            do throws(Failure) {
                return .success(try await value)
            } catch {
                return .failure(error)
            }
        }
    }

    /// Returns a pipeline that calls a closure before each run. If the closure throws, its error is the failure, and
    /// the run does not start.
    func preceded(by first: @escaping @Sendable () throws(Failure) -> Void) -> Pipeline {
        switch source {
        case .immediate(let run):
            Pipeline(
                immediate: { () throws(Failure) in
                    try first()
                    return try run()
                })
        case .suspending(let run):
            Pipeline { () async throws(Failure) in
                try first()
                return try await run()
            }
        }
    }
}

extension Pipeline where Failure == Never {
    /// Runs the pipeline, which cannot fail, and returns its value.
    ///
    /// It replaces the general property, on which Swift 6.3 crashes if the failure is `Never`.
    @inlinable public var value: Output {
        get async {
            switch await result {
            case .success(let value): value
            }
        }
    }
}

extension Pipeline {
    /// Returns a pipeline that transforms the value. A failure passes unchanged.
    ///
    /// Unlike with ``tryMap(_:)``, the closure cannot throw, and the type of the failure stays the same.
    @inlinable
    public func map<NewOutput>(
        _ transform: @escaping @Sendable (Output) -> NewOutput
    ) -> Pipeline<NewOutput, Failure> {
        switch source {
        case .immediate(let run):
            Pipeline<NewOutput, Failure>(immediate: { () throws(Failure) in transform(try run()) })
        case .suspending(let run):
            Pipeline<NewOutput, Failure> { () async throws(Failure) in transform(try await run()) }
        }
    }

    /// Returns a pipeline that transforms the value with a closure that may throw. A thrown error is the failure.
    ///
    /// Unlike with ``map(_:)``, the type of the failure becomes `any Error`.
    @inlinable
    public func tryMap<NewOutput>(
        _ transform: @escaping @Sendable (Output) throws -> NewOutput
    ) -> Pipeline<NewOutput, any Error> {
        switch source {
        case .immediate(let run):
            Pipeline<NewOutput, any Error>(immediate: { () throws(any Error) in try transform(try run()) })
        case .suspending(let run):
            Pipeline<NewOutput, any Error> { () async throws(any Error) in try transform(try await run()) }
        }
    }

    /// Returns a pipeline that transforms a failure, also into one of another type. A value passes unchanged.
    @inlinable
    public func mapError<NewFailure: Error>(
        _ transform: @escaping @Sendable (Failure) -> NewFailure
    ) -> Pipeline<Output, NewFailure> {
        switch source {
        case .immediate(let run):
            Pipeline<Output, NewFailure>(
                immediate: { () throws(NewFailure) in
                    do throws(Failure) { return try run() } catch { throw transform(error) }
                })
        case .suspending(let run):
            Pipeline<Output, NewFailure> { () async throws(NewFailure) in
                do throws(Failure) { return try await run() } catch { throw transform(error) }
            }
        }
    }
}

extension Pipeline where Failure == Never {
    /// Returns this pipeline, which cannot fail, with another type of failure, for use where that type is required.
    public func setFailureType<NewFailure: Error>(to failureType: NewFailure.Type) -> Pipeline<Output, NewFailure> {
        mapError { (_: Never) -> NewFailure in }
    }
}

extension Pipeline {
    /// Returns a pipeline that continues with a pipeline from the value. A failure passes unchanged.
    ///
    /// ```swift
    /// UserRequest(id: 7).start().flatMap { user in PostsRequest(user: user.id).start() }
    /// ```
    ///
    /// Cancelling cancels the pipeline that is running.
    public func flatMap<NewOutput>(
        _ transform: @escaping @Sendable (Output) -> Pipeline<NewOutput, Failure>
    ) -> Pipeline<NewOutput, Failure> {
        Pipeline<NewOutput, Failure> { () async throws(Failure) in try await transform(try await value).value }
    }

    /// Returns a pipeline that continues after a failure with a pipeline from the handler. A value passes unchanged.
    ///
    /// The handler also receives cancellation, which is a failure. Unlike ``replaceError(with:)``, the handler may
    /// return a pipeline that fails.
    public func `catch`<NewFailure: Error>(
        _ handler: @escaping @Sendable (Failure) -> Pipeline<Output, NewFailure>
    ) -> Pipeline<Output, NewFailure> {
        Pipeline<Output, NewFailure> { () async throws(NewFailure) in
            switch await result {
            case .success(let value): value
            case .failure(let failure): try await handler(failure).value
            }
        }
    }
}

extension Pipeline where Output: Sendable {
    /// Returns a pipeline that replaces any failure, including cancellation, with a value. The pipeline cannot fail.
    public func replaceError(with replacement: Output) -> Pipeline<Output, Never> {
        switch source {
        case .immediate(let run):
            Pipeline<Output, Never>(immediate: { () throws(Never) in (try? run()) ?? replacement })
        case .suspending(let run):
            Pipeline<Output, Never> { () async throws(Never) in (try? await run()) ?? replacement }
        }
    }
}

extension Pipeline {
    /// Returns a pipeline that calls closures during its runs, with the same outcome.
    ///
    /// The run waits for the closures, so they should be quick.
    ///
    /// - Parameters:
    ///   - receiveStart: Called when a run begins.
    ///   - receiveOutput: Called with the value.
    ///   - receiveCompletion: Called last, with the end of the run.
    ///   - receiveCancel: Called when the awaiting task is cancelled during the run, on the thread that cancels. If the
    ///     task was cancelled before, it is called before the other closures. It is never called for an immediate value
    ///     or failure. The completion still follows.
    public func handleEvents(
        receiveStart: (@Sendable () -> Void)? = nil,
        receiveOutput: (@Sendable (Output) -> Void)? = nil,
        receiveCompletion: (@Sendable (Completion<Failure>) -> Void)? = nil,
        receiveCancel: (@Sendable () -> Void)? = nil
    ) -> Pipeline {
        let started = receiveStart.map { start in preceded { () throws(Failure) in start() } } ?? self
        let cancellable = receiveCancel.map { started.onCancel($0) } ?? started
        return
            cancellable
            .map { output in
                receiveOutput?(output)
                receiveCompletion?(.finished)
                return output
            }
            .mapError { failure in
                receiveCompletion?(.failure(failure))
                return failure
            }
    }

    /// Calls the handler on cancellation. An immediate run ignores cancellation, so it is unchanged.
    private func onCancel(_ handler: @escaping @Sendable () -> Void) -> Pipeline {
        guard case .suspending(let run) = source else { return self }
        return Pipeline { () async throws(Failure) in
            let outcome = await withCancellationHandler {
                await Pipeline(run).result
            } onCancel: {
                handler()
            }
            return try outcome.get()
        }
    }

    /// Returns a pipeline that delays the value by `duration`. A failure is not delayed.
    ///
    /// Cancelling ends the delay. If `Failure` is `any Error` or ``ErrandError``, the run then fails with
    /// ``ErrandError/Code-swift.struct/cancelled``. Otherwise, it returns the value.
    ///
    /// - Parameters:
    ///   - duration: The length of the delay; zero or less for none.
    ///   - clock: The clock that measures the delay.
    public func delay(_ duration: Duration, clock: any Clock<Duration> = ContinuousClock()) -> Pipeline {
        Pipeline { () async throws(Failure) in
            let value = try await value
            do {
                if duration > .zero { try await clock.sleep(for: duration.bounded) }
            } catch {
                if let failure = ErrandError(.cancelled) as? Failure { throw failure }
            }
            return value
        }
    }
}
