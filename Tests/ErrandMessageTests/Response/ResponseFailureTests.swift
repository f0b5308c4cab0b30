import Errand
import TestSupport
import Testing

struct `A response as a failure` {
    private struct Status: Codable, Hashable, Sendable {
        var ok: Bool
    }

    private final class StatusRequest: APIBase, Request {
        override init() {
            super.init()
            baseURL = URL(string: "https://api.example.com/status?key=hidden")
        }

        func start() -> Pipeline<Status, any Error> {
            sendRequest().tryMap { response in
                let status = try response.decode(Status.self)
                guard status.ok else { throw response.failure(.unacceptableStatusCode, payload: status) }
                return status
            }
        }
    }

    @Test func `a response turned into a failure has the error document and the response metadata`() async throws {
        let request = StatusRequest()
        request.dataTaskPipeline = request.stubJSONResponse(data: Data(#"{"ok": false}"#.utf8), headers: ["X-Id": "7"])
        let error = try #require(
            await expectFailure(.unacceptableStatusCode) { try await request.start().value })
        #expect(error.payload(as: Status.self) == Status(ok: false))
        #expect(error.statusCode == 200)
        #expect(error.headers["x-id"] == "7")
        #expect(error.bodyPrefix == Data(#"{"ok": false}"#.utf8))
        #expect(error.attempts == 1)
        #expect(error.method == .get)
        #expect(error.url?.absoluteString == "https://api.example.com/status?key=***")
    }

    @Test func `a response turned into a failure can have a custom code and cause, and shows no body`() {
        let code = ErrandError.Code(rawValue: "notReady")
        let response = DataResponse(statusCode: 202, data: Data("hidden".utf8))
        let error = response.failure(code, reason: "it is still being made", underlyingError: URLError(.timedOut))
        #expect(error.code == code)
        #expect((error.underlyingError as? URLError)?.code == .timedOut)
        #expect(error.payload(as: Status.self) == nil)
        #expect(error.description == "notReady: it is still being made")
    }
}
