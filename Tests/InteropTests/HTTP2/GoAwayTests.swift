import TestSupport
import Testing

@testable import Errand

/// A request over a reused connection that the server closes when the request arrives.
@Suite(.interop(.openssl, .python3), .hangGuard) struct `GOAWAY frames of HTTP 2` {
    private let authority: CertificateAuthority

    init() async throws {
        authority = try await CertificateAuthority()
    }

    /// A server, and a transport with a connection to it that has received one response.
    private func pair(_ ending: LeavingServer.Ending) async throws -> (LeavingServer, CurlTransport) {
        let server = try await LeavingServer(authority.issue(), responses: 1, ending)
        let transport = try CurlTransport.trusting(authority)
        #expect(try await transport.get(server.url()).text == "1")
        return (server, transport)
    }

    private func request(_ server: LeavingServer, _ method: String, body: String? = nil) throws -> TransportRequest {
        var request = TransportRequest.get(try server.url())
        request.urlRequest.httpMethod = method
        request.urlRequest.httpBody = body.map { Data($0.utf8) }
        return request
    }

    /// Checks that the previous request was sent once: two requests have arrived before this one.
    private func expectThird(_ server: LeavingServer) async throws {
        #expect(try await CurlTransport.trusting(authority).get(server.url()).text == "3")
    }

    @Test(arguments: [LeavingServer.Ending.goAway, .close], [false, true])
    func `an idempotent request is sent again on another connection`(
        _ ending: LeavingServer.Ending, _ isStreamed: Bool
    ) async throws {
        let (server, transport) = try await pair(ending)
        if isStreamed {
            let stream = try await transport.stream(request(server, "GET"))
            #expect(try await stream.body.reduce(into: Data()) { $0 += $1 } == Data("3".utf8))
        } else {
            let response = try await transport.send(request(server, "GET"))
            #expect(response.text == "3")
            #expect(response.metrics?.isConnectionReused == false)
        }
    }

    @Test(arguments: [LeavingServer.Ending.goAway, .close])
    func `a request with a body in memory is sent again completely`(_ ending: LeavingServer.Ending) async throws {
        let (server, transport) = try await pair(ending)
        var request = try request(server, "PUT", body: "body")
        let progress = TransferProgress()
        request.uploadProgress = progress
        #expect(try await transport.send(request).text == "3")
        #expect(progress.latest == .init(completed: 4, total: 4))
    }

    @Test(arguments: [LeavingServer.Ending.goAway, .close])
    func `a request that is not idempotent is not sent again`(_ ending: LeavingServer.Ending) async throws {
        let (server, transport) = try await pair(ending)
        await expectURLError(.networkConnectionLost) {
            try await transport.send(request(server, "POST", body: "body"))
        }
        try await expectThird(server)
    }

    @Test(arguments: [LeavingServer.Ending.goAway, .close])
    func `a request with a read-once body is not sent again`(_ ending: LeavingServer.Ending) async throws {
        let (server, transport) = try await pair(ending)
        var request = try request(server, "PUT")
        request.bodyStream = BodyStream(AsyncStream { Data("body".utf8) }.prefix(1))
        await expectURLError(.networkConnectionLost) { try await transport.send(request) }
        try await expectThird(server)
    }

    @Test(arguments: [false, true])
    func `a request whose response has begun is not sent again`(_ isStreamed: Bool) async throws {
        let (server, transport) = try await pair(.closeInBody)
        let received = Recorder<Data>()
        await expectURLError(.networkConnectionLost) {
            if isStreamed {
                for try await piece in try await transport.stream(request(server, "GET")).body {
                    received.record(piece)
                }
            } else {
                _ = try await transport.send(request(server, "GET"))
            }
        }
        #expect(received.elements == (isStreamed ? [Data("half".utf8)] : []))
        try await expectThird(server)
    }

    /// A reset counts as a response of the server, and the connection stays open.
    @Test func `a request on a reset stream is not sent again`() async throws {
        let (server, transport) = try await pair(.reset)
        await expectURLError(.networkConnectionLost) { try await transport.send(request(server, "GET")) }
        try await expectThird(server)
    }

    @Test(arguments: [LeavingServer.Ending.goAway, .close])
    func `requests fail if a server never responds on any connection`(_ ending: LeavingServer.Ending) async throws {
        let server = try await LeavingServer(authority.issue(), responses: 0, ending)
        let transport = try CurlTransport.trusting(authority)
        await withTaskGroup { group in
            for _ in 0..<5 {
                group.addTask {
                    await expectURLError(.networkConnectionLost) { try await transport.get(server.url()) }
                }
            }
        }
    }
}
