import Errand
import TestSupport
import Testing

struct `The responses that an API accepts` {
    struct Item: Codable, Equatable { var createdAt: String }

    class LibraryAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://library.example.com")
            acceptedStatusCodes = 200..<300
            acceptedContentTypes = [.json, "application/*+json"]
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            self.decoder = decoder
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            self.encoder = encoder
        }
    }

    final class ItemRequest: LibraryAPI, Request {
        func start() -> Pipeline<Item, any Error> { sendRequest().decode(Item.self) }
    }

    private func stubbed(_ status: Int, type: String = "application/json") -> ItemRequest {
        let request = ItemRequest()
        request.dataTaskPipeline = request.stubResponse(
            statusCode: status, data: Data(#"{"created_at": "now"}"#.utf8), headers: ["Content-Type": type])
        return request
    }

    @Test func `accepted status codes and content types are declared once for a class`() async throws {
        #expect(try await stubbed(200).start().value == Item(createdAt: "now"))
        await expectFailure(.unacceptableStatusCode) { try await stubbed(404).start().value }
        await expectFailure(.unacceptableContentType) { try await stubbed(200, type: "text/html").start().value }
    }

    @Test func `a request can accept more or fewer responses than its class`() async throws {
        let widened = stubbed(404)
        widened.acceptedStatusCodes?.insert(404)
        #expect(try await widened.start().value == Item(createdAt: "now"))
        let narrowed = stubbed(201)
        narrowed.acceptedStatusCodes = [200]
        await expectFailure(.unacceptableStatusCode) { try await narrowed.start().value }
        let open = stubbed(200, type: "text/html")
        open.acceptedContentTypes = nil
        #expect(try await open.start().value == Item(createdAt: "now"))
    }

    @Test(arguments: ["application/vnd.library+json", "application/json; charset=utf-8", "APPLICATION/JSON"])
    func `accepted content types match types with a suffix or parameters`(_ type: String) async throws {
        #expect(try await stubbed(200, type: type).start().value == Item(createdAt: "now"))
    }

    @Test func `a decoder or encoder passed to a call overrides that of the API`() async throws {
        #expect(try await stubbed(200).start().value == Item(createdAt: "now"))
        await expectFailure(.decodingFailed) {
            try await stubbed(200).sendRequest().decode(Item.self, decoder: JSONDecoder()).value
        }
        let request = stubbed(200)
        request.method = .post
        request.body = .json(Item(createdAt: "later"))
        #expect(try request.buildURLRequest().httpBody == Data(#"{"created_at":"later"}"#.utf8))
        request.body = .json(Item(createdAt: "later"), encoder: JSONEncoder())
        #expect(try request.buildURLRequest().httpBody == Data(#"{"createdAt":"later"}"#.utf8))
    }

    @Test func `a class can compute its decoder`() async throws {
        final class Computed: APIBase, Request {
            override var decoder: (any DataDecoder)? {
                get { PropertyListDecoder() }
                set {}
            }
            func start() -> Pipeline<[String], any Error> { sendRequest().decode([String].self) }
        }
        let request = Computed()
        request.baseURL = URL(string: "https://library.example.com")
        request.dataTaskPipeline = request.stubResponse(data: try PropertyListEncoder().encode(["a"]))
        #expect(try await request.start().value == ["a"])
    }

    private static let snake = JSONDecoder.snakeCase

    @Test func `an endpoint uses its own decoder or that of its service`() async throws {
        let service = APIService(baseURL: "library.example.com", decoder: Self.snake)
        let plain = Endpoint<Item>.get()
        let own = Endpoint<Item>.get(settings: RequestSettings(decoder: JSONDecoder()))
        let stub = plain.stubJSONResponse(data: Data(#"{"created_at": "now"}"#.utf8))
        #expect(try await service.send(plain, stub: stub).value == Item(createdAt: "now"))
        await expectFailure(.decodingFailed) { try await service.send(own, stub: stub).value }
    }

    @Test func `an endpoint can have an error document, which its decoder decodes`() async throws {
        struct Trouble: Decodable, Sendable { var errorCode: Int }
        let settings = RequestSettings(
            baseURL: "library.example.com", decoder: Self.snake, errorDocument: Trouble.self)
        let failing = Endpoint<Item>.get(settings: settings)
        let stub = failing.stubJSONResponse(statusCode: 422, data: Data(#"{"error_code": 7}"#.utf8))
        let error = await expectFailure(.unacceptableStatusCode) { try await failing.schedule(stub: stub).value }
        #expect(error?.payload(as: Trouble.self)?.errorCode == 7)
        // That of the request counts, also if its service has another one.
        let service = APIService(baseURL: "library.example.com", errorDocument: ProblemDetails.self)
        let same = await expectFailure(.unacceptableStatusCode) { try await service.send(failing, stub: stub).value }
        #expect(same?.payload(as: Trouble.self)?.errorCode == 7)
        let other = await expectFailure(.unacceptableStatusCode) {
            try await service.send(Endpoint<Item>.get(), stub: stub).value
        }
        #expect(other?.payload(as: ProblemDetails.self) != nil)
    }
}

extension JSONDecoder {
    fileprivate static var snakeCase: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }
}

struct `A request object` {
    final class UsersRequest: APIBase, Request {
        override init() {
            super.init()
            baseURL = URL(string: "https://api.example.com/v1")
            path = "/users"
            query = ["token": "secret"]
        }
        func start() -> Pipeline<Data, any Error> { sendRequest().map(\.data) }
    }

    @Test func `the description of a request has its type, method and URL without secrets`() {
        #expect("\(UsersRequest())" == "UsersRequest: GET https://api.example.com/v1/users?token=***")
        var dumped = ""
        dump(UsersRequest(), to: &dumped)
        #expect(dumped.contains("/v1/users"))
        #expect(!dumped.contains("secret"))
    }

    @Test func `a request can set a whole URL`() async throws {
        let transport = RecordingTransport()
        let request = UsersRequest()
        request.session = transport
        request.url = URL(string: "https://elsewhere.example.com/next?page=2")
        _ = try await request.start().value
        #expect(
            transport.sent.elements.first?.urlRequest.url?.absoluteString
                == "https://elsewhere.example.com/next/users?page=2&token=secret")
    }
}

struct `An interceptor that breaks its contract` {
    struct Changing: Interceptor {
        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            var request = request
            request.urlRequest.httpMethod = "DELETE"
            return try await next(request)
        }
    }

    struct Twice: Interceptor {
        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            _ = try await next(request)
            return try await next(request)
        }
    }

    struct Stubborn: Interceptor {
        let gate: Gate
        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            try? await gate.pass()
            return DataResponse(statusCode: 200)
        }
    }

    final class Probe: APIBase, Request {
        override init() {
            super.init()
            baseURL = URL(string: "https://api.example.com")
            dataTaskPipeline = stubResponse()
        }
        func start() -> Pipeline<Data, any Error> { sendRequest().map(\.data) }
    }

    @Test func `an interceptor that changes the method fails the request`() async {
        let request = Probe()
        request.interceptors = [Changing()]
        let error = await expectFailure(.invalidMethod) { try await request.start().value }
        #expect(error?.reason == "an interceptor changed the method from GET to DELETE")
    }

    @Test func `an interceptor that sends a one-time body twice fails the request`() async {
        let request = Probe()
        request.method = .put
        request.body = .stream(BodyStream(InputStream(data: Data("once".utf8))))
        request.interceptors = [Twice()]
        await expectFailure(.bodyStreamAlreadyOpened) { try await request.start().value }
    }

    @Test func `a response that an interceptor returns after cancellation is dropped`() async throws {
        let request = Probe()
        let gate = Gate()
        request.interceptors = [Stubborn(gate: gate)]
        let pipeline = request.start()
        let task = Task { try await pipeline.value }
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
    }
}
