import Errand
import TestSupport
import Testing

/// The samples of the guide "Server-sent events", and tests of their results.
@Suite(.hangGuard) struct `The guide to server-sent events` {
    private struct Article: Decodable {
        var title: String
    }

    private class NewsAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://news.example.com")
        }
    }

    private final class NewsRequest: NewsAPI, StreamingRequest {
        override init() {
            super.init()
            path = "/news"
            timeoutInterval = 3600
        }

        func startStream() -> EventSource {
            sendStream().eventSource()
        }
    }

    private func request(_ pieces: String...) -> NewsRequest {
        let request = NewsRequest()
        request.dataTaskPipeline = request.stub(inTurn: [
            request.stubStream(headers: [.contentType: "text/event-stream"], pieces),
            request.stubResponse(statusCode: 204),
        ])
        return request
    }

    /// Compiled but not run, because these would send requests to a real host.
    private func listen(_ request: NewsRequest) async throws {
        for try await event in NewsRequest().startStream() {
            print(event.event, event.data, event.id)
        }
        for try await article in request.sendStream().eventSource().values(of: Article.self, named: "article") {
            print(article.title)
        }
        let response = try await request.sendStream().open()
        for try await event in response.body.events() { print(event.data) }

        for try await article in request.sendStream().events(of: Article.self, until: "[DONE]") { print(article.title) }
    }

    @Test func `the guide: events are read`() async throws {
        var seen: [String] = []
        for try await event in request("event: add\nid: 7\ndata: one\n\n").startStream() {
            seen += [event.event, event.data, event.id]
            break
        }
        #expect(seen == ["add", "one", "7"])
    }

    @Test func `the guide: events of one name are decoded`() async throws {
        let request = request("event: ping\ndata\n\nevent: article\ndata: {\"title\": \"News\"}\n\n")
        var titles: [String] = []
        for try await article in request.sendStream().eventSource().values(of: Article.self, named: "article") {
            titles.append(article.title)
            break
        }
        #expect(titles == ["News"])
    }

    @Test func `the guide: events resume after a stored ID with a custom policy`() async throws {
        let request = request("data: one\n\n")
        let stored = "7"
        var policy = EventSourceReconnection()
        policy.maximumSilence = .seconds(45)
        policy.maximumAttempts = .max
        let events = request.sendStream().eventSource(lastEventID: stored, reconnection: policy)
        var first = events.makeAsyncIterator()
        #expect(try await first.next() == ServerSentEvent(data: "one", id: "7"))
    }

    @Test func `the guide: the events of a single body are read`() async throws {
        let response = try await request("data: one\n\ndata: tw").sendStream().open()
        var data: [String] = []
        for try await event in response.body.events() { data.append(event.data) }
        #expect(data == ["one"])
    }

    @Test func `the guide: an event source is tested with stubs`() async throws {
        let request = NewsRequest()
        request.dataTaskPipeline = request.stub(inTurn: [
            request.stubStream(headers: [.contentType: "text/event-stream"], ["id: 1\nda", "ta: one\n\n"]),
            request.stub(error: URLError(.networkConnectionLost)),
            request.stubStream(headers: [.contentType: "text/event-stream"], ["data: two\n\n"]),
            request.stubResponse(statusCode: 204),
        ])
        var policy = EventSourceReconnection()
        policy.backoff = .immediate
        let events = request.sendStream().eventSource(reconnection: policy)
        var data: [String] = []
        for try await event in events { data.append(event.data) }
        #expect(data == ["one", "two"])
    }
}
