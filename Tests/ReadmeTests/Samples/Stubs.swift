import Errand
import Testing

@Test func `books are decoded`() async throws {
    let request = BooksRequest(author: "Le Guin")
    request.dataTaskPipeline = request.stubJSONResponse(data: Data(#"[{"id": 1, "title": "Malafrena"}]"#.utf8))

    let books = try await request.start().value

    #expect(books.map(\.title) == ["Malafrena"])
    #expect(request.request?.url?.query == "author=Le%20Guin")
}

@Test func `a request is retried after a lost connection`() async throws {
    let request = BooksRequest(author: "Le Guin")
    request.dataTaskPipeline = request.stub(inTurn: [
        request.stub(error: URLError(.networkConnectionLost)),
        request.stubJSONResponse(data: Data("[]".utf8)),
    ])

    #expect(try await request.start().retry(1).value.isEmpty)
}
