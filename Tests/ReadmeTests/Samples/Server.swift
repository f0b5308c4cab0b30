import Errand
import ErrandMockServer
import ErrandTesting
import Testing

@Test func `a truncated response fails instead of returning half of the list`() async throws {
    let server = try MockServer()
    server.on(.get, "/books") { _ in .json("[]").with(fault: .closeInBody(after: 1)) }
    let request = BooksRequest(author: "Le Guin")
    request.baseURL = server.url

    await #expect(throws: ErrandError.self) { try await request.start().value }
    try await server.expect(.get, "/books", query: ["author": "Le Guin"])
}
