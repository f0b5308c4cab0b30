import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

struct `Contract: faults of server and network` {
    let server: MockServer

    init() throws {
        server = try MockServer()
    }

    private func respond(with response: MockResponse) {
        server.onAny { _ in response }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a refused connection fails the request`(_ transport: TransportUnderTest) async throws {
        let refusing = try MockServer.refusing()
        await expectTransportFailure(.cannotConnectToHost) {
            try await Probe(refusing.url, transport.make()).start().value
        }
    }

    @Test(.deep(.names), arguments: TransportUnderTest.allCases)
    func `an unknown host fails the request`(_ transport: TransportUnderTest) async throws {
        let nowhere = try #require(URL(string: "http://no-such-host.invalid"))
        await expectTransportFailure(.cannotFindHost) { try await Probe(nowhere, transport.make()).start().value }
    }

    static let cuts: [MockFault] = [.closeBeforeHead, .closeInBody(after: 3), .resetInBody(after: 3)]

    @Test(arguments: TransportUnderTest.allCases, cuts.indices)
    func `a truncated response fails the request instead of returning data`(
        _ transport: TransportUnderTest, _ cut: Int
    ) async throws {
        respond(with: .text("0123456789").with(fault: Self.cuts[cut]))
        await expectTransportFailure(.networkConnectionLost) { try await transport.probe(server).start().value }
        respond(with: .chunked([Data("01234".utf8), Data("56789".utf8)]).with(fault: Self.cuts[cut]))
        await expectTransportFailure(.networkConnectionLost) { try await transport.probe(server).start().value }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a body shorter than its Content-Length fails the request`(_ transport: TransportUnderTest) async throws {
        respond(with: .text("0123456789").with(fault: .wrongContentLength(by: 5)))
        await expectTransportFailure(.networkConnectionLost) { try await transport.probe(server).start().value }
    }

    @Test(arguments: TransportUnderTest.allCases, ["garbage\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n", "SSH-2.0-x\r\n"])
    func `a response that is not HTTP fails the request`(
        _ transport: TransportUnderTest, _ bytes: String
    ) async throws {
        respond(with: .raw(bytes))
        await expectTransportFailure(.cannotParseResponse) { try await transport.probe(server).start().value }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a body that arrives byte by byte is assembled`(_ transport: TransportUnderTest) async throws {
        respond(with: .text("0123456789").with(fault: .drip(bytesAtATime: 1)))
        #expect(try await transport.probe(server).start().value.data == Data("0123456789".utf8))
        respond(with: .chunked([Data("01234".utf8), Data("56789".utf8)]).with(fault: .drip(bytesAtATime: 1)))
        #expect(try await transport.probe(server).start().value.data == Data("0123456789".utf8))
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a 401 response with a Basic challenge is returned`(_ transport: TransportUnderTest) async throws {
        respond(with: .text("who are you?", statusCode: 401).with(header: "WWW-Authenticate", "Basic realm=\"x\""))
        let response = try await transport.probe(server).start().value
        #expect(response.statusCode == 401)
        #expect(response.data == Data("who are you?".utf8))
        #expect(server.requests.count == 1)
    }

    /// There is no stall inside the head, because `URLSession` on Linux traps if the server closes the connection
    /// there.
    static let stalls: [MockFault] = [.stallBeforeHead, .stallInBody(after: 3)]

    @Test(arguments: TransportUnderTest.allCases, stalls.indices)
    func `a stalling server fails the request after the request's timeout`(
        _ transport: TransportUnderTest, _ stall: Int
    ) async throws {
        respond(with: .text("0123456789").with(fault: Self.stalls[stall]))
        let request = transport.probe(server)
        request.timeoutInterval = 0.05
        let error = await expectFailure(.timedOut) { try await request.start().value }
        #expect(error?.attempts == 1)
    }

    /// Each pause is shorter than the idle timeout, but their sum is longer.
    @Test(arguments: TransportUnderTest.allCases)
    func `a response that arrives slowly without an end fails after the resource timeout`(
        _ transport: TransportUnderTest
    ) async throws {
        let gate = Gate()
        respond(with: .text("0123456789").with(fault: .drip(bytesAtATime: 1) { try await gate.pass() }))
        let request = Probe(server.url, transport.make(resourceTimeout: 0.05))
        await expectFailure(.timedOut) { try await request.start().value }
        gate.open()
    }
}
