import Errand
import TestSupport
import Testing

@testable import ErrandTesting

@Suite(.timeLimit(.minutes(1)), .enabled(if: SocketPlatform.hasTLS)) struct `Client certificates` {
    let authority: MockCertificateAuthority
    let directory: URL

    init() throws {
        authority = try MockCertificateAuthority()
        directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    }

    private func server(_ clientCertificate: MockTLS.ClientCertificate) throws -> MockServer {
        let server = try MockServer(tls: .issued(by: authority).with(clientCertificate: clientCertificate))
        server.onAny { .text($0.tls?.clientName ?? "nobody") }
        return server
    }

    /// What a server is told by a client that shows this, or the code of the failure.
    private func outcome(_ server: MockServer, showing identity: MockIdentity?) async throws -> String {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let files = try identity?.write(to: directory)
        let client = TLSClient(server.url, trusting: authority.certificate) { configuration in
            configuration.tls.identity = files.map {
                .init(certificateFile: $0.certificate.path, keyFile: $0.privateKey.path)
            }
        }
        do {
            return String(decoding: try await client.start().value.data, as: UTF8.self)
        } catch {
            return "\(((error as? ErrandError)?.underlyingError as? URLError)?.code.rawValue ?? 0)"
        }
    }

    @Test func `what a client shows is found in its request`() async throws {
        let alice = try authority.issue(commonName: "alice", names: [])
        let server = try server(.required)
        #expect(try await outcome(server, showing: alice) == "alice")
        #expect(try await server.takeRequest().tls?.clientCertificate == alice.certificateChain)
    }

    @Test func `a certificate that is required has to be there, and of the authority`() async throws {
        let server = try server(.required)
        let required = "\(URLError.Code.clientCertificateRequired.rawValue)"
        #expect(try await outcome(server, showing: nil) == required)
        let stranger = try MockCertificateAuthority().issue(commonName: "mallory")
        let rejected = "\(URLError.Code.clientCertificateRejected.rawValue)"
        #expect(try await outcome(server, showing: stranger) == rejected)
        let expired = try authority.issue(commonName: "late", validity: .expired)
        #expect(try await outcome(server, showing: expired) == rejected)
        #expect(server.requests.isEmpty)
    }

    @Test func `one that is requested may be missing, and be anybody's`() async throws {
        let server = try server(.requested)
        #expect(try await outcome(server, showing: nil) == "nobody")
        let stranger = try MockCertificateAuthority().issue(commonName: "mallory")
        #expect(try await outcome(server, showing: stranger) == "mallory")
    }

    @Test func `one that is not asked for is not shown`() async throws {
        let server = try server(.ignored)
        #expect(try await outcome(server, showing: try authority.issue(commonName: "alice")) == "nobody")
    }
}
