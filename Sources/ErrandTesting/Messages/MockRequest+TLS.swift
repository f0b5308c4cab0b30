public import Errand

extension MockRequest {
    /// What was agreed with a client on the connection that its request came over.
    public struct TLS: Hashable, Sendable {
        /// The version, `"TLSv1.3"` or `"TLSv1.2"`.
        public let version: String
        /// The host name that the client asked for (SNI, RFC 6066, section 3); nil when it asked for an address.
        public let serverName: String?
        /// The certificate that the client showed, as PEM; nil when it showed none.
        public let clientCertificate: Data?
        /// Whom that certificate names: the common name of its subject.
        public let clientName: String?
    }
}
