import Errand
import ErrandTesting
import TestSupport
import Testing

struct `An API class` {
    let fixture = Data(#"[{"id": 1, "name": "Ada"}]"#.utf8)

    @Test func `a request sends the URL request that its hooks built and decodes the response`() async throws {
        let request = UsersRequest()
        request.dataTaskPipeline = request.stubJSONResponse(statusCode: 200, data: fixture)
        #expect(try await request.start().value == [User(id: 1, name: "Ada")])
        let built = try #require(request.request)
        #expect(built.url?.absoluteString == "https://jsonplaceholder.typicode.com/users")
        #expect(built.value(forHTTPHeaderField: "accept") == "application/json")
        #expect(built.httpMethod == "GET")
    }

    @Test func `a request is built when it is started and sent when its pipeline runs`() async throws {
        let transport = RecordingTransport()
        let request = UsersRequest()
        request.session = transport
        let pipeline = request.start()
        #expect(request.request != nil)
        #expect(transport.sent.elements.isEmpty)
        request.path = "/changed-afterwards"
        _ = await pipeline.result
        #expect(transport.sent.elements.map { $0.urlRequest.url?.path } == ["/users"])
    }

    @Test func `a subclass can compute its header fields`() throws {
        final class Tagged: APIBase {
            override var headers: HeaderFields {
                get { super.headers.merging(["X-Tag": "computed"]) }
                set { super.headers = newValue }
            }
        }
        let request = Tagged()
        request.baseURL = URL(string: "https://example.com")
        request.headers["X-Other"] = "set"
        let built = try request.buildURLRequest()
        #expect(built.value(forHTTPHeaderField: "X-Tag") == "computed")
        #expect(built.value(forHTTPHeaderField: "X-Other") == "set")
    }

    @Test func `a computed body is encoded and sets the content type`() throws {
        final class Create: APIBase {
            var user = User(id: 6, name: "Ada")
            override var body: RequestBody {
                get { .json(user) }
                set {}
            }
        }
        let request = Create()
        request.baseURL = URL(string: "https://example.com")
        request.method = .post
        request.user = User(id: 7, name: "Bea")
        let built = try request.buildURLRequest()
        #expect(try JSONDecoder().decode(User.self, from: #require(built.httpBody)) == User(id: 7, name: "Bea"))
        #expect(built.value(forHTTPHeaderField: "Content-Type") == "application/json")
    }

    @Test func `only a request with a body has a content type, and a header field overrides it`() throws {
        let request = APIBase()
        request.baseURL = URL(string: "https://example.com")
        #expect(try request.buildURLRequest().value(forHTTPHeaderField: "Content-Type") == nil)
        request.method = .post
        request.body = .json("a,b")
        request.headers["content-type"] = "text/csv"
        #expect(try request.buildURLRequest().value(forHTTPHeaderField: "Content-Type") == "text/csv")
    }

    @Test(arguments: [RequestMethod.get, .head, .post, .put, .patch, .delete, .options, "PURGE", "purge", "M-SEARCH"])
    func `the method of a request is sent as it is written`(_ method: RequestMethod) async throws {
        let transport = RecordingTransport()
        let request = UsersRequest()
        request.session = transport
        request.method = method
        _ = try await request.sendRequest().value
        #expect(transport.sent.elements.first?.urlRequest.httpMethod == method.rawValue)
    }

    @Test func `an error thrown by an overridden buildURLRequest is passed on unchanged`() async {
        final class Failing: APIBase {
            override func buildURLRequest() throws -> URLRequest { throw Fault.first }
        }
        await #expect(throws: Fault.first) { try await Failing().sendRequest().value }
    }

    @Test func `a request object is released while its pipeline runs`() async throws {
        let gate = Gate()
        weak var observed: UsersRequest?
        let pipeline: Pipeline<[User], any Error>
        do {
            let request = UsersRequest()
            let stub = request.stubJSONResponse(data: fixture)
            request.dataTaskPipeline = Pipeline<Void, any Error> { try await gate.pass() }.flatMap { stub }
            observed = request
            pipeline = request.start()
        }
        #expect(observed == nil)
        gate.open()
        #expect(try await pipeline.value.count == 1)
    }

    @Test func `a task that is already cancelled sends nothing`() async throws {
        let transport = RecordingTransport()
        let request = UsersRequest()
        request.session = transport
        let pipeline = request.start()
        let gate = Gate()
        let task = Task {
            try? await gate.pass()
            return try await pipeline.value
        }
        task.cancel()
        let error = await expectFailure(.cancelled) { try await task.value }
        #expect(error?.url?.absoluteString == "https://jsonplaceholder.typicode.com/users")
        #expect(transport.sent.elements.isEmpty)
    }

    @Test func `a task that is cancelled while a stub responds fails`() async throws {
        let request = UsersRequest()
        let fixture = fixture
        request.dataTaskPipeline = Pipeline { () async throws(any Error) in
            withUnsafeCurrentTask { $0?.cancel() }
            return DataResponse(statusCode: 200, headers: ["Content-Type": "application/json"], data: fixture)
        }
        let pipeline = request.startRequest()
        let task = Task { try await pipeline.value }
        await expectFailure(.cancelled) { try await task.value }
    }
}

struct `A scheduled request` {
    let fixture = Data(#"[{"id": 1, "name": "Ada"}]"#.utf8)

    @Test func `a scheduled request is sent once for any number of waiting tasks`() async throws {
        let transport = RecordingTransport(
            response: DataResponse(
                statusCode: 200, headers: ["Content-Type": "application/json"], data: fixture))
        let request = UsersRequest()
        request.session = transport
        let response = request.schedule()
        #expect(transport.sent.elements.isEmpty)
        let waiters = (0..<10).map { _ in Task { try await response.value } }
        for waiter in waiters { #expect(try await waiter.value.count == 1) }
        #expect(try await response.pipeline.map(\.count).value == 1)
        #expect(transport.sent.elements.count == 1)
    }

    @Test func `a request scheduled with a service uses its base URL and header fields`() async throws {
        let transport = RecordingTransport()
        let request = UsersRequest()
        request.session = transport
        _ = await request.schedule(with: .placeholder).result
        let sent = try #require(transport.sent.elements.first?.urlRequest)
        #expect(sent.url?.absoluteString == "https://staging.example.com/api/users")
        #expect(sent.value(forHTTPHeaderField: "Accept") == "application/json")
        #expect(sent.value(forHTTPHeaderField: "X-Tenant") == "blue")
        _ = await request.schedule().result
        #expect(transport.sent.elements.last?.urlRequest.url?.host == "jsonplaceholder.typicode.com")
    }

    @Test func `the header fields of a request take precedence over those of the service`() async throws {
        let transport = RecordingTransport()
        let request = APIProbe()
        request.session = transport
        request.headers["X-Tenant"] = "green"
        _ = await request.schedule(with: .placeholder).result
        #expect(transport.sent.elements.first?.urlRequest.value(forHTTPHeaderField: "X-Tenant") == "green")
    }

    private final class APIProbe: APIBase, Request {
        func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
    }

    @Test func `a scheduled request uses the session of its service`() async throws {
        let transport = RecordingTransport()
        let elsewhere = APIService(baseURL: "http://elsewhere.example", session: transport)
        _ = await UsersRequest().schedule(with: elsewhere).result
        #expect(transport.sent.elements.count == 1)
    }
}
