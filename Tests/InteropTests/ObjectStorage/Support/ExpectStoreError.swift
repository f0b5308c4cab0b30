import Errand
import Testing

/// Runs `body`, which must fail with an `ErrandError`.
@discardableResult
func expectErrandError<Value>(
    _ code: ErrandError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
) async -> ErrandError? {
    do {
        _ = try await body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
        return nil
    } catch {
        let failure = error as? ErrandError
        #expect(failure?.code == code, "\(error)", sourceLocation: sourceLocation)
        return failure
    }
}

/// Runs `body`, which the store must refuse in these words.
func expectRefusal<Value>(
    _ code: ObjectStorageError.Code, status: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async {
    let error = await expectErrandError(.unacceptableStatusCode, sourceLocation: sourceLocation, body)
    let said = error.map { String(decoding: $0.bodyPrefix, as: UTF8.self) } ?? ""
    #expect(error?.objectStorageError?.code == code, "\(said)", sourceLocation: sourceLocation)
    if let status { #expect(error?.statusCode == status, sourceLocation: sourceLocation) }
}
