import Errand
import Testing

/// One authority for a suite, and one certificate of it for 127.0.0.1: to make them takes `openssl` longer than most tests.
struct SharedCertificate: SuiteTrait, TestScoping {
    /// What the tests of the suite have.
    struct Issued: Sendable {
        let authority: CertificateAuthority
        let certificate: Certificate
    }

    @TaskLocal static var current: Issued?

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let authority = try await CertificateAuthority()
        let issued = Issued(authority: authority, certificate: try await authority.issue("IP:127.0.0.1"))
        try await Self.$current.withValue(issued) { try await function() }
    }
}

extension Trait where Self == SharedCertificate {
    /// Makes what a ``FileServer`` speaks TLS with.
    static var sharedCertificate: Self { SharedCertificate() }
}
