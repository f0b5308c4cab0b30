#if canImport(CCurl)
import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

import ErrandWebSocket

/// A server that fails at each stage. Each failure causes one clear error, and no call hangs.
@Suite(.hangGuard) struct `WebSocket: server faults` {
    /// The point at which the server's bytes end.
    enum Stage: CaseIterable {
        case beforeHead, inHead, afterHead, inFrameHead, inPayload, betweenFragments, afterMessage

        /// The part of a complete conversation that the server sends.
        func bytes(_ head: String) -> [UInt8] {
            let whole: [UInt8] = [0x81, 0x02, 0x6F, 0x6B]
            return switch self {
            case .beforeHead: []
            case .inHead: Array(head.utf8.dropLast(10))
            case .afterHead: Array(head.utf8)
            case .inFrameHead: Array(head.utf8) + [0x81]
            case .inPayload: Array(head.utf8) + whole.dropLast()
            case .betweenFragments: Array(head.utf8) + [0x01, 0x02, 0x6F, 0x6B]
            case .afterMessage: Array(head.utf8) + whole
            }
        }
    }

    enum End: CaseIterable {
        case close, reset
    }

    private let transport: CurlTransport

    init() {
        var configuration = CurlConfiguration()
        configuration.proxy = .none
        transport = CurlTransport(configuration)
    }

    private func socket(
        _ server: RawServer, clock: any Clock<Duration> = ContinuousClock(),
        _ change: (inout WebSocketOptions) -> Void = { _ in }
    ) -> WebSocket<String, String> {
        let request = TextRequest(server.url, WebSocketOptions(clock: clock, change))
        request.session = transport
        return request.startWebSocket()
    }

