import Errand
import Testing

@Suite(.interop(.openssl, .nginx)) struct `TLS: client certificates` {
    let authority: CertificateAuthority

    init() async throws {
        authority = try await CertificateAuthority()
    }

    /// A server that rejects clients without a certificate of this authority.
    private func strictServer(_ options: [String] = []) async throws -> TLSServer {
        try await TLSServer(
            try await authority.issue(),
            ["-Verify", "1", "-verify_return_error", "-CAfile", authority.certificateFile] + options)
    }

    private func transport(_ identity: TLSConfiguration.Identity?) throws -> CurlTransport {
        try CurlTransport.trusting(authority) { $0.tls.identity = identity }
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `a client certificate is accepted`(_ version: String) async throws {
        let server = try await strictServer([version])
        let response = try await transport(authority.issue("DNS:client").identity()).get(server.url())
        #expect(response.statusCode == 200)
    }

    @Test func `a missing client certificate fails with a specific error code under TLS 1.3`() async throws {
        let server = try await strictServer(["-tls1_3"])
        await expectURLError(.clientCertificateRequired) { try await transport(nil).get(server.url()) }
    }

    /// TLS 1.2 has no alert for a missing certificate.
    @Test func `a missing client certificate fails the connection under TLS 1.2`() async throws {
        let server = try await strictServer(["-tls1_2"])
        await expectURLError(.secureConnectionFailed) { try await transport(nil).get(server.url()) }
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `a client certificate of an unknown authority fails as rejected`(_ version: String) async throws {
        let server = try await strictServer([version])
        let stranger = try await CertificateAuthority()
        await expectURLError(.clientCertificateRejected) {
            try await transport(stranger.issue("DNS:client").identity()).get(server.url())
        }
    }

    @Test func `nginx sends a 400 response if the client certificate is missing`() async throws {
        let server = try await Nginx(
            certificate: try await authority.issue(),
            "ssl_client_certificate \(authority.certificateFile); ssl_verify_client on; location / { return 200; }")
        #expect(try await transport(nil).get(server.url()).statusCode == 400)
        let identity = try await authority.issue("DNS:client").identity()
        #expect(try await transport(identity).get(server.url()).statusCode == 200)
    }

    @Test func `an encrypted key is decrypted with its passphrase`() async throws {
        let server = try await strictServer()
        let client = try await authority.issue("DNS:client", passphrase: "open sesame")
        #expect(try await transport(client.identity(passphrase: "open sesame")).get(server.url()).statusCode == 200)
    }

    /// Without a passphrase, OpenSSL reads one from the terminal if there is one. The engine is blocked meanwhile.
    @Test(arguments: ["wrong", "", nil])
    func `an encrypted key with a wrong or missing passphrase fails`(_ passphrase: String?) async throws {
        let server = try await strictServer()
        let client = try await authority.issue("DNS:client", passphrase: "open sesame")
        await expectURLError(.clientCertificateRejected) {
            try await transport(client.identity(passphrase: passphrase)).get(server.url())
        }
    }

    @Test func `a missing key file fails with a reason`() async throws {
        let server = try await strictServer()
        let client = try await authority.issue("DNS:client")
        let failure = await #expect(throws: ErrandError.self) {
            try await transport(.init(certificate: .file(client.certificateFile), key: .file("/nowhere"))).get(
                server.url())
        }
        #expect(failure?.code == .invalidSetting)
        #expect(failure?.reason == "the client certificate needs /nowhere, which cannot be read")
    }
}
