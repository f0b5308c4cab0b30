import Errand
import TestSupport
import Testing

@Suite(.interop(.openssl)) struct `TLS: server trust` {
    let authority: CertificateAuthority

    init() async throws {
        authority = try await CertificateAuthority()
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a certificate of an unknown authority is rejected`(_ transport: TransportUnderTest) async throws {
        let server = try await TLSServer(authority.issue())
        await expectURLError(.serverCertificateUntrusted) { try await transport.make().get(server.url()) }
    }

    @Test(arguments: ["localhost", "127.0.0.1"])
    func `a certificate of an added authority is trusted by name and by address`(_ host: String) async throws {
        let server = try await TLSServer(authority.issue())
        let response = try await CurlTransport.trusting(authority).get(server.url(host: host))
        #expect(response.statusCode == 200)
        #expect(response.metrics?.secureConnect != nil)
    }

    @Test func `adding one authority does not trust another`() async throws {
        let stranger = try await CertificateAuthority()
        let server = try await TLSServer(stranger.issue())
        await expectURLError(.serverCertificateUntrusted) {
            try await CurlTransport.trusting(authority).get(server.url())
        }
    }

    @Test func `an unreadable list of authorities trusts no server`() async throws {
        let server = try await TLSServer(authority.issue())
        let transport = CurlTransport.direct { $0.tls.additionalAuthorities = Data("not PEM".utf8) }
        await expectURLError(.serverCertificateUntrusted) { try await transport.get(server.url()) }
    }

    @Test(arguments: [("DNS:example.com", "localhost"), ("DNS:localhost", "127.0.0.1"), ("DNS:*.test", "localhost")])
    func `a certificate for another host is rejected`(_ names: String, _ host: String) async throws {
        let server = try await TLSServer(authority.issue(names))
        await expectURLError(.serverCertificateUntrusted) {
            try await CurlTransport.trusting(authority).get(server.url(host: host))
        }
    }

    @Test func `a certificate with only a common name is rejected`() async throws {
        let server = try await TLSServer(authority.issue(nil, commonName: "localhost"))
        let transport = try CurlTransport.trusting(authority)
        let failure = await #expect(throws: TransportFailure.self) { try await transport.get(server.url()) }
        #expect(failure?.error.code == .serverCertificateUntrusted)
        #expect(
            failure?.reason == "the server's certificate has no alternative names, and its common name does not count")
    }

    @Test func `an expired certificate is rejected with a specific error code`() async throws {
        let server = try await TLSServer(authority.issue(days: -1))
        let transport = try CurlTransport.trusting(authority)
        await expectURLError(.serverCertificateHasBadDate) { try await transport.get(server.url()) }
    }

    @Test func `an expired certificate does not affect the error of the next connection`() async throws {
        let expired = try await TLSServer(authority.issue(days: -1))
        let misnamed = try await TLSServer(authority.issue("DNS:example.com"))
        let transport = try CurlTransport.trusting(authority)
        await expectURLError(.serverCertificateHasBadDate) { try await transport.get(expired.url()) }
        await expectURLError(.serverCertificateUntrusted) { try await transport.get(misnamed.url()) }
    }

    @Test func `a pinned key is accepted, even as one of several`() async throws {
        let certificate = try await authority.issue()
        let server = try await TLSServer(certificate)
        let hashes = try await [authority.issue().publicKeyHash(), certificate.publicKeyHash()]
        let transport = try CurlTransport.trusting(authority) { $0.tls.pinnedPublicKeys = hashes }
        #expect(try await transport.get(server.url()).statusCode == 200)
    }

    @Test func `a key that is not pinned is rejected even with a trusted certificate`() async throws {
        let server = try await TLSServer(authority.issue())
        let hash = try await authority.issue().publicKeyHash()
        let transport = try CurlTransport.trusting(authority) { $0.tls.pinnedPublicKeys = [hash] }
        await expectURLError(.serverCertificateUntrusted) { try await transport.get(server.url()) }
    }

    @Test func `a pinned key does not replace a trusted authority`() async throws {
        let certificate = try await authority.issue()
        let server = try await TLSServer(certificate)
        let hash = try await certificate.publicKeyHash()
        let transport = CurlTransport.direct { $0.tls.pinnedPublicKeys = [hash] }
        await expectURLError(.serverCertificateUntrusted) { try await transport.get(server.url()) }
    }

    @Test func `a server below the minimum TLS version is rejected`() async throws {
        let server = try await TLSServer(authority.issue(), ["-tls1_2"])
        let modern = try CurlTransport.trusting(authority) { $0.tls.minimumVersion = .tls13 }
        await expectURLError(.secureConnectionFailed) { try await modern.get(server.url()) }
        #expect(try await CurlTransport.trusting(authority).get(server.url()).statusCode == 200)
    }

    @Test func `a server that does not use TLS fails the connection`() async throws {
        let (descriptor, port) = try Loopback.listen()
        let responder = Thread {
            let client = accept(descriptor, nil, nil)
            _ = send(client, "HTTP/1.1 400 Bad Request\r\n\r\n", 28, Int32(MSG_NOSIGNAL))
            shutdown(client, Int32(SHUT_WR))
            var byte: UInt8 = 0
            while recv(client, &byte, 1, 0) > 0 {}
            close(client)
            close(descriptor)
        }
        responder.start()
        await expectURLError(.secureConnectionFailed) {
            try await CurlTransport.direct().get(URL.of("https://localhost:\(port)/"))
        }
    }
}
