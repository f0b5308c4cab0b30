/// How a run of a pipeline ended.
public enum Completion<Failure: Error>: Sendable {
    /// With a value, which was delivered before.
    case finished
    /// With this failure.
    case failure(Failure)
}

extension Completion: Equatable where Failure: Equatable {}
