import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard, .enabled(if: hasTLS)) struct `Client certificates` {
    let authority: MockCertificateAuthority

    init() throws {
        authority = try MockCertificateAuthority()
    }

    private func server(_ clientCertificate: MockTLS.ClientCertificate) throws -> MockServer {
        let server = try MockServer(tls: .issued(by: authority).with(clientCertificate: clientCertificate))
        server.onAny { .text($0.tls?.clientName ?? "nobody") }
        return server
    }

    /// Returns the response to a client with this certificate, or the code of the failure.
    private func outcome(_ server: MockServer, showing identity: MockIdentity?) async throws -> String {
        let client = TLSClient(server.url, trusting: authority.certificate) { configuration in
            configuration.tls.identity = identity.map {
                .init(certificate: .data($0.certificateChain), key: .data($0.privateKey))
            }
        }
        do {
            return String(decoding: try await client.start().value.data, as: UTF8.self)
        } catch {
            return "\(((error as? ErrandError)?.underlyingError as? URLError)?.code.rawValue ?? 0)"
        }
    }

    @Test func `the client's certificate is recorded with its request`() async throws {
        let alice = try authority.issue(commonName: "alice", names: [])
        let server = try server(.required)
        #expect(try await outcome(server, showing: alice) == "alice")
        #expect(try await server.takeRequest().tls?.clientCertificate == alice.certificateChain)
    }

    @Test func `a required client certificate must be present and issued by the authority`() async throws {
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

    @Test func `a requested client certificate is optional and may be from any authority`() async throws {
        let server = try server(.requested)
        #expect(try await outcome(server, showing: nil) == "nobody")
        let stranger = try MockCertificateAuthority().issue(commonName: "mallory")
        #expect(try await outcome(server, showing: stranger) == "mallory")
    }

    @Test func `a client certificate that the server does not request is not sent`() async throws {
        let server = try server(.ignored)
        #expect(try await outcome(server, showing: try authority.issue(commonName: "alice")) == "nobody")
    }

    #if canImport(CCurl)
    @Test func `a client with a renewed certificate sends the new one afterward`() async throws {
        let server = try server(.required)
        var configuration = CurlConfiguration()
        configuration.tls.additionalAuthorities = authority.certificate
        let names = ["alice", "bob"]
        let identities = try names.map { name in
            let identity = try authority.issue(commonName: name, names: [])
            return TLSConfiguration.Identity(
                certificate: .data(identity.certificateChain), key: .data(identity.privateKey))
        }
        configuration.tls.identity = identities[0]
        let transport = CurlTransport(configuration)
        let request = TransportRequest(URLRequest(url: server.url))
        for _ in 0..<2 { #expect(try await transport.send(request).text() == "alice") }
        transport.renewIdentity(identities[1])
        for _ in 0..<2 { #expect(try await transport.send(request).text() == "bob") }
    }
    #endif
}
