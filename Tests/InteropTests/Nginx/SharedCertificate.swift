import Errand
import Testing

/// One authority for a suite, and one certificate for 127.0.0.1: `openssl` takes longer to make them than most tests
/// run.
struct SharedCertificate: SuiteTrait, TestScoping {
    /// The authority and the certificate of the suite.
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
    /// Makes the certificate of a ``FileServer``.
    static var sharedCertificate: Self { SharedCertificate() }
}
