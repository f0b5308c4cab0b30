import Errand
import ErrandTesting
import TestSupport
import Testing

struct `An API class` {
    let fixture = Data(#"[{"id": 1, "name": "Ada"}]"#.utf8)

    @Test func `sends what its hooks built and decodes what came`() async throws {
        let request = UsersRequest()
        request.dataTaskPipeline = request.stubJSONResponse(statusCode: 200, data: fixture)
        #expect(try await request.start().value == [User(id: 1, name: "Ada")])
        let built = try #require(request.request)
        #expect(built.url?.absoluteString == "https://jsonplaceholder.typicode.com/users")
        #expect(built.value(forHTTPHeaderField: "accept") == "application/json")
        #expect(built.httpMethod == "GET")
    }

    @Test func `builds on the caller's thread, when it is started, and sends only when it is run`() async throws {
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

    @Test func `lets a subclass compute its headers`() throws {
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

    @Test func `encodes a body that a subclass computes and names its type`() throws {
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

    @Test func `leaves a content type out where there is no body, and lets a header field win`() throws {
        let request = APIBase()
        request.baseURL = URL(string: "https://example.com")
        #expect(try request.buildURLRequest().value(forHTTPHeaderField: "Content-Type") == nil)
        request.body = .json("a,b")
        request.headers["content-type"] = "text/csv"
        #expect(try request.buildURLRequest().value(forHTTPHeaderField: "Content-Type") == "text/csv")
    }

    @Test(arguments: [RequestMethod.get, .head, .post, .put, .patch, .delete, .options, "PURGE", "purge", "M-SEARCH"])
    func `sends its method as it is written`(_ method: RequestMethod) async throws {
        let transport = RecordingTransport()
        let request = UsersRequest()
        request.session = transport
        request.method = method
        _ = try await request.sendRequest().value
        #expect(transport.sent.elements.first?.urlRequest.httpMethod == method.rawValue)
    }

    @Test func `passes what its own hook throws unchanged`() async {
        final class Failing: APIBase {
            override func buildURLRequest() throws -> URLRequest { throw Fault.first }
        }
        await #expect(throws: Fault.first) { try await Failing().sendRequest().value }
    }

    @Test func `is let go of while its pipeline is running`() async throws {
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

    @Test func `sends nothing for a task that is cancelled already`() async throws {
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
}

struct `A scheduled request` {
    let fixture = Data(#"[{"id": 1, "name": "Ada"}]"#.utf8)

    @Test func `is sent once however many wait for it`() async throws {
        let transport = RecordingTransport(
            answer: DataResponse(
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

    @Test func `goes to another service, whose headers give way to its own`() async throws {
        let transport = RecordingTransport()
        let request = UsersRequest()
        request.session = transport
        _ = await request.schedule(with: Staging()).result
        let sent = try #require(transport.sent.elements.first?.urlRequest)
        #expect(sent.url?.absoluteString == "https://staging.example.com/api/users")
        #expect(sent.value(forHTTPHeaderField: "Accept") == "application/json")
        #expect(sent.value(forHTTPHeaderField: "X-Tenant") == "blue")
        _ = await request.schedule().result
        #expect(transport.sent.elements.last?.urlRequest.url?.host == "jsonplaceholder.typicode.com")
    }

    @Test func `keeps the header fields it has itself`() async throws {
        let transport = RecordingTransport()
        let request = APIProbe()
        request.session = transport
        request.headers["X-Tenant"] = "green"
        _ = await request.schedule(with: Staging()).result
        #expect(transport.sent.elements.first?.urlRequest.value(forHTTPHeaderField: "X-Tenant") == "green")
    }

    private final class APIProbe: APIBase, Request {
        func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
    }

    @Test func `goes over the session of its service`() async throws {
        struct Elsewhere: APIService {
            let baseURL = URL(string: "http://elsewhere.example")
            let transport: RecordingTransport
            var session: (any Transport)? { transport }
        }
        let transport = RecordingTransport()
        _ = await UsersRequest().schedule(with: Elsewhere(transport: transport)).result
        #expect(transport.sent.elements.count == 1)
    }
}
