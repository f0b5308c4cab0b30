import TestSupport
import Testing

@testable import Errand

@Suite(.hangGuard) struct `Awaited header fields` {
    private final class Fetch: APIBase, Request {
        init(_ transport: RecordingTransport) {
            super.init()
            baseURL = URL(string: "https://library.example.com")
            session = transport
        }

        func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
    }

    private static let service = APIService(
        baseURL: "https://library.example.com",
        headers: HeaderFields([.init("Cookie", "a=0"), .init("Cookie", "b=0")]),
        asynchronousHeaders: { HeaderFields([.init("Cookie", "a=1"), .init("cookie", "b=2")]) })

    private static let repeated = HeaderFields([
        .init("Cookie", "a=1"), .init("Accept", "text/html"), .init("Cookie", "b=2"), .init("accept", "text/plain"),
    ])

    private func field(_ name: String, _ transport: RecordingTransport) throws -> String? {
        try #require(transport.sent.elements.first).urlRequest.value(forHTTPHeaderField: name)
    }

    @Test func `repeated asynchronous header fields are joined like those of the request`() async throws {
        let (transport, other) = (RecordingTransport(), RecordingTransport())
        let request = Fetch(transport)
        request.asynchronousHeaders = { Self.repeated }
        _ = try await request.start().value
        let plain = Fetch(other)
        plain.headers = Self.repeated
        _ = try await plain.start().value
        for transport in [transport, other] {
            #expect(try field("Cookie", transport) == "a=1; b=2")
            #expect(try field("Accept", transport) == "text/html, text/plain")
        }
    }

    @Test func `asynchronous fields of a service replace its repeated cookies`() async throws {
        let transport = RecordingTransport()
        _ = try await Fetch(transport).schedule(with: Self.service).value
        #expect(try field("Cookie", transport) == "a=1; b=2")
    }

    @Test(arguments: [1, 2])
    func `asynchronous header fields are awaited within the resource timeout`(ofAttempt number: Int) async {
        let counted = Recorder<Int>()
        let request = Fetch(RecordingTransport())
        request.resourceTimeout = number == 1 ? .milliseconds(50) : nil
        request.asynchronousHeaders = {
            counted.record(1)
            if counted.elements.count == number { try? await Gate().pass() }
            return [:]
        }
        request.interceptors = [Renewing(limit: .milliseconds(50))]
        let error = await expectFailure(.timedOut) { try await request.start().value }
        #expect(error?.reason == "the resourceTimeout passed while it waited for `asynchronousHeaders`")
    }

    @Test func `an asynchronous Accept replaces the one that an endpoint adds`() async throws {
        let transport = RecordingTransport(response: DataResponse(statusCode: 200, data: Data("1".utf8)))
        let service = APIService(
            baseURL: "https://library.example.com", session: transport,
            asynchronousHeaders: { ["Accept": "application/hal+json"] })
        _ = try await service.send(.get("/books", as: Int.self)).value
        #expect(try field("Accept", transport) == "application/hal+json")
    }

    @Test func `asynchronous header fields keep the case of their names`() async throws {
        let transport = RecordingTransport()
        let request = Fetch(transport)
        request.asynchronousHeaders = { ["X-API-Key": "k"] }
        _ = try await request.start().value
        let fields = try #require(transport.sent.elements.first).urlRequest.allHTTPHeaderFields
        #expect(fields?["X-API-Key"] == "k")
    }

    private struct Again: Retrier {
        func decide(after attempt: FailedAttempt) async -> RetryDecision { .retry(after: .zero) }
    }

