public import Errand

/// A certificate authority for a test, created in this process. Only clients that are configured to do so trust it.
///
/// ```swift
/// let authority = try MockCertificateAuthority()
/// let server = try MockServer(tls: .issued(by: authority).with(clientCertificate: .required))
/// let alice = try authority.issue(commonName: "alice")
/// ```
///
/// Keys are on the curve P-256 and new each time. ``MockTLS/selfSigned`` creates an authority for a server
/// automatically.
public struct MockCertificateAuthority: Sendable {
    /// The validity of a certificate.
    public enum Validity: Hashable, Sendable {
        /// From yesterday, for one week.
        case current
        /// Until yesterday.
        case expired
        /// From tomorrow.
        case notYet

        /// The validity in seconds from now.
        var range: Range<Int> {
            switch self {
            case .current: -Self.day..<6 * Self.day
            case .expired: -2 * Self.day..<(-Self.day)
            case .notYet: Self.day..<7 * Self.day
            }
        }

        private static let day = 86_400
    }

    /// The names of a server on the loopback interface.
    public static let loopbackNames = ["localhost", "127.0.0.1", "::1"]

    /// The authority's certificate as PEM, for clients that trust it.
    public let certificate: Data
    private let privateKey: Data
    private let name: String

    /// Creates a key and a self-signed certificate.
    ///
    /// - Throws: ``MockServerError/tlsUnavailable(_:)``.
    public init() throws(MockServerError) {
        let builder = try CertificateBuilder()
        // The name is unique, so that a client that trusts several authorities cannot choose the wrong one.
        name = "Mock authority \(UInt32.random(in: 0 ... .max))"
        let key = try builder.newKey()
        let certificate = try builder.certificate(
            CertificateBuilder.Content(
                subject: name, issuer: name, validity: -3 * 86_400..<30 * 86_400,
                extensions: [
                    (OpenSSL.Name.basicConstraints, "critical,CA:TRUE"),
                    (OpenSSL.Name.keyUsage, "critical,keyCertSign,cRLSign"),
                ]),
            for: key, signedWith: key)
        self.certificate = try builder.pem(certificate: certificate)
        self.privateKey = try builder.pem(key: key)
    }

    /// Issues a certificate with a new key, for a server or a client.
    ///
    /// - Parameters:
    ///   - commonName: The common name of its subject, at most 64 bytes.
    ///   - names: The host names and addresses that it is for; a name may begin with `*.`. Empty for a client.
    ///   - validity: The validity; current by default.
    /// - Throws: ``MockServerError/tls(_:)`` if a name is invalid or the common name is too long.
    public func issue(
        commonName: String = "mock", names: [String] = loopbackNames, validity: Validity = .current
    ) throws(MockServerError) -> MockIdentity {
        let builder = try CertificateBuilder()
        let alternatives = try names.map { (name) throws(MockServerError) in try Self.alternative(name) }
        let key = try builder.newKey()
        let content = CertificateBuilder.Content(
            subject: commonName, issuer: name, validity: validity.range,
            extensions: [
                (OpenSSL.Name.basicConstraints, "critical,CA:FALSE"),
                (OpenSSL.Name.keyUsage, "critical,digitalSignature"),
                (OpenSSL.Name.extendedKeyUsage, "serverAuth,clientAuth"),
            ]
                + (alternatives.isEmpty
                    ? [] : [(OpenSSL.Name.subjectAlternativeName, alternatives.joined(separator: ","))]))
        let certificate = try builder.certificate(content, for: key, signedWith: try builder.key(pem: privateKey))
        return MockIdentity(
            certificateChain: try builder.pem(certificate: certificate), privateKey: try builder.pem(key: key))
    }

    /// Returns a name in the syntax of OpenSSL's configuration files, where a comma separates names.
    private static func alternative(_ name: String) throws(MockServerError) -> String {
        if SocketAddress.isAddress(name) { return "IP:\(name)" }
        let isName =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "*"):
                    true
                default: false
                }
            }
        guard isName else { throw .tls("a certificate cannot be for the name \(name.debugDescription)") }
        return "DNS:\(name)"
    }
}
