public import Errand

/// A certificate and its private key, for a ``MockServer`` or a client.
///
/// A ``MockCertificateAuthority`` issues identities. You can also create one from PEM.
///
/// ```swift
/// configuration.tls.identity = .init(certificate: .data(alice.certificateChain), key: .data(alice.privateKey))
/// ```
public struct MockIdentity: Sendable {
    /// The certificate, followed by the intermediate certificates up to its authority, as PEM.
    public let certificateChain: Data
    /// The private key as PEM, unencrypted.
    public let privateKey: Data

    /// Creates an identity from PEM. The PEM is parsed when a server uses it.
    public init(certificateChain: Data, privateKey: Data) {
        self.certificateChain = certificateChain
        self.privateKey = privateKey
    }
}
