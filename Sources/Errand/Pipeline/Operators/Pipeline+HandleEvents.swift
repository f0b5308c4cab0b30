extension Pipeline {
    /// Calls closures as the pipeline runs, and changes nothing.
    ///
    /// They are called in the course of the run, so they should be quick.
    ///
    /// - Parameters:
    ///   - receiveStart: Called as each run begins.
    ///   - receiveOutput: Called with the value.
    ///   - receiveCompletion: Called last, with how the run ended.
    ///   - receiveCancel: Called when the awaiting task is cancelled during the run, on the thread that cancels; the
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

    /// An immediate run is over before anyone could cancel it.
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
