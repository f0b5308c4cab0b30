#if canImport(CCurl)
/// The TLS settings: trusted authorities, client identity and protocol versions.
///
/// The server's certificate and name are always verified against the system's certificate store. This cannot be turned
/// off. To trust a test server, add its authority to ``additionalAuthorities``.
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

    /// The certificates, in PEM format, of authorities that are trusted in addition to the system's certificate
    /// directory.
    public var additionalAuthorities: Data?
    /// The public keys that a server may have, as the base64 of the SHA-256 of the SubjectPublicKeyInfo (RFC 7469,
    /// section 2.4). If the list is empty, any key is accepted. Otherwise, connections to a server with another key
    /// fail, even if its certificate is valid.
    public var pinnedPublicKeys: [String] = []
    /// The client identity; `nil` if the client does not send a certificate. ``CurlTransport/renewIdentity(_:)``
    /// replaces it.
    public var identity: Identity?
    /// The minimum TLS version; TLS 1.2 by default.
    public var minimumVersion = Version.tls12

    /// Creates a configuration with the default values: the system's certificate store, TLS 1.2 or later.
    public init() {}
}
#endif
