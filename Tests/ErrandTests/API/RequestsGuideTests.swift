import Errand
import ErrandTesting
import TestSupport
import Testing

private struct Book: Codable, Equatable {
    var title: String
}

private class LibraryAPI: APIBase {
    override init() {
        super.init()
        baseURL = URL(string: "https://library.example.com")
        acceptedStatusCodes = .successful
    }
}

private protocol JSONLeaf: Request {}

extension JSONLeaf where Self: LibraryAPI, Output: Decodable & Sendable {
    func start() -> Pipeline<Output, any Error> {
        sendRequest().decode(Output.self)
    }
}

private final class BookRequest: LibraryAPI, JSONLeaf {
    typealias Output = Book

    init(id: Int) {
        super.init()
        path = "/books/\(id)"
    }
}

@Suite(.hangGuard) struct `The guide of requests` {
    @Test func `a protocol can have the start of its leaves`() async throws {
        let request = BookRequest(id: 7)
        request.dataTaskPipeline = request.stubJSONResponse(data: Data(#"{"title": "Tehanu"}"#.utf8))
        #expect(try await request.start().value == Book(title: "Tehanu"))
        #expect(try await request.schedule().value == Book(title: "Tehanu"))
        #expect(request.request?.url?.path() == "/books/7")
    }
}
