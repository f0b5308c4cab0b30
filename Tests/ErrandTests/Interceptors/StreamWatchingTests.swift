import TestSupport
import Testing

@testable import Errand

struct `A body that is watched` {
    /// Each piece once cost a little memory for good, and a level of the stack at the end.
    @Test(.timeLimit(.minutes(1))) func `may have any number of pieces`() async throws {
        let left = Locked(500_000)
        let body = ResponseBody {
            left.withLock { left in
                left -= 1
                return left >= 0 ? Data([1]) : nil
            }
        }
        let ends = Recorder<Int>()
        let response = DataResponse(statusCode: 200, headers: [:], body: body).watched { _, count in
            ends.record(count)
        }
        for try await _ in response.body {}
        #expect(ends.elements == [500_000])
    }
}
