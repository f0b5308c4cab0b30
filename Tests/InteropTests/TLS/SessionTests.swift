import TestSupport
import Testing

@testable import Errand

@Suite("TLS sessions", .interop(.nginx, .openssl), .hangGuard) struct SessionTests {
    /// Each answer says whether its connection continued a session. No connection is used twice.
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
            """)
        try await body(try CurlTransport.trusting(authority) { $0.version = .http1 }, try nginx.url(), authority)
    }

    @Test(arguments: ["TLSv1.2", "TLSv1.3"])
    func `are continued by connections of other handles`(_ version: String) async throws {
        try await withServer(version) { transport, url, _ in
            #expect(try await transport.get(url).text == ".")
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<8 { group.addTask { try await transport.get(url).text } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // One of them has the handle of the first request.
            #expect(answers.count { $0 == "r" } > 1, "\(answers)")
        }
    }

    @Test func `are not continued with a new client certificate`() async throws {
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
