import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

/// The outcome of each fault for a client, as the guide lists it.
@Suite(.hangGuard) struct `Client of a faulty server` {
    enum Client: CaseIterable, Sendable {
        case curl
        case urlSession

        /// Returns the status and the body of the response, or the code of the transport's failure.
        func outcome(_ server: MockServer, posting body: Data? = nil) async -> String {
            let request = Probe(server.url, transport)
            if let body {
                request.method = .post
                request.body = .data(body)
            }
            do {
                let response = try await request.start().value
                return "\(response.statusCode) \(String(decoding: response.data, as: UTF8.self))"
            } catch {
                return "\(((error as? ErrandError)?.underlyingError as? URLError)?.code.rawValue ?? 0)"
            }
        }

        private var transport: any Transport {
            switch self {
            case .curl: CurlTransport()
            case .urlSession: URLSessionTransport(configuration: .errand)
            }
        }
    }

    private static let lost = "\(URLError.Code.networkConnectionLost.rawValue)"
    private static let unreadable = "\(URLError.Code.cannotParseResponse.rawValue)"
    private static let refused = "\(URLError.Code.cannotConnectToHost.rawValue)"

    @Test(
        arguments: Client.allCases,
        [
            (.closeBeforeHead, lost), (.closeInHead(after: 10), lost), (.closeInBody(after: 1), lost),
            (.resetBeforeHead, lost), (.resetInHead(after: 10), lost), (.resetInBody(after: 1), lost),
            (.wrongContentLength(by: 1), lost), (.wrongContentLength(by: -1), "200 abc"),
            (.drip(bytesAtATime: 1), "200 abcd"),
        ] as [(MockFault, String)])
    func `a response fault has the expected outcome in each client`(
        _ client: Client, _ fault: (fault: MockFault, outcome: String)
    ) async throws {
        let server = try MockServer()
        server.onAny { _ in .text("abcd").with(fault: fault.fault) }
        #expect(await client.outcome(server) == fault.outcome)
    }

    /// Not with `URLSession`, which traps on Linux at some of these faults.
    @Test(
        arguments: [
            (.closeInChunkSize(chunk: 1), lost), (.malformedChunkSize(chunk: 0), unreadable),
            (.wrongChunkSize(chunk: 0, by: -1), unreadable), (.closeInTrailers(after: 0), lost),
            (.closeInTrailers(after: 3), lost), (.malformedTrailer, unreadable),
        ] as [(MockFault, String)])
    func `a fault in a chunked response has the expected outcome`(_ fault: MockFault, _ outcome: String) async throws {
        let server = try MockServer()
        server.onAny { _ in
            .chunked([Data("ab".utf8), Data("cd".utf8)], trailers: ["X-Sum": "1"]).with(fault: fault)
        }
        let found = await Client.curl.outcome(server)
        #expect(found == outcome)
    }

    @Test(
        arguments: Client.allCases,
        [
            (.closeAtAccept, [lost]), (.resetAtAccept, [lost, refused]), (.closeAfterFirstBytes, [lost]),
            (.resetAfterFirstBytes, [lost]), (.respondsInPlainText, ["400 "]), (.closeWithoutCloseNotify, ["200 ok"]),
        ] as [(MockConnectionFault, [String])])
    func `a connection fault has the expected outcome in each client`(
        _ client: Client, _ fault: (fault: MockConnectionFault, outcomes: [String])
    ) async throws {
        let server = try MockServer()
        server.onAny { _ in .text("ok") }
        server.onConnection(fault.fault)
        let outcome = await client.outcome(server)
        #expect(fault.outcomes.contains(outcome), "\(outcome)")
    }

    @Test(
        arguments: Client.allCases,
        [
            (.respond(.status(413), after: 0), "413 "), (.respond(.status(413), after: 1_000), "413 "),
            (.close(after: 1_000), lost), (.reset(after: 1_000), lost), (.ignoresExpectation, "200 3000000"),
            (.slow(bytesAtATime: 100_000, pause: {}), "200 3000000"),
        ] as [(MockUploadFault, String)])
    func `an upload fault has the expected outcome in each client`(
        _ client: Client, _ fault: (fault: MockUploadFault, outcome: String)
    ) async throws {
        let server = try MockServer()
        server.onAny { .text("\($0.body.count)") }
        server.onUpload(.post, "/", fault.fault)
        #expect(await client.outcome(server, posting: Data(count: 3_000_000)) == fault.outcome)
    }
}
