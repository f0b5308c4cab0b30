extension Pipeline {
    /// Runs the pipeline again when it fails, at once and at most so many more times; the last failure passes.
    ///
    /// Nothing is asked about the failure or about the request: use it where every failure is worth another try.
    /// A cancelled run is not tried again.
    ///
    /// - Parameter times: How many runs may follow the first; 0 or less adds none.
    public func retry(_ times: Int) -> Pipeline {
        switch source {
        case .immediate(let run):
            Pipeline(
                immediate: { () throws(Failure) in
                    for _ in 0..<max(times, 0) {
                        do throws(Failure) {
                            return try run()
                        } catch  where error.endsRetrying {
                            throw error
                        } catch {}
                    }
                    return try run()
                })
        case .suspending(let run):
            Pipeline { () async throws(Failure) in
                for _ in 0..<max(times, 0) {
                    do throws(Failure) {
                        return try await run()
                    } catch  where error.endsRetrying {
                        throw error
                    } catch {}
                }
                return try await run()
            }
        }
    }
}

extension Error {
    /// Whether trying again would only be refused again, since the caller has left.
    fileprivate var endsRetrying: Bool { isCancellation || Task.isCancelled }
}
