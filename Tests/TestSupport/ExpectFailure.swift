package import Errand
package import Foundation
package import Testing

/// Runs `body`, which must fail with an ``ErrandError`` of this code, and returns the error.
@discardableResult
package func expectFailure<Value>(
    _ code: ErrandError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
) async -> ErrandError? {
    do {
        _ = try await body()
        Issue.record("nothing was thrown, expected \(code)", sourceLocation: sourceLocation)
    } catch let error as ErrandError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        return error
    } catch {
        Issue.record("\(error) was thrown, expected \(code)", sourceLocation: sourceLocation)
    }
    return nil
}

/// Runs `body`, which must fail with `transportFailed` for this reason.
package func expectTransportFailure<Value>(
    _ code: URLError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
) async {
    let error = await expectFailure(.transportFailed, sourceLocation: sourceLocation, body)
    #expect((error?.underlyingError as? URLError)?.code == code, "\(error as Any)", sourceLocation: sourceLocation)
}
