import TestSupport
import Testing

@testable import Errand

/// A request over a reused connection that the server closes when the request arrives.
@Suite("HTTP/2: a server that leaves", .interop(.openssl, .python3), .hangGuard) struct FarewellTests {
    private let authority: CertificateAuthority

    init() async throws {
        authority = try await CertificateAuthority()
    }

    /// A server, and a transport with a connection to it that has received one response.
    private func pair(_ farewell: LeavingServer.Farewell) async throws -> (LeavingServer, CurlTransport) {
        let server = try await LeavingServer(authority.issue(), answers: 1, farewell)
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

    @Test(arguments: [LeavingServer.Farewell.goAway, .close], [false, true])
    func `what is idempotent is sent again over another connection`(
        _ farewell: LeavingServer.Farewell, _ isStreamed: Bool
    ) async throws {
        let (server, transport) = try await pair(farewell)
        if isStreamed {
            let stream = try await transport.stream(request(server, "GET"))
            #expect(try await stream.body.reduce(into: Data()) { $0 += $1 } == Data("3".utf8))
        } else {
            let response = try await transport.send(request(server, "GET"))
            #expect(response.text == "3")
            #expect(response.metrics?.isConnectionReused == false)
        }
    }

    @Test(arguments: [LeavingServer.Farewell.goAway, .close])
    func `so is a body that is in memory, whole`(_ farewell: LeavingServer.Farewell) async throws {
        let (server, transport) = try await pair(farewell)
        var request = try request(server, "PUT", body: "body")
        let progress = TransferProgress()
        request.uploadProgress = progress
        #expect(try await transport.send(request).text == "3")
        #expect(progress.latest == .init(completed: 4, total: 4))
    }

    @Test(arguments: [LeavingServer.Farewell.goAway, .close])
    func `what may do something twice is not sent again`(_ farewell: LeavingServer.Farewell) async throws {
        let (server, transport) = try await pair(farewell)
        await expectURLError(.networkConnectionLost) {
            try await transport.send(request(server, "POST", body: "body"))
        }
        try await expectThird(server)
    }

    @Test(arguments: [LeavingServer.Farewell.goAway, .close])
    func `a body that can be read once is not sent again`(_ farewell: LeavingServer.Farewell) async throws {
        let (server, transport) = try await pair(farewell)
        var request = try request(server, "PUT")
        request.bodyStream = BodyStream(AsyncStream { Data("body".utf8) }.prefix(1))
        await expectURLError(.networkConnectionLost) { try await transport.send(request) }
        try await expectThird(server)
    }

    @Test(arguments: [false, true])
    func `an answer that has begun is not begun again`(_ isStreamed: Bool) async throws {
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
    @Test func `a stream that is reset is not sent again`() async throws {
        let (server, transport) = try await pair(.reset)
        await expectURLError(.networkConnectionLost) { try await transport.send(request(server, "GET")) }
        try await expectThird(server)
    }

    @Test(arguments: [LeavingServer.Farewell.goAway, .close])
    func `a server that answers nobody is given up on`(_ farewell: LeavingServer.Farewell) async throws {
        let server = try await LeavingServer(authority.issue(), answers: 0, farewell)
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
