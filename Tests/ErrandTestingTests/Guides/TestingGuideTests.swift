import Errand
import ErrandMockServer
import ErrandTesting
import ErrandTestingTraits
import TestSupport
import Testing

private let malafrena = Book(id: 1, title: "Malafrena")

private let library = APIService(baseURL: "library.example.com/v1")

private struct FindBooks: EndpointRequest {
    let author: String
    var endpoint: Endpoint<[Book]> { .get("/books", query: ["author": author]) }
}

/// The samples of the guide "Testing", and tests of their results.
@Suite(.hangGuard) struct `The guide to testing` {
    @Test func `the guide's sample stubs one request`() async throws {
        let request = BooksRequest(author: "Le Guin")
        request.dataTaskPipeline = request.stubJSONResponse(data: Data("[]".utf8))
        #expect(try await request.start().value.isEmpty)
    }

    @Test func `the guide's sample stubs a struct request`() async throws {
        let request = FindBooks(author: "Le Guin")
        let stub = request.stubJSONResponse(data: Data("[]".utf8))
        #expect(try await request.schedule(with: library, stub: stub).value.isEmpty)
    }

    @Test(.stubs { $0.on(.get, "/v1/books", try .json(encodable: [malafrena])) })
    func `an API request receives the stubbed response`() async throws {
        #expect(try await BooksRequest(author: "Le Guin").start().value == [malafrena])
    }

    @Test func `the guide's sample loads a body from a file`() async throws {
        let request = BooksRequest(author: "Le Guin")
        request.dataTaskPipeline = try request.stubResponse(fixture: Fixture("Fixtures/books.json"))
        #expect(try await request.start().value == [malafrena])
    }

    @Test(.stubs { $0.on(.get, "/v1/books", try .fixture(Fixture("Fixtures/books.json", in: .module))) })
    func `a stub sends a fixture from a bundle`() async throws {
        #expect(try await BooksRequest(author: "Le Guin").start().value == [malafrena])
    }

    @Test func `the guide's sample uses a mock server`() async throws {
        let server = try MockServer()
        server.on(.get, "/books") { _ in .json("[]").with(fault: .closeInBody(after: 1)) }
        let request = BooksRequest(author: "Le Guin")
        request.baseURL = server.url

        await #expect(throws: ErrandError.self) { try await request.start().value }
        #expect(try await server.takeRequest().queryItems.first?.value == "Le Guin")

        let error = await #expect(throws: ErrandError.self) { try await request.start().value }
        #expect(error?.code == .transportFailed)
    }
}
