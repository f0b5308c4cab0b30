import Errand
import ErrandTesting
import ErrandTestingTraits
import TestSupport
import Testing

@Test(.cassette("books")) func `a search finds the books of an author`() async throws {
    let books = try await BooksRequest(author: "Le Guin").start().value
    #expect(books.map(\.title) == ["Malafrena"])
}

@Suite(.cassettes("books")) struct `The books` {
    @Test func `of an author`() async throws {
        #expect(try await BooksRequest(author: "Le Guin").start().value.count == 1)
    }
}

struct `The guide to cassettes` {
    /// The folder of the samples, which are recorded.
    private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Cassettes")

    @Test func `the guide's sample runs a closure with a cassette`() async throws {
        let cassette = Cassette(at: folder.appendingPathComponent("books.har"))
        let books = try await cassette.run { try await BooksRequest(author: "Le Guin").start().value }
        #expect(books.count == 1)
    }

    @Test func `the guide's samples choose what is compared`() async throws {
        let file = folder.appendingPathComponent("books.har")
        let byBody = Cassette(at: file, matching: [.method, .url, .body, .headers("Accept")])
        let byTheHour = Cassette(at: file, matching: [.method, .url(ignoringQuery: ["at"])])
        let inTurn = Cassette(at: file, matching: Cassette.Matching(order: .strict), requiresAllUsed: true)
        let polling = Cassette(at: file, matching: Cassette.Matching([.method, .path], repeatsLast: true))
        for cassette in [byBody, byTheHour, inTurn, polling] {
            let books = try await cassette.run { try await BooksRequest(author: "Le Guin").start().value }
            #expect(books.count == 1)
        }
    }

    @Test func `the guide's sample configures what is hidden`() async throws {
        let file = folder.appendingPathComponent("books.har")
        var redaction = Cassette.Redaction()
        redaction.hiddenKeys.insert("iban")
        redaction.keptTypes = ["text/html", "image/*"]
        redaction.hiddenFields.insert("X-Customer")
        redaction.response = { response in response.headers.removeAll { $0.name == "X-Debug" } }
        let banking = Cassette(at: file, redacting: redaction)
        #expect(banking.redaction.hiddenKeys.contains("iban"))
    }

    @Test func `the guide's sample lists the redacted values that differ in a replay`() async throws {
        let folder = try CassetteFolder()
        let cassette = Cassette(at: folder.file(), mode: .record)
        let request = AnyRequest(try .nowhere(), "/users") { request in
            request.dataTaskPipeline = request.stubJSONResponse(data: Data(#"{"users": [{"token": "a"}]}"#.utf8))
        }
        let run = try cassette.start()
        request.interceptors.append(run)
        let users = try await request.start().value
        try run.finish()
        #expect(run.redactedValues == [HAR.RedactedValue(.responseBody, "users[].token")])
        #expect(users.statusCode == 200)
    }

    @Test func `the guide shows the message of a failed match exactly`() async throws {
        let cassette = Cassette(at: folder.appendingPathComponent("books.har"))
        let error = await expectFailure(.notRecorded) {
            try await cassette.run { try await BooksRequest(author: "Le Guin", page: 2).start().value }
        }
        #expect(
            error?.description == """
                GET https://library.example.com/v1/books?author=***&page=***: notRecorded: \
                GET https://library.example.com/v1/books?author=Le%20Guin&page=2 is not in books.har \
                (1 entry, 1 unused). The nearest, entry 1:
                    method   GET
                  + query    page=2
                """)
    }
}
