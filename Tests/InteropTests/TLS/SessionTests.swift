import Errand
import TestSupport
import Testing

@Suite(.interop(.nginx, .openssl), .hangGuard) struct `TLS sessions` {
    /// Each response reports whether its connection resumed a session. No connection is used twice.
    private func withServer(
        _ version: String = "TLSv1.2 TLSv1.3", _ body: (CurlTransport, URL, CertificateAuthority) async throws -> Void
    ) async throws {
        let authority = try await CertificateAuthority()
        let nginx = try await Nginx(
            certificate: authority.issue(),
            """
            keepalive_timeout 0;
            ssl_protocols \(version);
            location / { return 200 "$ssl_session_reused"; }
            location /slow { limit_rate_after 1k; limit_rate 10; return 200 "\(String(repeating: "a", count: 2_000))"; }
            """)
        try await body(try CurlTransport.trusting(authority) { $0.version = .http1 }, try nginx.url(), authority)
    }

    @Test(arguments: ["TLSv1.2", "TLSv1.3"])
    func `TLS sessions are resumed by connections of other handles`(_ version: String) async throws {
        try await withServer(version) { transport, url, _ in
            #expect(try await transport.get(url).text == ".")
            // The handle of the first request has the session too, and is in use from now on.
            var slow = TransportRequest.get(try #require(URL(string: "/slow", relativeTo: url)?.absoluteURL))
            slow.streamsResponse = true
            let open = try await transport.send(slow)
            #expect(try await transport.get(url).text == "r")
            withExtendedLifetime(open) {}
        }
    }

    @Test func `TLS sessions are not resumed with a new client certificate`() async throws {
        try await withServer { transport, url, authority in
            _ = try await transport.get(url)
            #expect(try await transport.get(url).text == "r")
            let certificate = try await authority.issue()
            transport.renewIdentity(
                .init(certificate: .file(certificate.certificateFile), key: .file(certificate.keyFile)))
            #expect(try await transport.get(url).text == ".")
        }
    }
}
