/// The end of a run of a pipeline.
public enum Completion<Failure: Error>: Sendable {
    /// The run ended with a value, which was delivered before.
    case finished
    /// The run ended with a failure.
    case failure(Failure)
}

extension Completion: Equatable where Failure: Equatable {}
