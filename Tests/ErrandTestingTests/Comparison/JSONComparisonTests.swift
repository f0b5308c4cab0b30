import Errand
import TestSupport
import Testing

@testable import ErrandMockServer
@testable import ErrandTesting

/// A stub, an expectation and a cassette compare JSON in the same way.
struct `JSON of two requests` {
    @Test(
        arguments: [
            (#"{"a": 1, "b": [true, null]}"#, #"{"b":[true,null],"a":1.0}"#, true),
            (#"{"a": "e\u0301"}"#, #"{"a": "é"}"#, true),
            (#"{"a": 1}"#, #"{"a": 1, "a": 2}"#, true),
            (#"[10E399]"#, #"[1E400]"#, true),
            (#"{"a": 1}"#, #"{"a": "1"}"#, false),
            (#"{"a": 1}"#, #"{"a": true}"#, false),
            (#"{"a": {"b": 1}}"#, #"{"a.b": 1}"#, false),
            (#"{"a": []}"#, #"{"a": {}}"#, false),
            (#"[1, 2]"#, #"[2, 1]"#, false),
            (#"{"a": null}"#, "{}", false),
        ])
    func `stubs, expectations and cassettes compare JSON bodies by value`(
        _ one: String, _ other: String, _ areEqual: Bool
    ) async throws {
        for (recorded, sent) in [(one, other), (other, one)] {
            let (wanted, body) = (Data(recorded.utf8), Data(sent.utf8))
            #expect(try await isStubbed(wanted, body) == areEqual)
            var request = try MockRequest(rawHead: Data("POST / HTTP/1.1\r\nHost: test\r\n\r\n".utf8))
            request.body = body
            let expectation = RequestExpectation(.post, "/", query: nil, headers: [:], body: .json(wanted))
            #expect(expectation.matches(request) == areEqual)
            #expect((facts(of: wanted) == facts(of: body)) == areEqual)
        }
    }

    private func isStubbed(_ wanted: Data, _ body: Data) async throws -> Bool {
        let stubs = RouteStubs()
        stubs.on(.post, "/", .status(204), times: .any)
        stubs.on(.post, "/", where: .json(wanted), .status(200), times: .any)
        let request = AnyRequest(try .nowhere(), "/") { request in
            request.method = .post
            request.body = .data(body, type: .json)
        }
        return try await stubs.run { try await request.start().value.statusCode == 200 }
    }

    private func facts(of body: Data) -> [Fact] {
        BodyFacts.facts(
            of: HAR.Request(method: "POST", url: "/", postData: HAR.PostData(body, mimeType: "application/json")))
    }
}
