import Errand
import ErrandTesting
import Testing

@Test func `a server that breaks off is an error, not half a list`() async throws {
    let server = try MockServer()
    server.on(.get, "/books") { _ in .json("[]").with(fault: .closeInBody(after: 1)) }
    let request = BooksRequest(author: "Le Guin")
    request.baseURL = server.url

    await #expect(throws: ErrandError.self) { try await request.start().value }
    try await server.expect(.get, "/books", query: ["author": "Le Guin"])
}