    /// An interceptor that prepares a further attempt, as a retry does, with less time than the first one has.
    private struct Renewing: Interceptor {
        let limit: Duration

        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            var request = request
            request.resourceTimeout = limit
            return try await next(request.renewed())
        }
    }

    /// An interceptor that replaces or adds fields, as a signature does.
    private struct Setting: Interceptor {
        let fields: HeaderFields

        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            var request = request
            for field in fields { request.urlRequest.setValue(field.value, forHTTPHeaderField: field.name) }
            return try await next(request)
        }
    }

    @Test(arguments: [false, true])
    func `asynchronous header fields are awaited once for each attempt, wherever the retry stands`(
        _ isPolicy: Bool
    ) async throws {
        let counted = Recorder<Int>()
        let transport = RecordingTransport(response: DataResponse(statusCode: 503))
        let request = Fetch(transport)
        request.asynchronousHeaders = {
            counted.record(1)
            let number = counted.elements.count
            return number == 1
                ? ["X-Token": "1", "X-First": "1", "X-Set": "1"] : ["X-Token": "\(number)", "X-Set": "2"]
        }
        request.headers["X-Own"] = "own"
        if isPolicy {
            request.retryPolicy = RetryPolicy(backoff: .immediate)
            request.interceptors = [Setting(fields: ["X-Set": "interceptor"])]
        } else {
            request.interceptors = [
                Setting(fields: ["X-Set": "interceptor"]), RetryInterceptor(maximumAttempts: 3) { _ in Again() },
            ]
        }
        _ = try await request.start().value
        let sent = transport.sent.elements.map(\.urlRequest)
        #expect(sent.map { $0.value(forHTTPHeaderField: "X-Token") } == ["1", "2", "3"])
        #expect(sent.map { $0.value(forHTTPHeaderField: "X-First") } == ["1", nil, nil])
        #expect(sent.map { $0.value(forHTTPHeaderField: "X-Set") } == ["interceptor", "interceptor", "interceptor"])
        #expect(sent.allSatisfy { $0.value(forHTTPHeaderField: "X-Own") == "own" })
        #expect(counted.elements.count == 3)
    }

    @Test func `a retry whose asynchronous header fields fail is not sent`() async throws {
        let counted = Recorder<Int>()
        let transport = RecordingTransport(response: DataResponse(statusCode: 401))
        let request = Fetch(transport)
        request.asynchronousHeaders = {
            counted.record(1)
            if counted.elements.count == 2 { throw Fault.first }
            return ["Authorization": "old"]
        }
        request.interceptors = [RetryInterceptor { _ in Again() }]
        await #expect(throws: Fault.first) { try await request.start().value }
        #expect(transport.sent.elements.count == 1)
    }

    @Test(
        arguments: [
            (nil, 503, 3), (nil, 202, 1), (nil, 404, 3), (StatusCodes.all, 503, 1), ([200, 503], 503, 1),
            ([200], 202, 3), (.successful, 304, 3), (.successful, 204, 1),
        ] as [(StatusCodes?, Int, Int)])
    func `a retry repeats what the request does not accept`(
        _ accepted: StatusCodes?, _ statusCode: Int, _ attempts: Int
    ) async throws {
        let transport = RecordingTransport(response: DataResponse(statusCode: statusCode))
        let request = Fetch(transport)
        request.acceptedStatusCodes = accepted
        request.interceptors = [RetryInterceptor(maximumAttempts: 3) { _ in Again() }]
        _ = await request.start().result
        #expect(transport.sent.elements.count == attempts)
    }

    @Test func `an interceptor passes a value to those after it by its type`() async throws {
        struct Account: Sendable { var name: String }
        struct Naming: Interceptor {
            func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
                var request = request
                request[Account.self] = Account(name: "ursula")
                return try await next(request)
            }
        }
        struct Reading: Interceptor {
            let read: Recorder<String?>
            func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
                read.record(request[Account.self]?.name)
                return try await next(request)
            }
        }
        let read = Recorder<String?>()
        let request = Fetch(RecordingTransport())
        request.interceptors = [Reading(read: read), Naming(), Reading(read: read)]
        _ = try await request.start().value
        #expect(read.elements == [nil, "ursula"])
    }
}
