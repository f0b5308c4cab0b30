import Errand
import ErrandTesting
import Testing

/// The sample of the guide "Testing" for a HAR file.
@Suite(.timeLimit(.minutes(5))) struct `The guide to a HAR file` {
    @Test func `the guide's sample writes a file of a run`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("errand-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let request = BooksRequest(author: "Le Guin")
        request.dataTaskPipeline = request.stubJSONResponse(data: Data("[]".utf8))

        let recorder = HARRecorder(hosts: ["library.example.com", "localhost"], bodies: true)
        request.interceptors.append(recorder)
        let books = try await request.start().value
        try recorder.write(to: folder.appendingPathComponent("books.har"))

        #expect(books.isEmpty)
        let entry = try HAR(contentsOf: folder.appendingPathComponent("books.har")).log.entries.first
        #expect(entry?.request.url == "https://library.example.com/v1/books?author=Le%20Guin")
        #expect(entry?.response.content.text == "[]")
    }
}
