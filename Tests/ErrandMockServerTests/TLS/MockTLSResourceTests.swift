import Errand
import TestSupport
import Testing

@testable import ErrandMockServer
@testable import ErrandTesting

/// Runs in a separate process, where nothing else opens descriptors.
@Suite(.hangGuard, .enabled(if: Footprint.isKnown && hasTLS))
struct `Resources of a mock server with TLS` {
    @Test func `OpenSSL objects are released however the connections end`() async throws {
        await #expect(processExitsWith: .success) {
            let before = OpenSSLObject.count
            for fault in [nil, .stallInBody(after: 1), .resetInBody(after: 1), .closeBeforeHead] as [MockFault?] {
                let authority = try MockCertificateAuthority()
                let server = try MockServer(tls: .issued(by: authority).with(clientCertificate: .requested))
                server.onAny { _ in
                    var response = MockResponse.text("hello")
                    response.fault = fault
                    return response
                }
                for number in 1...10 {
                    let client = TLSClient(server)
                    let task = Task { try? await client.start().value }
                    try await server.waitUntil { $0.requests == number }
                    if case .stallInBody = fault { task.cancel() }
                    _ = await task.value
                }
                server.onConnection(.stallAfterFirstBytes)
                let stalled = try await RawClient.connect(to: server.url)
                try await stalled.send("nonsense")
                try await server.waitUntil { $0.acceptedConnections == 11 }
                server.onConnection(nil)
                let refused = try await RawClient.connect(to: server.url)
                try await refused.send("nonsense")
                _ = try await refused.readToEnd()
                server.stop()
            }
            // A thread that has just ended may still release its objects.
            try await waitUntil { OpenSSLObject.count == before }
        }
    }

    @Test(.deep(.soak)) func `a thousand handshakes leave no memory behind`() async throws {
        await #expect(processExitsWith: .success) {
            let server = try MockServer(tls: .selfSigned)
            server.onAny { _ in .text("hello").with(closesConnection: true) }
            func exchange(_ count: Int) async throws {
                let client = TLSClient(server)
                for _ in 0..<count { _ = try await client.start().value }
            }
            /// A client's engine, with its descriptors, ends after the client. The server closes its connections after
            /// the client's.
            func settle() async throws {
                try await server.waitUntil(openConnections: 0)
                try await waitUntil { try Footprint.threads(named: "Errand.Curl") == 0 }
            }
            try await exchange(200)
            try await settle()
            let (descriptors, memory) = (try Footprint.descriptors().count, try Footprint.residentBytes())
            try await exchange(1_000)
            try await settle()
            // A session takes about 30 KiB.
            let grown = try Footprint.residentBytes() - memory
            #expect(grown < 8 << 20, "\(grown) bytes")
            #expect(try Footprint.descriptors().count <= descriptors)
        }
    }
}
