import Errand
import ErrandMockServer
import ErrandTesting
import Testing

/// The samples of ErrandTesting's own page.
@Suite(.timeLimit(.minutes(5))) struct `The page of ErrandTesting` {
    final class BookRequest: APIBase, Request {
        init(id: Int) {
            super.init()
            baseURL = URL(string: "https://shelf.example.com")
            path = "/books/\(id)"
        }

        func start() -> Pipeline<String, any Error> {
            sendRequest().tryMap { try $0.text() }
        }
    }

    @Test func `the guide's mock server truncates a response`() async throws {
        let server = try MockServer()
        server.on(.get, "/books/:id") { request in
            .text("book \(request.parameters["id"] ?? "")").with(fault: .closeInBody(after: 2))
        }
        let request = BookRequest(id: 7)
        request.baseURL = server.url

        await #expect(throws: ErrandError.self) { try await request.start().value }
        #expect(try await server.takeRequest().path == "/books/7")
    }

    @Test func `the guide's manual clock advances a timeout`() async throws {
        let request = BookRequest(id: 7)
        request.dataTaskPipeline = request.stubResponse(statusCode: 200).delay(.seconds(60), clock: ManualClock())
        let clock = ManualClock()
        async let outcome = request.start().timeout(.seconds(30), clock: clock).result
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(30))
        guard case .failure(let error) = await outcome else {
            Issue.record("it did not time out")
            return
        }
        #expect((error as? ErrandError)?.code == .timedOut)
    }
}
