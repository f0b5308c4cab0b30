import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `Streams: server faults` {
    /// How a body is read.
    enum Reading: CaseIterable {
        case bytes
        case lines
        case values
        case sequence
        case events

        /// A body of two elements, except for bytes.
        var text: String {
            switch self {
            case .bytes, .lines, .values: "11\n22\n"
            case .sequence: "\u{1E}11\n\u{1E}22\n"
            case .events: "data: 11\n\ndata: 22\n\n"
            }
        }

        /// Reads the whole body; `each` is called for every element.
        func read(_ stream: ResponseStream, each: @Sendable () -> Void = {}) async throws {
            switch self {
            case .bytes: for try await _ in stream.bytes { each() }
            case .lines: for try await _ in stream.lines() { each() }
            case .values: for try await _ in stream.values(of: Int.self) { each() }
            case .sequence: for try await _ in stream.values(of: Int.self, framing: .textSequence) { each() }
            case .events: for try await _ in try await stream.open().body.events() { each() }
            }
        }
    }

    private final class ListRequest: APIBase, StreamingRequest {
        init(_ url: URL) {
            super.init()
            baseURL = url
            timeoutInterval = .hangGuard
        }
        func startStream() -> ResponseStream { sendStream() }
    }

    private func server(_ reading: Reading, _ fault: MockFault) throws -> MockServer {
        let server = try MockServer()
        let chunks = reading.text.utf8.map { Data([$0]) }
        server.onAny { _ in .chunked(chunks).with(fault: fault) }
        return server
    }

    @Test(
        arguments: Reading.allCases,
        [
            MockFault.closeBeforeHead, .closeInBody(after: 0), .closeInBody(after: 4), .closeInBody(after: .max),
            .resetBeforeHead, .resetInBody(after: 0), .resetInBody(after: 4),
        ])
    func `a stream whose server closes or resets the connection fails once`(
        _ reading: Reading, _ fault: MockFault
    ) async throws {
        let server = try server(reading, fault)
        let request = ListRequest(server.url)
        await expectTransportFailure(.networkConnectionLost) { try await reading.read(request.startStream()) }
        try await server.waitUntil(openConnections: 0)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: Reading.allCases)
    func `a stream whose server closes within the head fails`(_ reading: Reading) async throws {
        let server = try server(reading, .closeInHead(after: 12))
        let request = ListRequest(server.url)
        let error = await expectFailure(.transportFailed) { try await reading.read(request.startStream()) }
        #expect(error?.url?.port == server.url.port)
        try await server.waitUntil(openConnections: 0)
    }

    @Test(
        arguments: Reading.allCases,
        [MockFault.stallBeforeHead, .stallInHead(after: 12), .stallInBody(after: 0), .stallInBody(after: 4)])
    func `a stream whose server stalls can be cancelled, which closes the connection`(
        _ reading: Reading, _ fault: MockFault
    ) async throws {
        let server = try server(reading, fault)
        let stream = ListRequest(server.url).startStream()
        let task = Task { try await reading.read(stream) }
        _ = try await server.takeRequest()
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        try await server.waitUntil(openConnections: 0)
    }

    @Test(arguments: Reading.allCases)
    func `a stream whose server sends single bytes is read completely`(_ reading: Reading) async throws {
        let server = try server(reading, .drip(bytesAtATime: 1))
        let count = Locked(0)
        try await reading.read(ListRequest(server.url).startStream()) { count.withLock { $0 += 1 } }
        #expect(count.withLock { $0 } == (reading == .bytes ? 6 : 2))
    }

    @Test(arguments: Reading.allCases)
    func `cancelling a reader of any kind closes the connection of a stalled stream`(_ reading: Reading) async throws {
        struct Enough: Error {}
        let server = try server(reading, .stallInBody(after: 12))
        let stream = ListRequest(server.url).startStream()
        let gate = Gate()
        let task = Task {
            try await reading.read(stream) { Task { try await gate.pass() } }
        }
        try await gate.waitForArrivals(1)
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
        try await server.waitUntil(openConnections: 0)
    }
}
