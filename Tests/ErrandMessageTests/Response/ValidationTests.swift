import Errand
import TestSupport
import Testing

struct `Status validation` {
    @Test func `status validation accepts any sequence of codes`() async throws {
        #expect(try await response(204).validateStatusCode(in: 200..<300).value.statusCode == 204)
        #expect(try await response(299).validateStatusCode(in: 200...299).value.statusCode == 299)
        #expect(try await response(404).validateStatusCode(in: [200, 404]).value.statusCode == 404)
        #expect(try await response(200).validateStatusCode(in: Set([200])).value.statusCode == 200)
        #expect(
            try await response(202).validateStatusCode(in: stride(from: 200, to: 210, by: 2)).value.statusCode == 202)
    }

    @Test(.hangGuard)
    func `status validation accepts ranges without an end`() async throws {
        #expect(try await response(599).validateStatusCode(in: 200...).value.statusCode == 599)
        #expect(try await response(200).validateStatusCode(in: 0...Int.max).value.statusCode == 200)
        await expectFailure(.unacceptableStatusCode) { try await response(199).validateStatusCode(in: 200...).value }
    }

    @Test func `a status failure contains the URL, the header fields and the body prefix`() async throws {
        let refused = DataResponse(
            statusCode: 404, headers: ["X-Id": "7"], data: Data(repeating: 7, count: 70_000),
            url: URL(string: "https://example.com/users?id=1"))
        let pipeline = Pipeline<DataResponse, any Error>.just(refused).validateStatusCode(in: 200..<300)
        let error = try #require(await expectFailure(.unacceptableStatusCode) { try await pipeline.value })
        #expect(error.statusCode == 404)
        #expect(error.headers["x-id"] == "7")
        #expect(error.bodyPrefix.count == ErrandError.bodyPrefixLimit)
        #expect(error.url?.absoluteString == "https://example.com/users?id=***")
        #expect(error.attempts == 1)
        await expectFailure(.unacceptableStatusCode) {
            try await response(300).validateStatusCode(in: 200..<300).value
        }
        await expectFailure(.unacceptableStatusCode) { try await response(200).validateStatusCode(in: []).value }
    }

    private func response(_ status: Int) -> Pipeline<DataResponse, any Error> {
        .just(DataResponse(statusCode: status))
    }
}

struct `Content type validation` {
    @Test(arguments: [
        "application/json", "Application/JSON", "application/json;charset=utf-8", "application/json ; charset=utf-8",
        "  application/json;q=\"a;b\"", "application / json",
    ])
    func `content type validation ignores case, parameters and spaces`(_ field: String) async throws {
        #expect(try await response(field).hasContentType("application/json").value.statusCode == 200)
    }

    @Test func `content type validation accepts media ranges and several types`() async throws {
        #expect(try await response("application/hal+json").hasContentType("application/*").value.statusCode == 200)
        #expect(try await response("image/png").hasContentType("*/*").value.statusCode == 200)
        #expect(try await response("text/json").hasContentType("application/json", "text/JSON").value.statusCode == 200)
    }

    @Test(arguments: ["text/html", "text/json", "application/jsonp", "application", "application/json/x", ""])
    func `content type validation rejects other types`(_ field: String) async {
        await expectFailure(.unacceptableContentType) {
            try await response(field).hasContentType("application/json").value
        }
    }

    @Test func `content type validation rejects a body without a type and accepts an empty body`() async throws {
        let untyped = DataResponse(statusCode: 200, data: Data("x".utf8))
        let error = await expectFailure(.unacceptableContentType) {
            try await Pipeline<DataResponse, any Error>.just(untyped).hasContentType("application/json").value
        }
        #expect(error?.description.contains("no content type, not application/json") == true)
        let empty = DataResponse(statusCode: 204, headers: ["Content-Type": "text/html"])
        let passed = try await Pipeline<DataResponse, any Error>.just(empty).hasContentType("application/json").value
        #expect(passed.statusCode == 204)
    }

    @Test func `content type validation rejects everything if the expected type is invalid`() async {
        await expectFailure(.unacceptableContentType) { try await response("json").hasContentType("json").value }
    }

    private func response(_ type: String) -> Pipeline<DataResponse, any Error> {
        .just(DataResponse(statusCode: 200, headers: ["Content-Type": type], data: Data("{}".utf8)))
    }
}
