import Errand
import TestSupport
import Testing

struct `A body that is watched` {
    /// In an earlier version, each piece leaked a little memory, and used a level of the stack at the end.
    @Test(.hangGuard) func `a watched body can have any number of pieces`() async throws {
        let left = Locked(500_000)
        let body = ResponseBody {
            left.withLock { left in
                left -= 1
                return left >= 0 ? Data([1]) : nil
            }
        }
        let ends = Recorder<Int>()
        let response = DataResponse(statusCode: 200, headers: [:], body: body).watched { _, count in
            ends.record(count)
        }
        for try await _ in response.body {}
        #expect(ends.elements == [500_000])
    }
}

struct `A body in pieces behind an interceptor` {
    /// Responds to every request with a body in pieces.
    private struct Streaming: Interceptor {
        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            let pieces = Locked(["ab", "cd"][...])
            let body = ResponseBody { pieces.withLock { $0.popFirst().map { Data($0.utf8) } } }
            return DataResponse(statusCode: 200, headers: ["Cache-Control": "max-age=60"], body: body)
        }
    }

    /// Sends another request before each request.
    private struct SendingAnother: Interceptor {
        let other: Pipeline<DataResponse, any Error>
        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            _ = try await other.value
            return try await next(request)
        }
    }

    private final class Fetch: APIBase, Request {
        override init() {
            super.init()
            baseURL = URL(string: "https://api.example.com")
            session = RecordingTransport()
        }
        func start() -> Pipeline<Data, any Error> { sendRequest().map(\.data) }
    }

    @Test func `a streamed body is complete in the cache`() async throws {
        let request = Fetch()
        request.interceptors = [HTTPCache(), Streaming()]
        let pipeline = request.start()
        async let first = pipeline.value
        async let second = pipeline.value
        #expect(try await [first, second] == [Data("abcd".utf8), Data("abcd".utf8)])
        #expect(try await pipeline.value == Data("abcd".utf8))
    }

    @Test func `fields added to a stream are not added to requests that its interceptors send`() async throws {
        let (request, other, transport) = (Fetch(), Fetch(), RecordingTransport())
        request.session = transport
        other.session = transport
        request.interceptors = [SendingAnother(other: other.sendRequest())]
        _ = try await request.sendStream().open(adding: ["Last-Event-ID": "7"])
        let fields = transport.sent.elements.map { $0.urlRequest.value(forHTTPHeaderField: "Last-Event-ID") }
        #expect(fields == [nil, "7"])
    }
}
