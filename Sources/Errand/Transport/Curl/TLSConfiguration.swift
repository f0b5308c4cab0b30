#if canImport(CCurl)
/// Whom TLS trusts, and how it introduces itself.
///
/// The server's certificate and name are always verified, against the system's store. There is no switch that turns this
/// off: a server under test is trusted by adding its authority to ``additionalAuthorities``.
public struct TLSConfiguration: Sendable {
    /// A version of TLS.
    public enum Version: Sendable {
        /// RFC 5246.
        case tls12
        /// RFC 8446.
        case tls13
    }

    /// A client certificate, and the private key that belongs to it.
    public struct Identity: Sendable {
        /// A certificate or a key in PEM (RFC 7468).
        public enum PEM: Sendable {
            /// A file, which is read for each connection.
            case file(String)
            /// The text itself.
            case data(Data)
        }

        /// The certificate, and behind it those that lead to its authority.
        public var certificate: PEM
        /// The private key.
        public var key: PEM
        /// What the key is encrypted with; nil when it is not.
        public var passphrase: String?

        /// A certificate and its key, in files or in memory.
        public init(certificate: PEM, key: PEM, passphrase: String? = nil) {
            self.certificate = certificate
            self.key = key
            self.passphrase = passphrase
        }
    }

    /// Certificates of authorities to be trusted besides the system's directory of them, as PEM.
    public var additionalAuthorities: Data?
    /// The public keys that a server may have: base64 of the SHA-256 of its SubjectPublicKeyInfo (RFC 7469, section
    /// 2.4). Empty means any; otherwise a server whose key is none of them is refused, however it is certified.
    public var pinnedPublicKeys: [String] = []
    /// How the client introduces itself; nil when it does not. ``CurlTransport/renewIdentity(_:)`` replaces it.
    public var identity: Identity?
    /// The oldest version that is spoken; TLS 1.2 by default.
    public var minimumVersion = Version.tls12

    /// The defaults: the system's store, TLS 1.2 or later.
    public init() {}
}
#endif
