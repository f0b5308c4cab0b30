import Errand
import TestSupport
import Testing

/// Runs `body`, which must fail with this error of the store.
func expectRefusal<Value>(
    _ code: ObjectStorageError.Code, status: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async {
    let error = await expectFailure(.unacceptableStatusCode, sourceLocation: sourceLocation, body)
    let said = error.map { String(decoding: $0.bodyPrefix, as: UTF8.self) } ?? ""
    #expect(error?.objectStorageError?.code == code, "\(said)", sourceLocation: sourceLocation)
    if let status { #expect(error?.statusCode == status, sourceLocation: sourceLocation) }
}
