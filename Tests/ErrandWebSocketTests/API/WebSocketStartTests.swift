import ErrandTesting
import ErrandWebSocket
import ErrandWebSocketTesting
import TestSupport
import Testing

@testable import Errand

/// What a WebSocket has from its class, its service and the test's network, as every request has.
@Suite(.hangGuard) struct `A WebSocket of a class or a service` {
    struct Reading: Codable, Hashable, Sendable { var sensorName: String }
    struct Trouble: Decodable, Hashable, Sendable { var errorCode: Int }

    class SensorAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://sensors.example.com")
        }

        /// Gives the class the coders of ``snake``.
        func useSnakeCase() {
            var decoder = FastJSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            self.decoder = decoder
            var encoder = FastJSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            self.encoder = encoder
        }
    }

    final class SensorRequest: SensorAPI, WebSocketRequest {
        func startWebSocket() -> WebSocket<Reading, Reading> { webSocket(.json()) }
    }

    private let snake: APIService = {
        let api = SensorAPI()
        api.useSnakeCase()
        return APIService(baseURL: "https://sensors.example.com", decoder: api.decoder, encoder: api.encoder)
    }()

    private let reading = Reading(sensorName: "door")

    /// Sends a reading over a WebSocket, whose peer responds with one, and returns the sent text.
    private func exchange(
        _ request: SensorRequest, _ start: (SensorRequest) -> WebSocket<Reading, Reading>
    ) async throws -> [String] {
        let sent = Recorder<String>()
        request.webSocketStub = request.stubWebSocket { peer in
            while let message = try await peer.receive() {
                sent.record(message.text ?? "")
                try await peer.send(#"{"sensor_name": "door"}"#)
            }
        }
        let socket = start(request)
        try await socket.send(reading)
        // The message was recorded when its reply arrives.
        #expect(try await socket.nextValue() == reading)
        try await socket.close()
        return sent.elements
    }

    @Test func `the coders of an API decode and encode the messages of a WebSocket`() async throws {
        let request = SensorRequest()
        request.useSnakeCase()
        #expect(try await exchange(request) { $0.startWebSocket() } == [#"{"sensor_name":"door"}"#])
    }

    @Test func `the coders of a service are used for messages if the class declares none`() async throws {
        let sent = try await exchange(SensorRequest()) { $0.startWebSocket(with: snake) }
        #expect(sent == [#"{"sensor_name":"door"}"#])
    }

    @Test func `the decoder of a class decodes the error document of a service for a refusal`() async throws {
        let service = APIService(acceptedStatusCodes: 200..<300, errorDocument: Trouble.self)
        let request = SensorRequest()
        request.useSnakeCase()
        request.webSocketStub = request.stubWebSocket(refusing: 400, data: Data(#"{"error_code": 8}"#.utf8))
        let refusal = await expectFailure(.unacceptableStatusCode) {
            try await request.startWebSocket(with: service).open()
        }
        #expect(refusal?.payload(as: Trouble.self) == Trouble(errorCode: 8))
    }

    private struct LibraryError: Error {
        var code: ErrandError.Code?
        var conversions = 1
    }

    private class LibraryAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://library.example.com")
        }

        override class func mapError(_ error: any Error) -> any Error {
            if var error = error as? LibraryError {
                error.conversions += 1
                return error
            }
            return LibraryError(code: (error as? ErrandError)?.code)
        }
    }

    private final class RoomRequest: LibraryAPI, WebSocketRequest {
        func startWebSocket() -> WebSocket<String, String> {
            path = "/room"
            return webSocket(.text)
        }
    }

    private struct Converted: Error {
        let cause: any Error
    }

    private let library = APIService(baseURL: "https://library.example.com", mapError: { Converted(cause: $0) })

    @Test func `an API class converts the errors of a WebSocket once, and a service after it`() async {
        let request = RoomRequest()
        request.webSocketStub = request.stubWebSocket(error: URLError(.cannotConnectToHost))
        let opening = await #expect(throws: LibraryError.self) { try await request.startWebSocket().open() }
        #expect(opening?.code == .transportFailed)
        #expect(opening?.conversions == 1)
        let reading = await #expect(throws: LibraryError.self) { for try await _ in request.startWebSocket() {} }
        #expect(reading?.conversions == 1)
        let served = await #expect(throws: Converted.self) {
            try await request.startWebSocket(with: library).open()
        }
        #expect((served?.cause as? LibraryError)?.code == .transportFailed)
    }

    private struct Passing: Interceptor {
        let passed: Recorder<Int>

        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            passed.record(1)
            return try await next(request)
        }
    }

    @Test func `a session that cannot open a WebSocket fails it before the interceptors`() async {
        let passed = Recorder<Int>()
        let request = SensorRequest()
        request.session = RecordingTransport()
        request.interceptors = [Passing(passed: passed)]
        let error = await #expect(throws: Converted.self) { try await request.startWebSocket(with: library).open() }
        #expect((error?.cause as? ErrandError)?.code == .unsupportedByTransport)
        #expect(passed.elements.isEmpty)
    }

    @Test func `an invalid setting of a service is reported with the path of the WebSocket`() async {
        let error = await expectFailure(.invalidURL) {
            try await Room().startWebSocket(with: APIService(baseURL: "not a host")).open()
        }
        #expect(error?.url?.path == "/room")
    }

    private final class Room: APIBase, WebSocketRequest {
        var background: @Sendable () async throws -> Void = {}

        override init() {
            super.init()
            path = "/room"
        }

        func startWebSocket() -> WebSocket<String, String> {
            webSocket(.text) { [background] _, _ in try await background() }
        }
    }

    private struct Injecting: Interceptor {
        let name: String

        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            var request = request
            request.urlRequest.allHTTPHeaderFields = [name: "1"]
            return try await next(request)
        }
    }

    @Test(arguments: ["X-Field: a\r\nX-Injected", ""])
    func `an invalid header field set by an interceptor fails the handshake`(_ name: String) async {
        let room = Room()
        room.baseURL = URL(string: "https://library.example.com")
        room.interceptors = [Injecting(name: name)]
        room.webSocketStub = room.stubWebSocket { _ in }
        let error = await expectFailure(.invalidHeaderField) { try await room.startWebSocket().open() }
        #expect(error?.attempts == 0)
        #expect(error?.url?.path == "/room")
    }

    @Test func `a WebSocket as a value is opened by its service after it was validated and prepared`()
        async throws
    {
        let room = WebSocketEndpoint("/rooms/7", coding: .text)
            .prepare { $0.setValue("7", forHTTPHeaderField: "X-Room") }
        let stubs = RouteStubs()
        stubs.webSocket("/rooms/7", where: .header("X-Room", "7")) { peer in
            while case .text(let text)? = try await peer.receive() { try await peer.send("echo \(text)") }
        }
        try await stubs.run { () async throws in
            let socket = room.startWebSocket(with: library)
            try await socket.send("one")
            #expect(try await socket.nextValue() == "echo one")
            try await socket.close()
            await #expect(throws: Converted.self) {
                try await room.validate { throw URLError(.cannotOpenFile) }.startWebSocket(with: library).open()
            }
        }
    }

    @Test func `a WebSocket as a value needs no service if it has a URL`() async throws {
        let room = WebSocketEndpoint(url: URL(string: "wss://library.example.com/rooms/7"), coding: .text)
        let stubs = RouteStubs()
        stubs.webSocket("/rooms/7") { peer in try await peer.send("hello") }
        try await stubs.run { () async throws in
            #expect(try await room.startWebSocket().nextValue() == "hello")
        }
    }

    @Test func `a WebSocket as a value is opened over its stub`() async throws {
        let room = WebSocketEndpoint("/rooms/7", coding: .text)
        let stub = room.stubWebSocket { peer in try await peer.send("hello") }
        #expect(try await room.startWebSocket(with: library, stub: stub).nextValue() == "hello")
        let whole = WebSocketEndpoint(url: URL(string: "wss://library.example.com/rooms/7"), coding: .text)
        #expect(try await whole.startWebSocket(stub: stub).nextValue() == "hello")
    }

    /// A network without WebSockets.
    private final class Network: TestNetwork {
        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            DataResponse(statusCode: 200)
        }

        func webSocketStub(for request: TransportRequest) throws -> (any Transport)? {
            throw ErrandError(.unsupportedByTransport, reason: "no WebSockets here")
        }
    }

    @Test func `a WebSocket is opened on the test network`() async throws {
        let failure = await expectFailure(.unsupportedByTransport) {
            try await Network().asTestNetwork { try await RoomWithURL().startWebSocket().open() }
        }
        #expect(failure?.reason == "no WebSockets here")
    }

    private final class RoomWithURL: APIBase, WebSocketRequest {
        override init() {
            super.init()
            baseURL = URL(string: "https://library.example.com")
        }

        func startWebSocket() -> WebSocket<String, String> { webSocket(.text) }
    }

    private final class AuthenticationProbe: APIBase, Request {
        func start() -> Pipeline<String?, any Error> {
            baseURL = URL(string: "https://auth.example.com")
            return sendRequest().map { $0.url?.absoluteString }
        }
    }

    @Test func `a token for a WebSocket of a service is refreshed at its own server`() async throws {
        let urls = Recorder<String?>()
        let stubs = RouteStubs()
        stubs.on(.get, "/", .text("token"))
        stubs.webSocket("/room", times: .any) { peer in
            if let message = try await peer.receive() { try await peer.send(message) }
        }
        let room = Room()
        room.interceptors = [
            TokenAuthentication { _ in
                urls.record(try await AuthenticationProbe().start().value)
                urls.record(try await Probe().start().value)
                return AccessToken("new")
            }
        ]
        room.background = { urls.record(try await AuthenticationProbe().start().value) }
        try await stubs.run {
            let socket = room.startWebSocket(with: APIService(baseURL: "staging.example.com"))
            try await socket.send("hello")
            for try await _ in socket { break }
        }
        let own = "https://auth.example.com"
        #expect(urls.elements == [own, "https://staging.example.com", own])
    }

    private final class Probe: APIBase, Request {
        func start() -> Pipeline<String?, any Error> { sendRequest().map { $0.url?.absoluteString } }
    }

    /// What the greeting of a WebSocket finds.
    private struct Finding: Equatable {
        /// The URL to which a request without a server goes.
        var url: String?
        var isInRetry = RetryFacts.current != nil
        var hasReader = StreamReader.current != nil
        var isInProvider = ProviderCall.isActive
    }

    @Test func `the greeting of a WebSocket goes to the service and to the test's network, and belongs to no retry`()
        async throws
    {
        let findings = Recorder<Finding>()
        let stubs = RouteStubs()
        stubs.on(.get, "/", .text("probe"))
        stubs.webSocket("/room", times: .any) { peer in
            if let message = try await peer.receive() { try await peer.send(message) }
        }
        let room = Room()
        room.background = {
            var finding = Finding()
            finding.url = try await Probe().start().value
            findings.record(finding)
        }
        try await stubs.run {
            try await RetryFacts.$current.withValue(RetryFacts()) {
                try await StreamReader.$current.withValue(StreamReader(adding: [:])) {
                    let socket = room.startWebSocket(with: APIService(baseURL: "staging.example.com"))
                    try await socket.send("hello")
                    for try await _ in socket { break }
                }
            }
        }
        let expected = Finding(
            url: "https://staging.example.com", isInRetry: false, hasReader: false, isInProvider: false)
        #expect(findings.elements == [expected])
    }
}
