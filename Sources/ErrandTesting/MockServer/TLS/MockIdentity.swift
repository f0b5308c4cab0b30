public import Errand

/// A certificate and its private key, as a ``MockServer`` shows it, or a client.
///
/// A ``MockCertificateAuthority`` issues them; one that you have already is given as PEM.
///
/// ```swift
/// configuration.tls.identity = .init(certificate: .data(alice.certificateChain), key: .data(alice.privateKey))
/// ```
public struct MockIdentity: Sendable {
    /// The certificate and those that lead to its authority, its own first, as PEM.
    public let certificateChain: Data
    /// The private key, as PEM, not encrypted.
    public let privateKey: Data

    /// An identity of your own; it is read when a server is made of it.
    public init(certificateChain: Data, privateKey: Data) {
        self.certificateChain = certificateChain
        self.privateKey = privateKey
    }
}
