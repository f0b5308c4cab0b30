extension Pipeline {
    /// Returns a pipeline that transforms the value. A failure passes unchanged.
    ///
    /// Unlike with ``tryMap(_:)``, the closure cannot throw, and the type of the failure stays the same.
    @inlinable
    public func map<NewOutput>(
        _ transform: @escaping @Sendable (Output) -> NewOutput
    ) -> Pipeline<NewOutput, Failure> {
        mapResult { result throws(Failure) in transform(try result.get()) }
    }
}

extension Pipeline {
    /// Returns a pipeline that transforms the value with a closure that may throw. A thrown error is the failure.
    ///
    /// Unlike with ``map(_:)``, the type of the failure becomes `any Error`.
    @inlinable
    public func tryMap<NewOutput>(
        _ transform: @escaping @Sendable (Output) throws -> NewOutput
    ) -> Pipeline<NewOutput, any Error> {
        mapResult { result throws(any Error) in try transform(try result.get()) }
    }
}

extension Pipeline {
    /// Returns a pipeline that transforms a failure, also into one of another type. A value passes unchanged.
    @inlinable
    public func mapError<NewFailure: Error>(
        _ transform: @escaping @Sendable (Failure) -> NewFailure
    ) -> Pipeline<Output, NewFailure> {
        mapResult { result throws(NewFailure) in try result.mapError(transform).get() }
    }
}

extension Pipeline where Failure == Never {
    /// Returns this pipeline, which cannot fail, with another type of failure, for use where that type is required.
    public func setFailureType<NewFailure: Error>(to failureType: NewFailure.Type) -> Pipeline<Output, NewFailure> {
        mapResult { result throws(NewFailure) in result.get() }
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
}

extension Pipeline {
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
        mapResult { result throws(Never) in (try? result.get()) ?? replacement }
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
    ///   - receiveCancel: Called when the awaiting task is cancelled during the run, on the thread that cancels. The
    ///     completion still follows.
    public func handleEvents(
        receiveStart: (@Sendable () -> Void)? = nil,
        receiveOutput: (@Sendable (Output) -> Void)? = nil,
        receiveCompletion: (@Sendable (Completion<Failure>) -> Void)? = nil,
        receiveCancel: (@Sendable () -> Void)? = nil
    ) -> Pipeline {
        let started = receiveStart.map { start in preceded { () throws(Failure) in start() } } ?? self
        let cancellable = receiveCancel.map { started.onCancel($0) } ?? started
        return cancellable.mapResult { result throws(Failure) in
            do throws(Failure) {
                let output = try result.get()
                receiveOutput?(output)
                receiveCompletion?(.finished)
                return output
            } catch {
                receiveCompletion?(.failure(error))
                throw error
            }
        }
    }

    /// Calls the handler on cancellation. An immediate run ends before it could be cancelled, so it is unchanged.
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
}

extension Pipeline {
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
