import Errand
import TestSupport
import Testing

/// The samples of the page about many requests.
struct `The guide to many requests` {
    struct Book: Codable, Sendable {
        var title: String
    }

    class LibraryAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://library.example.com/v1")
            dataTaskPipeline = stubJSONResponse(data: Data(#"{"title":"Lavinia"}"#.utf8))
        }
    }

    final class BookRequest: LibraryAPI, Request {
        init(id: Int) {
            super.init()
            path = "/books/\(id)"
        }

        func start() -> Pipeline<Book, any Error> { sendRequest().decode(Book.self) }
    }

    typealias MirroredBookRequest = BookRequest

    final class UploadRequest: LibraryAPI, Request {
        init(file: URL) {
            super.init()
            method = .post
            body = .data(Data(file.path.utf8))
        }

        func start() -> Pipeline<Book, any Error> { sendRequest().decode(Book.self) }
    }

    private let ids = [1, 2, 3]

    @Test func `the guide's sample loads books four at a time`() async throws {
        let pipelines = ids.map { BookRequest(id: $0).start() }
        let books = try await pipelines.concurrently(4).value
        #expect(books.map(\.title) == ["Lavinia", "Lavinia", "Lavinia"])
        let results = await pipelines.results(concurrently: 4).value
        for (id, result) in zip(ids, results) {
            switch result {
            case .success(let book): print(book.title)
            case .failure(let error): print("book \(id): \(error)")
            }
        }
        #expect(results.count == 3)
        for await (offset, result) in pipelines.merge(4) {
            let book = try result.get()
            print(ids[offset], book.title)
        }
    }

    @Test func `the guide's sample races two requests`() async throws {
        let book = try await BookRequest(id: 1).start().race([MirroredBookRequest(id: 1).start()]).value
        #expect(book.title == "Lavinia")
    }

    @Test func `the guide's sample sends requests from a task group`() async throws {
        let titles = try await withThrowingTaskGroup(of: String.self) { group in
            for id in ids {
                let pipeline = BookRequest(id: id).start()
                group.addTask { try await pipeline.value.title }
            }
            var titles: [String] = []
            for try await title in group { titles.append(title) }
            return titles
        }
        #expect(titles.count == 3)
        let task = Task { try await BookRequest(id: 1).start().value }
        #expect(try await task.value.title == "Lavinia")
    }

    @Test func `the guide's sample defers making requests until they are sent`() async throws {
        let files = ["/a", "/b"].map { URL(fileURLWithPath: $0) }
        let uploads = files.map { file in Pipeline.deferred { UploadRequest(file: file).start() } }
        _ = try await uploads.concurrently(2).value
    }
}
