import Errand

/// Creates, parses and encodes keys and certificates (RFC 5280). Only the returned objects outlive a call.
struct CertificateBuilder {
    /// The content of a certificate.
    struct Content {
        var subject: String
        var issuer: String
        /// The validity, in seconds from now.
        var validity: Range<Int>
        /// The extensions, by number, in the syntax of OpenSSL's configuration files.
        var extensions: [(name: Int32, value: String)]
    }

    private let openSSL: OpenSSL
    private var crypto: LibCrypto { openSSL.crypto }

    init() throws(MockServerError) {
        openSSL = try OpenSSL.load()
        openSSL.crypto.errClearError()
    }

    /// Creates a key on the curve P-256.
    func newKey() throws(MockServerError) -> OpenSSLObject {
        let failure = "the key could not be generated"
        let context = try object(
            crypto.evpPkeyCtxNewId(OpenSSL.Name.ellipticCurveKey, nil), failure, crypto.evpPkeyCtxFree)
        var key: OpaquePointer?
        guard crypto.evpPkeyKeygenInit(context.pointer) == 1,
            crypto.evpPkeyCtxCtrlStr(context.pointer, "ec_paramgen_curve", "P-256") == 1,
            crypto.evpPkeyKeygen(context.pointer, &key) == 1
        else { throw openSSL.failure(failure) }
        return try object(key, failure, crypto.evpPkeyFree)
    }

    func certificate(
        _ content: Content, for key: OpenSSLObject, signedWith signer: OpenSSLObject
    ) throws(MockServerError) -> OpenSSLObject {
        let failure = "the certificate could not be generated"
        let certificate = try object(crypto.x509New(), failure, crypto.x509Free)
        let subject = crypto.x509GetSubjectName(certificate.pointer)
        // OpenSSL has no function for a name alone, so it is taken from a temporary certificate.
        let issuer = try object(crypto.x509New(), failure, crypto.x509Free)
        let issuerName = crypto.x509GetSubjectName(issuer.pointer)
        let serial = Int.random(in: 1...Int(Int32.max))
        guard crypto.x509SetVersion(certificate.pointer, 2) == 1,
            crypto.asn1IntegerSet(crypto.x509GetSerialNumber(certificate.pointer), serial) == 1,
            crypto.x509GmtimeAdj(crypto.x509GetmNotBefore(certificate.pointer), content.validity.lowerBound) != nil,
            crypto.x509GmtimeAdj(crypto.x509GetmNotAfter(certificate.pointer), content.validity.upperBound) != nil,
            crypto.x509SetPubkey(certificate.pointer, key.pointer) == 1,
            crypto.x509NameAddEntryByTxt(
                subject, "CN", OpenSSL.utf8, Array(content.subject.utf8), Int32(clamping: content.subject.utf8.count),
                -1, 0) == 1,
            crypto.x509NameAddEntryByTxt(
                issuerName, "CN", OpenSSL.utf8, Array(content.issuer.utf8), Int32(clamping: content.issuer.utf8.count),
                -1, 0) == 1,
            crypto.x509SetIssuerName(certificate.pointer, issuerName) == 1
        else { throw openSSL.failure(failure) }
        for (name, value) in content.extensions {
            let field = try object(
                crypto.x509v3ExtConfNid(nil, nil, name, value), failure, crypto.x509ExtensionFree)
            guard crypto.x509AddExt(certificate.pointer, field.pointer, -1) == 1 else {
                throw openSSL.failure(failure)
            }
        }
        guard crypto.x509Sign(certificate.pointer, signer.pointer, crypto.evpSha256()) > 0 else {
            throw openSSL.failure(failure)
        }
        return certificate
    }

    /// Parses all certificates of a PEM text, in order; at least one.
    func certificates(pem: Data) throws(MockServerError) -> [OpenSSLObject] {
        let reader = try reader(of: pem)
        var certificates: [OpenSSLObject] = []
        while let pointer = crypto.pemReadBioX509(reader.pointer, nil, nil, nil) {
            certificates.append(try object(pointer, "the certificate cannot be read", crypto.x509Free))
        }
        guard !certificates.isEmpty else { throw openSSL.failure("the certificate cannot be read") }
        // The end of the loop leaves an error in the queue: no further certificate begins.
        crypto.errClearError()
        return certificates
    }

    func key(pem: Data) throws(MockServerError) -> OpenSSLObject {
        let reader = try reader(of: pem)
        // Without a callback, OpenSSL would ask for a passphrase on the terminal.
        let noPassphrase: LibCrypto.PassphraseCallback = { _, _, _, _ in -1 }
        return try object(
            crypto.pemReadBioPrivateKey(reader.pointer, nil, noPassphrase, nil), "the private key cannot be read",
            crypto.evpPkeyFree)
    }

    func pem(certificate: OpenSSLObject) throws(MockServerError) -> Data {
        try written { crypto.pemWriteBioX509($0, certificate.pointer) }
    }

    func pem(key: OpenSSLObject) throws(MockServerError) -> Data {
        try written { crypto.pemWriteBioPKCS8PrivateKey($0, key.pointer, nil, nil, 0, nil, nil) }
    }

    /// The common name of a certificate's subject; `nil` if it has none.
    func commonName(of certificate: OpenSSLObject) -> String? {
        let name = crypto.x509GetSubjectName(certificate.pointer)
        var text = [CChar](repeating: 0, count: 256)
        let count = crypto.x509NameGetTextByNid(name, OpenSSL.Name.commonName, &text, Int32(text.count))
        guard count >= 0 else { return nil }
        return String(decoding: text.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func reader(of pem: Data) throws(MockServerError) -> OpenSSLObject {
        let memory = try object(crypto.bioNew(crypto.bioSMem()), "not enough memory", free)
        let bytes = Array(pem)
        guard bytes.isEmpty || crypto.bioWrite(memory.pointer, bytes, Int32(clamping: bytes.count)) > 0 else {
            throw openSSL.failure("not enough memory")
        }
        return memory
    }

    private func written(_ write: (OpaquePointer) -> Int32) throws(MockServerError) -> Data {
        let memory = try object(crypto.bioNew(crypto.bioSMem()), "not enough memory", free)
        guard write(memory.pointer) == 1 else { throw openSSL.failure("a certificate or a key cannot be written") }
        return crypto.bytes(of: memory.pointer)
    }

    private func free(_ memory: OpaquePointer) {
        _ = crypto.bioFree(memory)
    }

    private func object(
        _ pointer: OpaquePointer?, _ failure: String, _ free: @escaping (OpaquePointer) -> Void
    ) throws(MockServerError) -> OpenSSLObject {
        try OpenSSLObject(pointer, of: openSSL, failure, free: free)
    }
}

extension LibCrypto {
    /// Reads all bytes of a memory BIO.
    func bytes(of memory: OpaquePointer) -> Data {
        let count = max(0, bioCtrl(memory, OpenSSL.Control.pending, 0, nil))
        var bytes = Data(count: count)
        let read = bytes.withUnsafeMutableBytes { bioRead(memory, $0.baseAddress, Int32(clamping: $0.count)) }
        return bytes.prefix(max(0, Int(read)))
    }
}
