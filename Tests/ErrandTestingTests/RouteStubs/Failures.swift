import Errand
import ErrandTesting
import Testing

/// Returns the error of a closure, which must have this type.
func thrown<Failure: Error>(
    _ type: Failure.Type = ErrandError.self, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async -> Failure? {
    do {
        try await body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    } catch let failure as Failure {
        return failure
    } catch {
        Issue.record("\(error) was thrown", sourceLocation: sourceLocation)
    }
    return nil
}
