import Errand
import TestSupport
import Testing

/// Spellings that a new user is likely to try.
struct `A natural spelling` {
    private class LibraryAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://library.example.com")
            timeoutInterval = 0.5
            resourceTimeout = .milliseconds(300)
        }
    }

    private final class DeleteRequest: LibraryAPI, Request {
        func start() -> Pipeline<Void, any Error> { sendRequest().decode(Void.self) }
    }

    private func resourceTimeout(_ change: (DeleteRequest) -> Void = { _ in }) async throws -> Duration? {
        let transport = RecordingTransport(response: DataResponse(statusCode: 204))
        let request = DeleteRequest()
        request.session = transport
        change(request)
        try await request.start().value
        return try #require(transport.sent.elements.first).resourceTimeout
    }

    @Test func `resourceTimeout can be set to a Duration or nil`() async throws {
        let limit = Duration.seconds(9)
        #expect(try await resourceTimeout() == .milliseconds(300))
        #expect(try await resourceTimeout { $0.resourceTimeout = limit } == limit)
        #expect(try await resourceTimeout { $0.resourceTimeout = .seconds(4) } == .seconds(4))
        #expect(try await resourceTimeout { $0.resourceTimeout = nil } == nil)
    }

    @Test func `decode(Void.self) accepts any body`() async throws {
        let request = DeleteRequest()
        request.dataTaskPipeline = request.stubResponse(statusCode: 200, data: Data("not JSON".utf8))
        try await request.start().value
        await expectFailure(.unacceptableStatusCode) {
            try await request.sendRequest().validateStatusCode(in: [204]).decode(Void.self).value
        }
    }

    /// `#expect(throws: ErrandError.Code.cancelled)` would compare with an error of the code's own type, which is never
    /// thrown.
    @Test func `an expected error code is checked on the thrown ErrandError`() async {
        let request = DeleteRequest()
        request.dataTaskPipeline = request.stub(error: URLError(.cancelled))
        let error = await #expect(throws: ErrandError.self) { try await request.start().value }
        #expect(error?.code == .cancelled)
    }
}
