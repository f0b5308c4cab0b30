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