    /// The head of the response to a request.
    static func response(to head: String) -> String {
        let key = head.components(separatedBy: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") }
        let accept = WebSocketClientHandshake.accept(for: String(key?.dropFirst(19) ?? ""))
        return "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(accept)\r\n\r\n"
    }

    @Test(arguments: Stage.allCases, End.allCases)
    func `a WebSocket whose server closes or resets the connection fails once`(
        _ stage: Stage, _ end: End
    ) async throws {
        let server = try RawServer { connection in
            // A socket that is closed with unread bytes resets its connection.
            let head = end == .reset ? connection.readHead(leaving: 1) : connection.readHead()
            try connection.write(Data(stage.bytes(Self.response(to: head))))
        }
        let socket = socket(server)
        var iterator = socket.makeAsyncIterator()
        let first = await Result { try await iterator.next() }
        // A reset may discard the bytes that were sent before it.
        if stage == .afterMessage, end == .close { #expect(try first.get()?.get() == "ok") }
        let last = (try? first.get()) == nil ? first : await Result { try await iterator.next() }
        await expectTransportFailure(.networkConnectionLost) { try last.get() }
        let late = await #expect(throws: ErrandError.self) { try await socket.send("late") }
        let isOpen = ![.beforeHead, .inHead].contains(stage)
        #expect((late?.reason == "the connection of the WebSocket was lost") == isOpen)
    }

    @Test(arguments: Stage.allCases)
    func `a WebSocket whose server stalls can be cancelled at any stage`(_ stage: Stage) async throws {
        let ended = Gate()
        let written = Gate()
        let server = try RawServer { connection in
            let head = connection.readHead()
            try connection.write(Data(stage.bytes(Self.response(to: head))))
            written.open()
            connection.readToEnd()
            ended.open()
        }
        let socket = socket(server, clock: ManualClock())
        let reading = Task { try await socket.elements() }
        try await written.pass()
        reading.cancel()
        await expectFailure(.cancelled) { try await reading.value }
        try await ended.pass()
    }

    @Test(arguments: [Stage.beforeHead, .inHead])
    func `a WebSocket whose server stalls in the handshake fails after the timeout`(_ stage: Stage) async throws {
        let clock = ManualClock()
        let written = Gate()
        let server = try RawServer { connection in
            let head = connection.readHead()
            try connection.write(Data(stage.bytes(Self.response(to: head))))
            written.open()
            connection.readToEnd()
        }
        let socket = socket(server, clock: clock)
        let reading = Task { try await socket.elements() }
        try await written.pass()
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(60))
        await expectFailure(.timedOut) { try await reading.value }
    }

    @Test func `a WebSocket reads a handshake and frames that arrive byte by byte`() async throws {
        let server = try RawServer { connection in
            let head = connection.readHead()
            let bytes = Stage.afterMessage.bytes(Self.response(to: head)) + [0x88, 0x02, 0x03, 0xE8]
            for byte in bytes { try connection.write(Data([byte])) }
            connection.readToEnd()
        }
        #expect(try await socket(server, { $0.closeTimeout = .zero }).elements().map { try $0.get() } == ["ok"])
    }

    @Test(
        arguments: [
            ("a masked frame", [0x81, 0x82, 1, 2, 3, 4, 5, 6], 1002), ("a reserved opcode", [0x83, 0x00], 1002),
            ("a reserved bit", [0xA1, 0x00], 1002), ("invalid UTF-8", [0x81, 0x01, 0xFF], 1007),
            ("a continuation without a message", [0x80, 0x00], 1002), ("a bad close", [0x88, 0x01, 0x03], 1002),
            ("a long frame", [0x82, 0x7F, 0x00, 0x00, 0x00, 0x01, 0, 0, 0, 0], 1009),
            ("a long ping", [0x89, 0x7E, 0x00, 0x7E], 1002),
            ("compression that was not agreed on", [0xC1, 0x01, 0x00], 1002),
        ] as [(String, [UInt8], Int)])
    func `a protocol violation by the server fails once and is reported in the close frame`(
        _ name: String, _ bytes: [UInt8], _ code: Int
    ) async throws {
        let received = Recorder<[UInt8]>()
        let ended = Gate()
        let server = try RawServer { connection in
            let head = connection.readHead()
            try connection.write(Data(Array(Self.response(to: head).utf8) + bytes))
            var all = Data()
            while case let more = connection.read(), !more.isEmpty { all += more }
            received.record(Array(all))
            ended.open()
        }
        let expected: ErrandError.Code = code == 1009 ? .webSocketMessageTooBig : .webSocketProtocolViolated
        await expectFailure(expected) { try await socket(server).elements() }
        try await ended.pass()
        let frame = try #require(received.elements.first)
        #expect(frame.prefix(2) == [0x88, 0x82], "\(name)")
        let payload = zip(frame.dropFirst(6), frame.dropFirst(2)).map { $0 ^ $1 }
        #expect(payload == [UInt8(code >> 8), UInt8(code & 0xFF)], "\(name)")
    }

    @Test(arguments: [
        "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: AAAA\r\n\r\n",
        "HTTP/1.1 101 x\r\n\r\n", "HTTP/1.0 101 x\r\nUpgrade: websocket\r\n\r\n",
        "HTTP/1.1 101 x\nUpgrade: websocket\n\n\r\n\r\n",
        "SSH-2.0-OpenSSH\r\n\r\n\r\n", "HTTP/1.1 100 x\r\n\r\nHTTP/1.1 099 x\r\n\r\n",
        String(repeating: "HTTP/1.1 103 x\r\n\r\n", count: 20), String(repeating: "x", count: 70_000),
    ])
    func `a response that is not a handshake is rejected`(_ response: String) async throws {
        let server = try RawServer { connection in
            _ = connection.readHead()
            try connection.write(response)
            connection.readToEnd()
        }
        await expectFailure(.webSocketHandshakeFailed) { try await socket(server).open() }
    }

    @Test(arguments: [1, 15, 16])
    func `up to 15 informational responses before the upgrade are ignored`(_ count: Int) async throws {
        let server = try RawServer { connection in
            let head = connection.readHead()
            let hints = String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", count: count)
            try connection.write(hints + Self.response(to: head))
            connection.readToEnd()
        }
        let socket = socket(server)
        if count == 16 {
            await expectFailure(.webSocketHandshakeFailed) { try await socket.open() }
        } else {
            #expect(try await socket.open().subprotocol == nil)
        }
    }

    @Test func `a WebSocket closes in time if the server only sends and never reads`() async throws {
        let clock = ManualClock()
        let stop = Locked(false)
        let server = try RawServer { connection in
            let head = connection.readHead()
            try connection.write(Self.response(to: head))
            while !stop.withLock({ $0 }) { try connection.write(Data([0x82, 0x7E, 0x40, 0x00]) + Data(count: 0x4000)) }
        }
        let socket = socket(server, clock: clock)
        try await socket.open()
        let closing = Task { try await socket.close() }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        #expect(try await closing.value.code == .abnormal)
        stop.withLock { $0 = true }
    }
}

extension TestSupport.RawConnection {
    /// Reads a head except for its last bytes, which stay unread.
    fileprivate func readHead(leaving count: Int) -> String {
        var head = Data()
        let end = Array("Sec-WebSocket-Version: 13\r\n".utf8)
        while !head.suffix(end.count).elementsEqual(end), case let byte = read(atMost: 1), !byte.isEmpty {
            head += byte
        }
        return String(decoding: head, as: UTF8.self)
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
#endif
