import Errand
import TestSupport
import Testing

struct `A service` {
    struct Full: Service {
        let transport = RecordingTransport()
        let journal = Recorder<String>()
        let baseURL = "api.example.com/v1"
        let headers: HTTPHeaders = ["X-Tenant": "service", "X-Token": "service", "X-Only": "service"]
        var session: (any Transport)? { transport }
        var interceptors: [any Interceptor]? { [Noting(journal: journal)] }

        enum Failure: Error {
            case server(status: Int?)
            case elsewhere(String)
        }

        func asynchronousHeaders() async throws -> HTTPHeaders {
            await Task.yield()
            return ["X-Tenant": "awaited", "X-Token": "awaited"]
        }

        func mapError(_ error: any Error) -> Failure {
            guard let error = error as? ErrandError else { return .elsewhere("\(error)") }
            return .server(status: error.statusCode)
        }
    }

    struct Noting: Interceptor {
        let journal: Recorder<String>

        func intercept<Answer: HTTPResponse>(_ request: TransportRequest, next: Next<Answer>) async throws -> Answer {
            journal.record(request.description)
            return try await next(request)
        }
    }

    final class Probe: APIBase, Request {
        func start() -> Pipeline<Data, any Error> { sendRequest().validateStatusCode(in: 200..<300).map(\.data) }
    }

    @Test func `puts the request's fields over those it waits for, and these over its own`() async throws {
        let service = Full()
        let request = Probe()
        request.headers["X-Tenant"] = "request"
        _ = try await request.schedule(with: service).value
        let sent = try #require(service.transport.sent.elements.first?.urlRequest)
        #expect(sent.value(forHTTPHeaderField: "X-Tenant") == "request")
        #expect(sent.value(forHTTPHeaderField: "X-Token") == "awaited")
        #expect(sent.value(forHTTPHeaderField: "X-Only") == "service")
    }

    @Test func `puts what the hook has set over what it waits for`() async throws {
        final class Hooked: APIBase, Request {
            override func buildURLRequest() throws -> URLRequest {
                var request = try super.buildURLRequest()
                request.setValue("hook", forHTTPHeaderField: "X-Token")
                return request
            }
            func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
        }
        let service = Full()
        _ = try await Hooked().schedule(with: service).value
        #expect(service.transport.sent.elements.first?.urlRequest.value(forHTTPHeaderField: "X-Token") == "hook")
    }

    @Test func `has its interceptors take the place of the request's`() async throws {
        let service = Full()
        let own = Recorder<String>()
        let request = Probe()
        request.interceptors = [Noting(journal: own)]
        _ = try await request.schedule(with: service).value
        #expect(service.journal.elements == ["GET https://api.example.com/v1"])
        #expect(own.elements.isEmpty)
    }

    @Test func `maps every failure to its own error`() async throws {
        let service = Full()
        let request = Probe()
        request.dataTaskPipeline = request.stubResponse(statusCode: 503)
        do throws(Full.Failure) {
            _ = try await request.schedule(with: service).value
            Issue.record("nothing was thrown")
        } catch {
            guard case .server(status: 503) = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test(arguments: [true, false])
    func `says whether a base without a scheme is secure`(_ isSecure: Bool) async throws {
        struct Local: Service {
            let baseURL = "localhost:8080"
            let isSecure: Bool
            let transport = RecordingTransport()
            var session: (any Transport)? { transport }
        }
        let service = Local(isSecure: isSecure)
        _ = try await Probe().schedule(with: service).value
        let url = service.transport.sent.elements.first?.urlRequest.url?.absoluteString
        #expect(url == (isSecure ? "https://localhost:8080" : "http://localhost:8080"))
    }

    @Test func `may have a base whose query has a whole URL`() async throws {
        struct Gate: Service {
            let baseURL = "api.example.com/login?next=https://x"
        }
        #expect(
            try Gate().baseURL.baseURL(isSecure: true)?.absoluteString == "https://api.example.com/login?next=https://x"
        )
    }

    @Test func `with a base that is no URL fails with what is wrong`() async throws {
        struct Broken: Service {
            let baseURL = "not a host"
        }
        await expectFailure(.invalidURL) { try await Probe().schedule(with: Broken()).value }
    }

    @Test func `whose fields cannot be had sends nothing`() async throws {
        struct Locked: Error {}
        struct Guarded: Service {
            let baseURL = URL(string: "https://api.example.com")
            let transport = RecordingTransport()
            var session: (any Transport)? { transport }
            func asynchronousHeaders() async throws -> HTTPHeaders { throw Locked() }
        }
        let service = Guarded()
        await #expect(throws: Locked.self) { try await Probe().schedule(with: service).value }
        #expect(service.transport.sent.elements.isEmpty)
    }

    @Test func `that is the class itself waits for fields too`() async throws {
        let transport = RecordingTransport()
        let request = Probe()
        request.baseURL = URL(string: "https://api.example.com")
        request.session = transport
        request.headers["X-Own"] = "request"
        request.asynchronousHeaders = { ["X-Own": "awaited", "X-Token": "awaited"] }
        _ = try await request.start().value
        let sent = try #require(transport.sent.elements.first?.urlRequest)
        #expect(sent.value(forHTTPHeaderField: "X-Own") == "request")
        #expect(sent.value(forHTTPHeaderField: "X-Token") == "awaited")
    }
}

struct `The head of a response` {
    final class Probe: APIBase, Request {
        override init() {
            super.init()
            baseURL = URL(string: "https://api.example.com/users")
        }
        func start() -> Pipeline<[Int], any Error> {
            sendRequest().validateStatusCode(in: 200..<300).decode([Int].self)
        }
    }

    @Test func `is sent for by whoever waits for it, and only once`() async throws {
        let transport = RecordingTransport(
            answer: DataResponse(statusCode: 200, headers: ["ETag": "\"1\""], data: Data("[1]".utf8)))
        let request = Probe()
        request.session = transport
        let response = request.schedule()
        let head = try #require(try await response.head)
        #expect(head.statusCode == 200)
        #expect(head.headers["etag"] == "\"1\"")
        #expect(head.attempts == 1)
        #expect(try await response.value == [1])
        #expect(transport.sent.elements.count == 1)
    }

    @Test(arguments: [404, 200])
    func `is there when the answer is no good`(_ status: Int) async throws {
        let request = Probe()
        request.dataTaskPipeline = request.stubResponse(statusCode: status, data: Data("no".utf8))
        let response = request.schedule()
        #expect(try await response.head?.statusCode == status)
        guard case .failure = await response.result else {
            Issue.record("the answer was taken")
            return
        }
    }

    @Test func `fails as the request does when no answer came`() async throws {
        let request = Probe()
        request.dataTaskPipeline = request.stub(inTurn: [
            request.stubResponse(statusCode: 503), request.stub(error: URLError(.networkConnectionLost)),
        ])
        let pipeline = request.start()
        let response = Response(pipeline.retry(1))
        await expectTransportFailure(.networkConnectionLost) { try await response.head }
    }
}
