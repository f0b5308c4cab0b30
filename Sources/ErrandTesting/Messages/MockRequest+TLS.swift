public import Errand

extension MockRequest {
    /// The TLS parameters of the connection of a request.
    public struct TLS: Hashable, Sendable {
        /// The version, `"TLSv1.3"` or `"TLSv1.2"`.
        public let version: String
        /// The host name that the client sent (SNI, RFC 6066, section 3); `nil` if it connected to an IP address.
        public let serverName: String?
        /// The client's certificate as PEM; `nil` if it sent none.
        public let clientCertificate: Data?
        /// The common name of that certificate's subject.
        public let clientName: String?

        package init(version: String, serverName: String?, clientCertificate: Data?, clientName: String?) {
            self.version = version
            self.serverName = serverName
            self.clientCertificate = clientCertificate
            self.clientName = clientName
        }
    }
}
