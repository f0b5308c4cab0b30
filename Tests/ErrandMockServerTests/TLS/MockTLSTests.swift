import Errand
import TestSupport
import Testing

@testable import ErrandMockServer
@testable import ErrandTesting

@Suite(.hangGuard, .enabled(if: hasTLS)) struct `Mock server with TLS` {
    @Test(arguments: ["127.0.0.1", "localhost"])
    func `a client that trusts the server's authority gets a response`(_ host: String) async throws {
        let server = try MockServer(tls: .selfSigned)
        server.on(.get, "/secret") { .text("to \($0.tls?.serverName ?? "nobody")") }
        #expect(server.url.scheme == "https")
        let client = TLSClient(server.url(host: host), trusting: server.certificateAuthority, path: "/secret")
        let response = try await client.start().value
        #expect(String(decoding: response.data, as: UTF8.self) == (host == "localhost" ? "to localhost" : "to nobody"))
        let request = try await server.takeRequest()
        #expect(request.tls?.version == "TLSv1.3")
        #expect(request.tls?.clientCertificate == nil)
        #expect(request.tls?.clientName == nil)
    }

    @Test func `a TLS server listens on an IPv6 address`() async throws {
        let server = try MockServer(host: .ipv6, tls: .selfSigned)
        server.onAny { _ in .text("six") }
        #expect(server.url.host() == "::1")
        #expect(try await TLSClient(server).start().value.data == Data("six".utf8))
    }

    @Test func `a request over plain HTTP has no TLS information`() async throws {
        let server = try MockServer()
        server.onAny { _ in .status(200) }
        #expect(server.certificateAuthority == nil)
        _ = try await TLSClient(server).start().value
        #expect(try await server.takeRequest().tls == nil)
    }

    @Test func `a client that does not trust the authority rejects the certificate`() async throws {
        let server = try MockServer(tls: .selfSigned)
        let stranger = try MockCertificateAuthority()
        for authority in [nil, stranger.certificate] {
            #expect(await TLSClient(server.url, trusting: authority).failure() == .serverCertificateUntrusted)
        }
        #expect(server.requests.isEmpty)
        try await server.waitUntil(openConnections: 0)
    }

    @Test(
        arguments: [
            (.selfSigned.with(validity: .expired), .serverCertificateHasBadDate),
            (.selfSigned.with(validity: .notYet), .serverCertificateNotYetValid),
            (.selfSigned.with(names: ["example.com", "10.0.0.1"]), .serverCertificateUntrusted),
            (.selfSigned.with(names: []), .serverCertificateUntrusted),
            (.selfSigned, nil),
        ] as [(MockTLS, URLError.Code?)])
    func `an invalid certificate is rejected with a specific error code`(
        _ tls: MockTLS, _ code: URLError.Code?
    ) async throws {
        let server = try MockServer(tls: tls)
        server.onAny { _ in .status(200) }
        #expect(await TLSClient(server).failure() == code)
    }

    @Test(arguments: [(MockTLS.Version.tls12, "TLSv1.2"), (.tls13, "TLSv1.3")])
    func `a TLS server does not exceed its maximum TLS version`(
        _ version: MockTLS.Version, _ name: String
    ) async throws {
        let server = try MockServer(tls: .selfSigned.with(maximumVersion: version))
        server.onAny { _ in .status(200) }
        _ = try await TLSClient(server).start().value
        #expect(try await server.takeRequest().tls?.version == name)
        let modern = TLSClient(server.url, trusting: server.certificateAuthority) { $0.tls.minimumVersion = .tls13 }
        #expect(await modern.failure() == (version == .tls13 ? nil : .secureConnectionFailed))
    }

    @Test func `a TLS connection is reused and carries bodies of megabytes in both directions`() async throws {
        let server = try MockServer(tls: .selfSigned)
        server.on(.post, "/") { .data(Data($0.body.reversed()), contentType: "x/y") }
        let data = Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        let client = TLSClient(server)
        client.method = .post
        client.body = .data(data)
        for _ in 0..<2 {
            #expect(try await client.start().value.data == Data(data.reversed()))
        }
        #expect(server.requests.map(\.connection) == [1, 1])
    }

    @Test func `ALPN selects HTTP 1.1 and nothing else`() {
        func agreement(_ offers: String...) -> (status: Int32, chosen: String) {
            let bytes = offers.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
            return bytes.withUnsafeBufferPointer { bytes in
                var chosen: UnsafePointer<UInt8>?
                var count: UInt8 = 0
                let status = TLSContext.agreeOnProtocol(
                    nil, &chosen, &count, bytes.baseAddress, UInt32(bytes.count), nil)
                let text = UnsafeBufferPointer(start: chosen, count: Int(count))
                return (status, String(decoding: text, as: UTF8.self))
            }
        }
        #expect(agreement("h2", "http/1.1") == (0, "http/1.1"))
        #expect(agreement("http/1.1") == (0, "http/1.1"))
        #expect(agreement("h2", "http/1.0") == (2, ""))
        #expect(agreement() == (2, ""))
    }

    @Test func `a server can use a custom certificate`() async throws {
        let authority = try MockCertificateAuthority()
        let leaf = try authority.issue()
        let identity = MockIdentity(
            certificateChain: leaf.certificateChain + authority.certificate, privateKey: leaf.privateKey)
        let server = try MockServer(tls: .identity(identity))
        server.onAny { _ in .status(200) }
        #expect(server.certificateAuthority == authority.certificate)
        #expect(await TLSClient(server).failure() == nil)
        let other = try MockServer(tls: .identity(leaf, authority: authority.certificate))
        other.onAny { _ in .status(200) }
        #expect(await TLSClient(other).failure() == nil)
    }

    @Test func `an invalid certificate or key throws an error`() throws {
        let authority = try MockCertificateAuthority()
        let (one, other) = (try authority.issue(), try authority.issue())
        let nonsense = Data("-----BEGIN NONSENSE-----".utf8)
        for (chain, key, reason) in [
            (nonsense, one.privateKey, "the certificate cannot be read"), (Data(), one.privateKey, "the certificate"),
            (one.certificateChain, nonsense, "the private key cannot be read"),
            (one.certificateChain, Data(), "the private key cannot be read"),
            (one.certificateChain, other.privateKey, "the private key does not belong to the certificate"),
        ] {
            let error = #expect(throws: MockServerError.self) {
                try MockServer(tls: .identity(MockIdentity(certificateChain: chain, privateKey: key)))
            }
            #expect(error?.description.hasPrefix("TLS cannot be set up: \(reason)") == true, "\(error as Any)")
        }
    }

    @Test(arguments: ["", "a,DNS:b", "a b", "a\nb", "ä.example", "fe80::1%lo"])
    func `an invalid certificate name throws an error`(_ name: String) throws {
        let authority = try MockCertificateAuthority()
        #expect(throws: MockServerError.self) { try authority.issue(names: [name]) }
    }

    @Test func `a common name that is too long throws an error`() throws {
        let authority = try MockCertificateAuthority()
        #expect(throws: MockServerError.self) { try authority.issue(commonName: String(repeating: "a", count: 65)) }
    }

    @Test func `a missing TLS library throws an error that names it`() {
        let error = #expect(throws: MockServerError.self) { try SharedLibrary("liberrand-nowhere.so.9") }
        #expect(error?.description.hasPrefix("TLS is not available: liberrand-nowhere.so.9") == true)
    }
}
