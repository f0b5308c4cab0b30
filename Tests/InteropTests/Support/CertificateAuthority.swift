import Errand

/// A certificate and its private key, as PEM files.
struct Certificate: Sendable {
    let certificateFile: String
    let keyFile: String
    /// The directory of the files; it exists as long as this object.
    let directory: TemporaryDirectory

    /// The certificate and key for a client.
    func identity(passphrase: String? = nil) -> TLSConfiguration.Identity {
        TLSConfiguration.Identity(
            certificate: .file(certificateFile), key: .file(keyFile), passphrase: passphrase)
    }

    /// The SHA-256 of its SubjectPublicKeyInfo in base64, for pinning.
    func publicKeyHash() async throws -> String {
        let (key, hash) = (keyFile + ".der", keyFile + ".hash")
        try await Tool.openssl.run(["pkey", "-in", keyFile, "-pubout", "-outform", "der", "-out", key])
        try await Tool.openssl.run(["dgst", "-sha256", "-binary", "-out", hash, key])
        return try Data(contentsOf: URL(fileURLWithPath: hash)).base64EncodedString()
    }
}

/// An unknown authority, created by the `openssl` command in a temporary directory.
struct CertificateAuthority: Sendable {
    let directory: TemporaryDirectory
    var certificateFile: String { directory.path("ca.pem") }

    init() async throws {
        directory = try TemporaryDirectory()
        try await Tool.openssl.run(
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-days", "2"]
                + ["-subj", "/CN=Errand Test CA", "-keyout", directory.path("ca.key"), "-out", certificateFile])
    }

    /// The certificate of the authority, for the configuration of a transport.
    var pem: Data {
        get throws { try Data(contentsOf: URL(fileURLWithPath: certificateFile)) }
    }

    /// A certificate for these names.
    ///
    /// - Parameters:
    ///   - commonName: The common name of the subject, which is not a name of the host (RFC 9525).
    ///   - days: The days for which it is valid; a negative number makes an expired certificate.
    ///   - passphrase: The passphrase of the encrypted key.
    func issue(
        _ names: String? = "DNS:localhost,IP:127.0.0.1", commonName: String = "Errand Test", days: Int = 2,
        passphrase: String? = nil
    ) async throws -> Certificate {
        let name = UUID().uuidString
        func file(_ kind: String) -> String { directory.path("\(name).\(kind)") }
        let password = passphrase.map { "pass:\($0)" }
        try await Tool.openssl.run(
            ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", file("key")]
                + (password.map { ["-aes256", "-pass", $0] } ?? []))
        try await Tool.openssl.run(
            ["req", "-new", "-key", file("key"), "-subj", "/CN=\(commonName)", "-out", file("csr")]
                + (names.map { ["-addext", "subjectAltName=\($0)"] } ?? []) + (password.map { ["-passin", $0] } ?? []))
        try await Tool.openssl.run(
            ["x509", "-req", "-in", file("csr"), "-CA", certificateFile, "-CAkey", directory.path("ca.key")]
                + ["-copy_extensions", "copyall", "-days", "\(days)", "-out", file("pem")])
        return Certificate(certificateFile: file("pem"), keyFile: file("key"), directory: directory)
    }
}
