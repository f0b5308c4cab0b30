import Errand
import TestSupport
import Testing

struct `An interceptor` {
    @Test func `interceptors run in list order for the request and in reverse order for the response`() async throws {
        let journal = Recorder<String>()
        let request = PlainRequest()
        request.interceptors = [Tracing("outer", journal), Tracing("inner", journal)]
        request.dataTaskPipeline = request.stubResponse(statusCode: 204)
        #expect(try await request.start().value.statusCode == 204)
        #expect(journal.elements == ["outer >", "inner >", "inner < 204", "outer < 204"])
    }

    @Test func `an interceptor can send a request several times, and each attempt is counted`() async throws {
        let request = PlainRequest()
        request.interceptors = [Again(times: 3)]
        request.dataTaskPipeline = request.stub(inTurn: [
            request.stub(error: URLError(.networkConnectionLost)),
            request.stub(error: URLError(.networkConnectionLost)),
            request.stubResponse(statusCode: 200),
        ])
        #expect(try await request.start().value.attempts == 3)
    }

    @Test func `an interceptor receives the errors that the caller would receive`() async throws {
        let request = PlainRequest()
        request.interceptors = [Again(times: 2)]
        request.dataTaskPipeline = request.stub(error: URLError(.cannotFindHost))
        let error = await expectFailure(.transportFailed) { try await request.start().value }
        #expect(error?.attempts == 2)
        #expect(error?.url?.host == "api.example.com")
    }

    @Test func `an interceptor can respond in place of the network`() async throws {
        let transport = RecordingTransport()
        let request = PlainRequest()
        request.session = transport
        request.interceptors = [Responding()]
        let response = try await request.start().value
        #expect(response.source == .interceptor)
        #expect(response.statusCode == 418)
        #expect(transport.sent.elements.isEmpty)
    }

    @Test func `an interceptor can show a request whose body is a file`() async throws {
        struct Observing: Interceptor {
            let seen: Recorder<URLRequest>
            func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
                seen.record(request.urlRequestWithBody)
                return try await next(request)
            }
        }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("cover".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let seen = Recorder<URLRequest>()
        let request = PlainRequest()
        request.method = .put
        request.body = .file(file)
        request.interceptors = [Observing(seen: seen)]
        request.dataTaskPipeline = request.stubResponse(statusCode: 204)
        _ = try await request.start().value
        let shown = try #require(seen.elements.first).curlCommand(body: true)
        #expect(shown.contains("--data-binary @\(file.path)"))
    }

    @Test func `an interceptor can change the request`() async throws {
        struct Versioned: Interceptor {
            func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
                var request = request
                request.urlRequest.setValue("2", forHTTPHeaderField: "API-Version")
                return try await next(request)
            }
        }
        let transport = RecordingTransport()
        let request = PlainRequest()
        request.session = transport
        request.interceptors = [Versioned()]
        _ = try await request.start().value
        #expect(transport.sent.elements.first?.urlRequest.value(forHTTPHeaderField: "API-Version") == "2")
    }

    @Test func `an interceptor can collect the body of a stream within the limit of the request`() async throws {
        struct Counting: Interceptor {
            let counts: Recorder<Int>
            func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
                let response = try await next(request).collected(upTo: request.maximumBodySize)
                counts.record(response.data.count)
                return response
            }
        }
        let counts = Recorder<Int>()
        let request = PlainRequest()
        request.interceptors = [Counting(counts: counts)]
        request.dataTaskPipeline = request.stubStream(["one", "two"])
        var text = Data()
        for try await piece in request.sendStream() { text += piece }
        #expect(text == Data("onetwo".utf8))
        #expect(counts.elements == [6])
        request.maximumBodySize = 5
        await expectTransportFailure(.dataLengthExceedsMaximum) { try await request.sendStream().open() }
    }

    @Test func `a cancelled interceptor fails with code cancelled`() async throws {
        struct Sleeping: Interceptor {
            let gate: Gate
            func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
                try await gate.pass()
                return try await next(request)
            }
        }
        let request = PlainRequest()
        request.interceptors = [Sleeping(gate: Gate())]
        request.dataTaskPipeline = request.stubResponse(statusCode: 200)
        let pipeline = request.start()
        let task = Task { try await pipeline.value }
        task.cancel()
        let error = await expectFailure(.cancelled) { try await task.value }
        #expect(error?.url?.host == "api.example.com")
    }
}

/// Records the requests and responses that pass.
private struct Tracing: Interceptor {
    let name: String
    let journal: Recorder<String>

    init(_ name: String, _ journal: Recorder<String>) {
        self.name = name
        self.journal = journal
    }

    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        journal.record("\(name) >")
        let response = try await next(request)
        journal.record("\(name) < \(response.statusCode)")
        return response
    }
}

/// Sends the request again until it succeeds, or until it was sent this many times.
private struct Again: Interceptor {
    let times: Int

    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        for _ in 1..<times {
            if let response = try? await next(request) { return response }
        }
        return try await next(request)
    }
}

/// Responds without sending a request.
private struct Responding: Interceptor {
    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        var response = DataResponse(statusCode: 418)
        response.source = .interceptor
        return response
    }
}

private final class PlainRequest: APIBase, Request {
    override init() {
        super.init()
        baseURL = URL(string: "https://api.example.com")
    }

    func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
}
