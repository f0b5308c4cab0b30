import Errand
import Foundation
import TestSupport
import Testing

struct `The test network` {
    private class LibraryAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://library.example.com")
            session = NoNetwork()
            path = "/books"
        }
    }

    private final class Books: LibraryAPI, Request, StreamingRequest {
        func start() -> Pipeline<String, any Error> {
            sendRequest().decodeText()
        }

        func startStream() -> ResponseStream {
            sendStream()
        }
    }

    private struct NoNetwork: Transport {
        func send(_ request: TransportRequest) async throws -> DataResponse {
            throw URLError(.notConnectedToInternet)
        }
    }

    /// Responds with its name, or with the outcome that its script has for the attempt.
    private final class Named: TestNetwork {
        let name: String
        let paths = Recorder<String>()
        private let failures: Int

        init(name: String, failures: Int = 0) {
            self.name = name
            self.failures = failures
        }

        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            paths.record(request.urlRequest.url?.path ?? "")
            if paths.elements.count <= failures { throw URLError(.networkConnectionLost) }
            return DataResponse(statusCode: 200, data: Data(name.utf8))
        }

        func webSocketStub(for request: TransportRequest) throws -> (any Transport)? {
            nil
        }
    }

    @Test func `only requests of the task and its children use the test network`() async throws {
        let network = Named(name: "test")
        let values = try await network.asTestNetwork {
            async let child = Books().start().value
            let task = Task { try await Books().schedule().value }
            return try await [Books().start().value, child, task.value]
        }
        #expect(values == ["test", "test", "test"])
        #expect(network.paths.elements == ["/books", "/books", "/books"])
        await #expect(throws: ErrandError.self) { try await Books().start().value }
    }

    @Test func `a pipeline uses the test network of the task that started it`() async throws {
        let started = await Named(name: "then").asTestNetwork { Books().start() }
        let value = try await Named(name: "now").asTestNetwork { try await started.value }
        #expect(value == "then")
    }

    @Test func `each attempt uses the test network, and its failures contain the request`() async throws {
        let network = Named(name: "test", failures: 2)
        let request = Books()
        request.retryPolicy = RetryPolicy(backoff: .immediate, maximumAttempts: 2)
        let failure = await #expect(throws: ErrandError.self) {
            try await network.asTestNetwork { try await request.start().value }
        }
        #expect(network.paths.elements.count == 2)
        #expect(failure?.attempts == 2)
        #expect(failure?.url?.path == "/books")
        #expect((failure?.underlyingError as? URLError)?.code == .networkConnectionLost)
    }

    @Test func `the stub of a request takes precedence over the test network`() async throws {
        let network = Named(name: "test")
        let request = Books()
        request.dataTaskPipeline = request.stubResponse(data: Data("own".utf8))
        let value = try await network.asTestNetwork { try await request.start().value }
        #expect(value == "own")
        #expect(network.paths.elements.isEmpty)
    }

    @Test func `a streamed response uses the test network`() async throws {
        let body = try await Named(name: "test").asTestNetwork {
            try await Books().startStream().reduce(into: Data()) { $0 += $1 }
        }
        #expect(String(decoding: body, as: UTF8.self) == "test")
    }
}
