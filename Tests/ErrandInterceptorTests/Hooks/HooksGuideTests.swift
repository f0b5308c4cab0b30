import Errand
import TestSupport
import Testing

/// Samples of hooks and of trace contexts, some of which are in `Interceptors.md`.
private let log = RequestHook(didEnd: { outcome in
    print(outcome, "in", outcome.duration, "with", outcome.head?.attempts ?? 0, "attempts")
})

private struct Visitor: Codable, Equatable, Sendable {
    var name: String
}

private class LoggedAPI: APIBase {
    override init() {
        super.init()
        baseURL = URL(string: "https://api.example.com")
        hook = log
    }
}

private let demo = RequestHook(willSend: { request in
    guard request.urlRequest.url?.path == "/greeting" else { return nil }
    return DataResponse(statusCode: 200, data: Data("hello".utf8))
})

private class TracedAPI: APIBase {
    override init() {
        super.init()
        baseURL = URL(string: "https://api.example.com")
        retryPolicy = .exponential()
        observers = [TraceContext()]
    }
}

private final class GreetingRequest: TracedAPI, Request {
    override init() {
        super.init()
        path = "/greeting"
    }

    func start() -> Pipeline<Data, any Error> { sendRequest().map(\.data) }
}

private func send(_ request: GreetingRequest, traceparent: String, tracestate: String?) async throws -> Data {
    let incoming = TraceParent(traceparent, state: tracestate)
    return try await TraceContext.$current.withValue(incoming) {
        try await request.start().value
    }
}

private final class LoggedRequest: LoggedAPI, Request {
    func start() -> Pipeline<Data, any Error> { sendRequest().map(\.data) }
}

struct `The guide to hooks` {
    @Test func `requests are traced`() async throws {
        let transport = ScriptedTransport(200)
        let request = GreetingRequest()
        request.observers = [TraceContext { 7 }]
        request.session = transport

        _ = try await request.start().value

        #expect(transport.values(of: "traceparent") == ["00-00000000000000070000000000000007-0000000000000007-02"])
    }

    @Test func `the guide: a server continues the trace of an incoming request`() async throws {
        let transport = ScriptedTransport(200)
        let request = GreetingRequest()
        request.session = transport
        let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736"
        _ = try await send(request, traceparent: "\(trace)-00f067aa0ba902b7-01", tracestate: "a=1")
        #expect(transport.values(of: "traceparent").first??.hasPrefix(trace) == true)
        #expect(transport.values(of: "tracestate") == ["a=1"])
    }

    @Test func `the guide: a hook responds without a server`() async throws {
        let request = GreetingRequest()
        request.hook = demo
        #expect(try await request.start().value == Data("hello".utf8))
        request.path = "/other"
        request.dataTaskPipeline = request.stubResponse(data: Data("sent".utf8))
        #expect(try await request.start().value == Data("sent".utf8))
    }

    @Test func `the guide: a logging hook changes nothing`() async throws {
        let request = LoggedRequest()
        request.dataTaskPipeline = request.stubResponse(data: Data("hello".utf8))
        #expect(try await request.start().value == Data("hello".utf8))
        request.dataTaskPipeline = request.stub(error: URLError(.cannotFindHost))
        await expectFailure(.transportFailed) { try await request.start().value }
    }

    @Test func `the guide: a hook observes decoded values`() async throws {
        let users = Recorder<Visitor>()
        let observer = RequestHook(didEnd: { outcome in
            if case .success(let visitor as Visitor) = outcome.result { users.record(visitor) }
        })
        let service = APIService(baseURL: "https://api.example.com", hook: observer)
        let request = Endpoint<Visitor>.get()
        let stub = request.stubJSONResponse(data: Data(#"{"name":"Ada"}"#.utf8))
        let user = try await service.send(request, stub: stub).value
        #expect(users.elements == [user])
        let list = Endpoint<[Visitor]>.get()
        await expectFailure(.decodingFailed) { try await service.send(list, stub: stub).value }
        #expect(users.elements.count == 1)
    }
}
