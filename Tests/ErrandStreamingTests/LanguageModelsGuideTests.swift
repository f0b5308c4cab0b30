import Errand
import ErrandMockServer
import ErrandResilience
import ErrandTesting
import TestSupport
import Testing

/// The samples of the guide to streams for language models, and their results.
@Suite(.hangGuard) struct `The guide to language models` {
    private class ModelAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://models.example.com/v1")
            timeoutInterval = 120
        }

        override func startRequest() -> Pipeline<DataResponse, any Error> {
            super.startRequest().validateStatusCode(in: 200..<300).decodeError(ProblemDetails.self)
        }
    }

    private struct Prompt: Encodable {
        var model = "large"
        var prompt: String
        var stream = true
    }

    private struct Piece: Decodable {
        var text: String
    }

    private final class CompletionRequest: ModelAPI, StreamingRequest {
        init(_ prompt: String) {
            super.init()
            method = .post
            path = "/completions"
            body = .json(Prompt(prompt: prompt))
        }

        func startStream() -> some AsyncSequence<Piece, any Error> & Sendable {
            sendStream().events(of: Piece.self, until: "[DONE]")
        }
    }

    private final class AnyCompletionRequest: ModelAPI, StreamingRequest {
        override init() {
            super.init()
            method = .post
            path = "/completions"
        }

        func startStream() -> ResponseStream { sendStream() }
    }

    /// Compiled but not run, because it would send a request to a real host.
    private func tell() async throws -> String {
        var text = ""
        for try await piece in CompletionRequest("Tell me a story.").startStream() {
            text += piece.text
        }
        return text
    }

    private func complete(_ server: MockServer) async throws -> String {
        let request = CompletionRequest("Tell me a story.")
        request.baseURL = server.url
        var text = ""
        for try await piece in request.startStream() { text += piece.text }
        return text
    }

    private func request(_ server: MockServer) -> AnyCompletionRequest {
        let request = AnyCompletionRequest()
        request.baseURL = server.url
        return request
    }

    @Test func `the guide: events are read up to the end marker`() async throws {
        let server = try MockServer()
        server.on(.post, "/completions") { _ in
            .chunked(
                ["data: {\"text\":\"Once \"}\n\n", "data: {\"text\":\"upon\"}\n\ndata: [DO", "NE]\n\n"].map {
                    Data($0.utf8)
                })
        }
        #expect(try await complete(server) == "Once upon")
        let sent = try await server.takeRequest()
        #expect(try FastJSONDecoder().decode(JSONValue.self, from: sent.body)["stream"] == true)
    }

    @Test(arguments: ["", "data: {\"text\":\"Once \"}\n\n", "data: [DONE]\n"])
    func `the guide: events that end before the end marker are a lost connection`(_ events: String) async throws {
        let server = try MockServer()
        server.on(.post, "/completions") { _ in .chunked([Data(events.utf8)]) }
        let error = await expectFailure(.transportFailed) { try await complete(server) }
        #expect(error?.reason == "the events ended before the event \"[DONE]\"")
    }

    @Test func `the guide: the head is read before the events`() async throws {
        let server = try MockServer()
        server.on(.post, "/completions") { _ in
            .serverSentEvents([
                .event("{}", name: "start"), .event(#"{"text":"Once "}"#, name: "delta"),
                .event(#"{"text":"upon"}"#, name: "delta"), .event("{}", name: "end"),
            ]).with(header: "X-RateLimit-Remaining-Requests", "7")
        }
        let request = request(server)
        var text = ""
        let response = try await request.startStream().open()
        let remaining = response.headers["X-RateLimit-Remaining-Requests"]
        for try await event in response.body.events() where event.event == "delta" {
            text += try event.decode(Piece.self).text
        }
        #expect(text == "Once upon")
        #expect(remaining == "7")
    }

    @Test func `the guide: lines of JSON are read as they arrive`() async throws {
        let server = try MockServer()
        server.on(.post, "/completions") { _ in
            .chunked(["{\"text\":\"Once \"}\n{\"te", "xt\":\"upon\"}\n"].map { Data($0.utf8) })
        }
        var text = ""
        for try await piece in request(server).startStream().values(of: Piece.self) {
            text += piece.text
        }
        #expect(text == "Once upon")
    }

    @Test func `the guide: cancelling the task closes the connection`() async throws {
        let server = try MockServer()
        let arrived = Gate()
        server.on(.post, "/completions") { _ in
            .chunked(["{\"text\":\"Once \"}\n", "{\"text\":\"upon\"}\n"].map { Data($0.utf8) })
                .with(fault: .stallInBody(after: 20))
        }
        let pieces = request(server).startStream().values(of: Piece.self)
        let completion = Task {
            var text = ""
            for try await piece in pieces {
                text += piece.text
                arrived.open()
            }
            return text
        }
        try await arrived.pass()
        completion.cancel()
        let error = await #expect(throws: ErrandError.self) { try await completion.value }
        #expect(error?.code == .cancelled)
        try await server.waitUntil(openConnections: 0)
    }

    @Test func `the guide: an error document fails the request before the first piece`() async throws {
        let server = try MockServer()
        server.onAny { _ in .json(#"{"title":"too many tokens"}"#, statusCode: 422) }
        let error = await #expect(throws: ErrandError.self) { try await complete(server) }
        #expect(error?.code == .unacceptableStatusCode)
        #expect(error?.statusCode == 422)
    }
}
