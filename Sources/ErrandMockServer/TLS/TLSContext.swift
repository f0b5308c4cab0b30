import Errand

/// The shared settings of a server's TLS connections: its certificate and its requirements for clients.
///
/// `@unchecked Sendable` is correct because `init` sets up the OpenSSL context, and nothing changes it later. After
/// that, only `SSL_new` reads it on the server's thread, and its atomic reference count decreases.
final class TLSContext: @unchecked Sendable {
    /// The certificate, as PEM, that a client must trust.
    let authority: Data
    let openSSL: OpenSSL
    private let context: OpenSSLObject
    var pointer: OpaquePointer { context.pointer }

    /// - Throws: ``MockServerError/tlsUnavailable(_:)``; ``MockServerError/tls(_:)`` if a certificate or its key cannot
    ///   be read, or they do not belong together.
    init(_ tls: MockTLS) throws(MockServerError) {
        let openSSL = try OpenSSL.load()
        self.openSSL = openSSL
        let builder = try CertificateBuilder()
        let identity: MockIdentity
        switch tls.certificate {
        case .issued(let shared):
            let authority: MockCertificateAuthority
            if let shared { authority = shared } else { authority = try MockCertificateAuthority() }
            identity = try authority.issue(names: tls.names, validity: tls.validity)
            self.authority = authority.certificate
        case .identity(let given, let authority):
            identity = given
            if let authority {
                self.authority = authority
            } else {
                let chain = try builder.certificates(pem: given.certificateChain)
                self.authority =
                    try chain.last.map { (last) throws(MockServerError) in
                        try builder.pem(certificate: last)
                    } ?? Data()
            }
        }
        let ssl = openSSL.ssl
        context = try OpenSSLObject(
            ssl.sslCtxNew(ssl.tlsServerMethod()), of: openSSL, "no TLS context", free: ssl.sslCtxFree)
        _ = ssl.sslCtxCtrl(pointer, OpenSSL.Control.minimumVersion, MockTLS.Version.tls12.rawValue, nil)
        _ = ssl.sslCtxCtrl(pointer, OpenSSL.Control.maximumVersion, tls.maximumVersion.rawValue, nil)
        _ = ssl.sslCtxCtrl(pointer, OpenSSL.Control.cacheSessions, 0, nil)
        _ = ssl.sslCtxSetOptions(pointer, OpenSSL.withoutTickets)
        _ = ssl.sslCtxSetNumTickets(pointer, 0)
        ssl.sslCtxSetAlpnSelectCb(pointer, Self.agreeOnProtocol, nil)
        try show(identity, builder)
        try requestCertificate(tls.clientCertificate, builder)
    }

    private func show(_ identity: MockIdentity, _ builder: CertificateBuilder) throws(MockServerError) {
        let ssl = openSSL.ssl
        let chain = try builder.certificates(pem: identity.certificateChain)
        let key = try builder.key(pem: identity.privateKey)
        guard let first = chain.first, ssl.sslCtxUseCertificate(pointer, first.pointer) == 1 else {
            throw openSSL.failure("the certificate cannot be used")
        }
        guard ssl.sslCtxUsePrivateKey(pointer, key.pointer) == 1, ssl.sslCtxCheckPrivateKey(pointer) == 1 else {
            throw openSSL.failure("the private key does not belong to the certificate")
        }
        for further in chain.dropFirst() {
            // The context takes ownership of the certificate, so it gets a copy.
            let copy = try builder.certificates(pem: try builder.pem(certificate: further))
            guard let only = copy.first else { continue }
            let added = ssl.sslCtxCtrl(
                pointer, OpenSSL.Control.addToChain, 0, UnsafeMutableRawPointer(only.released()))
            guard added == 1 else { throw openSSL.failure("the chain cannot be used") }
        }
    }

    private func requestCertificate(_ certificate: MockTLS.ClientCertificate, _ builder: CertificateBuilder)
        throws(MockServerError)
    {
        let ssl = openSSL.ssl
        switch certificate {
        case .ignored:
            ssl.sslCtxSetVerify(pointer, OpenSSL.Verify.none, nil)
        case .requested:
            ssl.sslCtxSetVerify(pointer, OpenSSL.Verify.peer) { _, _ in 1 }
        case .required:
            for trusted in try builder.certificates(pem: authority) {
                guard ssl.sslCtxAddClientCa(pointer, trusted.pointer) == 1,
                    openSSL.crypto.x509StoreAddCert(ssl.sslCtxGetCertStore(pointer), trusted.pointer) == 1
                else { throw openSSL.failure("the authority cannot be trusted") }
            }
            ssl.sslCtxSetVerify(pointer, OpenSSL.Verify.peer | OpenSSL.Verify.failWithoutCertificate, nil)
        }
    }

    /// Chooses `http/1.1` among the protocols that a client offers; aborts the handshake if it is not offered (RFC
    /// 7301, section 3.2).
    static let agreeOnProtocol: LibSSL.ProtocolCallback = { _, chosen, chosenCount, offered, count, _ in
        let wanted = Array("http/1.1".utf8)
        let offers = UnsafeBufferPointer(start: offered, count: Int(count))
        var start = 0
        while start < offers.count {
            let length = Int(offers[start])
            let range = start + 1..<start + 1 + length
            guard range.upperBound <= offers.count else { break }
            if offers[range].elementsEqual(wanted), let offered {
                chosen?.pointee = offered + range.lowerBound
                chosenCount?.pointee = UInt8(length)
                return OpenSSL.ProtocolChoice.accepted
            }
            start = range.upperBound
        }
        return OpenSSL.ProtocolChoice.refused
    }
}
