#if canImport(CCurl)
/// The TLS settings: trusted authorities, client identity and protocol versions.
///
/// The server's certificate and name are always verified. This cannot be turned off. To trust a test server, add its
/// authority to ``additionalAuthorities``.
public struct TLSConfiguration: Sendable {
    /// A TLS version.
    public enum Version: Sendable {
        /// TLS 1.2 (RFC 5246).
        case tls12
        /// TLS 1.3 (RFC 8446).
        case tls13
    }

    /// A client certificate and its private key.
    public struct Identity: Sendable {
        /// A certificate or a key in PEM format (RFC 7468).
        public enum PEM: Sendable {
            /// The path of a file, which is read for each connection.
            case file(String)
            /// The PEM text.
            case data(Data)
        }

        /// The certificate, followed by the intermediate certificates that lead to its authority.
        public var certificate: PEM
        /// The private key.
        public var key: PEM
        /// The passphrase of an encrypted key; `nil` if the key is not encrypted.
        public var passphrase: String?

        /// Creates an identity from a certificate and its key, in files or in memory.
        public init(certificate: PEM, key: PEM, passphrase: String? = nil) {
            self.certificate = certificate
            self.key = key
            self.passphrase = passphrase
        }
    }

    /// The certificates, in PEM format, of authorities that are trusted in addition to those in the system's directory
    /// of certificates. On a system without such a directory, they replace the system's bundle file.
    public var additionalAuthorities: Data?
    /// The public keys that a server may have, as the base64 of the SHA-256 of the SubjectPublicKeyInfo (RFC 7469,
    /// section 2.4). If the list is empty, any key is accepted. Otherwise, connections to a server or an HTTPS proxy
    /// with another key fail, even if its certificate is valid.
    public var pinnedPublicKeys: [String] = []
    /// The client identity; `nil` if the client does not send a certificate. ``CurlTransport/renewIdentity(_:)``
    /// replaces it.
    public var identity: Identity?
    /// The minimum TLS version; TLS 1.2 by default.
    public var minimumVersion = Version.tls12

    /// Creates a configuration with the default values: the system's certificate store, TLS 1.2 or later.
    public init() {}
}

extension TLSConfiguration: Confidential {
    /// The minimum TLS version, the size of the authorities, the number of pinned keys and the client identity.
    public var description: String {
        let parts = [
            "\(minimumVersion) or later", additionalAuthorities.map { "\($0.count) bytes of authorities" },
            pinnedPublicKeys.isEmpty ? nil : "\(pinnedPublicKeys.count) pinned keys", identity?.description,
        ]
        return "TLSConfiguration(\(parts.compactMap(\.self).joined(separator: ", ")))"
    }
}

extension TLSConfiguration.Identity: Confidential {
    /// The locations of the certificate and the key, without their contents and the passphrase.
    public var description: String { "certificate \(certificate), key \(key)" }
}

extension TLSConfiguration.Identity.PEM: Confidential {
    /// The path of the file, or the number of bytes in memory.
    public var description: String {
        switch self {
        case .file(let path): path
        case .data(let data): "of \(data.count) bytes"
        }
    }
}
#endif
