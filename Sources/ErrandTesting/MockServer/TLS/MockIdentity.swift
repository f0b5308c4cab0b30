public import Errand

/// A certificate and its private key, as a ``MockServer`` shows it, or a client.
///
/// A ``MockCertificateAuthority`` issues them; one that you have already is given as PEM.
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

    /// Writes both into files of a directory, for a client that reads them from there.
    ///
    /// ```swift
    /// let files = try alice.write(to: directory)
    /// configuration.tls.identity = .init(certificateFile: files.certificate.path, keyFile: files.privateKey.path)
    /// ```
    ///
    /// - Throws: What writing throws, when the directory is not there, for example.
    public func write(to directory: URL) throws -> (certificate: URL, privateKey: URL) {
        let name = UUID().uuidString
        let files = (
            certificate: directory.appendingPathComponent("\(name).pem"),
            privateKey: directory.appendingPathComponent("\(name).key")
        )
        try certificateChain.write(to: files.certificate)
        try privateKey.write(to: files.privateKey)
        return files
    }
}
