import Errand
import ErrandTesting
import ErrandTestingTraits
import Testing

@Test(.stubs { $0.on(.get, "/v1/books", inTurn: [.status(503), .json("[]")]) })
func `a request to a busy server is retried`() async throws {
    let request = BooksRequest(author: "Le Guin")
    request.retryPolicy = .immediate
    #expect(try await request.start().value.isEmpty)
}

@Test(.cassette("books")) func `a search finds the books of an author`() async throws {
    let books = try await BooksRequest(author: "Le Guin").start().value
    #expect(books.map(\.title) == ["Malafrena"])
}
