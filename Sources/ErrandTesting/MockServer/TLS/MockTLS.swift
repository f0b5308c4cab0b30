public import Errand

/// How a ``MockServer`` speaks TLS: what it shows, and what it asks of its clients.
///
/// ```swift
/// let server = try MockServer(tls: .selfSigned)
/// var configuration = CurlConfiguration()
/// configuration.tls.additionalAuthorities = server.certificateAuthority
/// ```
///
/// TLS 1.2 and 1.3 are spoken, and HTTP/1.1 alone is agreed on (ALPN, RFC 7301). No session is ever resumed, so that
/// each connection shows all of the handshake.
///
/// It is OpenSSL's, whose libraries are opened when the first server with TLS is made; libcurl has brought them along.
/// Where they are not there, and on Apple platforms, making the server throws ``MockServerError/tlsUnavailable(_:)``.
public struct MockTLS: Sendable {
    /// Whether a client has to show a certificate.
    public enum ClientCertificate: Hashable, Sendable {
        /// It is not asked for one.
        case ignored
        /// It is asked for one, any will do, and so will none: ``MockRequest/TLS/clientCertificate`` is what it showed.
        case requested
        /// Without one that the server's own ``MockServer/certificateAuthority`` has issued, the handshake fails.
        case required
    }

    enum Certificate: Sendable {
        case issued(by: MockCertificateAuthority?)
        case identity(MockIdentity, authority: Data?)
    }

    var certificate: Certificate
    var names = MockCertificateAuthority.loopbackNames
    var validity = MockCertificateAuthority.Validity.current
    var clientCertificate = ClientCertificate.ignored
    var maximumVersion = Version.tls13

    /// A version of TLS.
    public enum Version: Int, Hashable, Sendable {
        /// RFC 5246.
        case tls12 = 0x0303
        /// RFC 8446.
        case tls13 = 0x0304
    }

    private init(_ certificate: Certificate) {
        self.certificate = certificate
    }

    /// A certificate for `localhost`, 127.0.0.1 and ::1, of an authority that is made for this server alone.
    public static var selfSigned: MockTLS { MockTLS(.issued(by: nil)) }

    /// A certificate for `localhost`, 127.0.0.1 and ::1, of an authority that other servers and clients can share.
    public static func issued(by authority: MockCertificateAuthority) -> MockTLS {
        MockTLS(.issued(by: authority))
    }

    /// A certificate of your own.
    ///
    /// - Parameters:
    ///   - identity: The certificate, with those that lead to its authority, and its key.
    ///   - authority: What ``MockServer/certificateAuthority`` is to be, as PEM; by default the last certificate of the
    ///     chain.
    public static func identity(_ identity: MockIdentity, authority: Data? = nil) -> MockTLS {
        MockTLS(.identity(identity, authority: authority))
    }

    /// The same with a certificate for other names, or addresses, in place of the loopback's: a client refuses it.
    ///
    /// One of your own stays what it is.
    public func with(names: [String]) -> MockTLS {
        changing { $0.names = names }
    }

    /// The same with a certificate that has expired, or does not hold yet: a client refuses it.
    ///
    /// One of your own stays what it is.
    public func with(validity: MockCertificateAuthority.Validity) -> MockTLS {
        changing { $0.validity = validity }
    }

    /// The same, asking clients for a certificate.
    public func with(clientCertificate: ClientCertificate) -> MockTLS {
        changing { $0.clientCertificate = clientCertificate }
    }

    /// The same, with no later version of TLS than this.
    public func with(maximumVersion: Version) -> MockTLS {
        changing { $0.maximumVersion = maximumVersion }
    }

    private func changing(_ change: (inout MockTLS) -> Void) -> MockTLS {
        var copy = self
        change(&copy)
        return copy
    }
}
