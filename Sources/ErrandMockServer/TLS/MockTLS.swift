public import Errand

/// The TLS settings of a ``MockServer``: its certificate, and its requirements for clients.
///
/// ```swift
/// let server = try MockServer(tls: .selfSigned)
/// var configuration = CurlConfiguration()
/// configuration.tls.additionalAuthorities = server.certificateAuthority
/// ```
///
/// The server supports TLS 1.2 and 1.3, and negotiates only HTTP/1.1 (ALPN, RFC 7301). It never resumes a session, so
/// each connection has a complete handshake.
///
/// It uses OpenSSL, whose libraries are loaded when the first server with TLS is created. They are installed together
/// with libcurl. If they are missing, and on Apple platforms, creating the server throws
/// ``MockServerError/tlsUnavailable(_:)``.
public struct MockTLS: Sendable {
    /// The requirement for a client certificate.
    public enum ClientCertificate: Hashable, Sendable {
        /// The server does not request a certificate.
        case ignored
        /// The server requests a certificate, and accepts any certificate or none.
        /// ``/ErrandTesting/MockRequest/TLS/clientCertificate`` is the one that the client sent.
        case requested
        /// The handshake fails without a certificate that the server's ``MockServer/certificateAuthority`` has issued.
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

    /// A certificate for `localhost`, 127.0.0.1 and ::1, issued by a new authority for this server alone.
    public static var selfSigned: MockTLS { MockTLS(.issued(by: nil)) }

    /// A certificate for `localhost`, 127.0.0.1 and ::1, issued by an authority that other servers and clients can
    /// share.
    public static func issued(by authority: MockCertificateAuthority) -> MockTLS {
        MockTLS(.issued(by: authority))
    }

    /// A custom certificate.
    ///
    /// - Parameters:
    ///   - identity: The certificate with its intermediate certificates, and its key.
    ///   - authority: The ``MockServer/certificateAuthority`` as PEM; by default the last certificate of the chain.
    public static func identity(_ identity: MockIdentity, authority: Data? = nil) -> MockTLS {
        MockTLS(.identity(identity, authority: authority))
    }

    /// The same settings with a certificate for other names or addresses than those of the loopback interface, which
    /// clients reject.
    ///
    /// A custom certificate does not change.
    public func with(names: [String]) -> MockTLS {
        changing { $0.names = names }
    }

    /// The same settings with a certificate that has expired or is not valid yet, which clients reject.
    ///
    /// A custom certificate does not change.
    public func with(validity: MockCertificateAuthority.Validity) -> MockTLS {
        changing { $0.validity = validity }
    }

    /// The same settings with a requirement for client certificates.
    public func with(clientCertificate: ClientCertificate) -> MockTLS {
        changing { $0.clientCertificate = clientCertificate }
    }

    /// The same settings with a maximum TLS version.
    public func with(maximumVersion: Version) -> MockTLS {
        changing { $0.maximumVersion = maximumVersion }
    }

    private func changing(_ change: (inout MockTLS) -> Void) -> MockTLS {
        var copy = self
        change(&copy)
        return copy
    }
}
