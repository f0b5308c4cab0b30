import Errand
import ErrandTesting
import TestSupport
import Testing

struct `The head of a response` {
    final class Probe: APIBase, Request {
        override init() {
            super.init()
            baseURL = URL(string: "https://api.example.com/users")
        }
        func start() -> Pipeline<[Int], any Error> {
            sendRequest().validateStatusCode(in: 200..<300).decode([Int].self)
        }
    }

    @Test func `reading the head sends a scheduled request only once`() async throws {
        let transport = RecordingTransport(
            response: DataResponse(statusCode: 200, headers: ["ETag": "\"1\""], data: Data("[1]".utf8)))
        let request = Probe()
        request.session = transport
        let response = request.schedule()
        let head = try #require(try await response.head)
        #expect(head.statusCode == 200)
        #expect(head.headers["etag"] == "\"1\"")
        #expect(head.attempts == 1)
        #expect(try await response.value == [1])
        #expect(transport.sent.elements.count == 1)
    }

    @Test(arguments: [404, 200])
    func `the head is available even if the response is rejected`(_ status: Int) async throws {
        let request = Probe()
        request.dataTaskPipeline = request.stubResponse(statusCode: status, data: Data("no".utf8))
        let response = request.schedule()
        #expect(try await response.head?.statusCode == status)
        guard case .failure = await response.result else {
            Issue.record("the response was accepted")
            return
        }
    }

    @Test func `the head fails with the transport error if the last attempt has no response`() async throws {
        let request = Probe()
        request.dataTaskPipeline = request.stub(inTurn: [
            request.stubResponse(statusCode: 503), request.stub(error: URLError(.networkConnectionLost)),
        ])
        let pipeline = request.start()
        let response = ScheduledRequest(pipeline.retry(1))
        await expectTransportFailure(.networkConnectionLost) { try await response.head }
    }
}
