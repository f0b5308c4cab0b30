import Errand

/// OpenSSL, which is loaded once in a process when it is first used, and the constants of its headers.
///
/// The comment after a constant is the name of its macro; `.ci/deep-steps/check-openssl-header` compares the two.
struct OpenSSL: Sendable {
    let crypto: LibCrypto
    let ssl: LibSSL

    private static let opened = Result { () throws(MockServerError) -> OpenSSL in
        var failure = MockServerError.tlsUnavailable("TLS is not supported on this platform yet")
        // Both libraries must have the same version, because libssl is linked with libcrypto.
        for names in SocketPlatform.tlsLibraries {
            do throws(MockServerError) {
                return try OpenSSL(
                    crypto: LibCrypto(SharedLibrary(names.crypto)), ssl: LibSSL(SharedLibrary(names.ssl)))
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// - Throws: ``MockServerError/tlsUnavailable(_:)``.
    static func load() throws(MockServerError) -> OpenSSL {
        try opened.get()
    }

    /// Creates an error from the last error on this thread, in OpenSSL's words, which contain no data.
    func failure(_ what: String) -> MockServerError {
        let code = crypto.errGetError()
        crypto.errClearError()
        guard code != 0, let reason = crypto.errReasonErrorString(code) else { return .tls(what) }
        return .tls("\(what): \(String(cString: reason))")
    }
}

extension OpenSSL {
    /// The numbers of fields and extensions of certificates (obj_mac.h).
    enum Name {
        static let commonName: Int32 = 13  // NID_commonName
        static let keyUsage: Int32 = 83  // NID_key_usage
        static let subjectAlternativeName: Int32 = 85  // NID_subject_alt_name
        static let basicConstraints: Int32 = 87  // NID_basic_constraints
        static let extendedKeyUsage: Int32 = 126  // NID_ext_key_usage
        static let ellipticCurveKey: Int32 = 408  // NID_X9_62_id_ecPublicKey
    }

    /// The results of `SSL_get_error` (ssl.h).
    enum Outcome {
        static let wantsMore: Int32 = 2  // SSL_ERROR_WANT_READ
        static let closed: Int32 = 6  // SSL_ERROR_ZERO_RETURN
    }

    /// The commands of `SSL_CTX_ctrl` (ssl.h) and `BIO_ctrl` (bio.h).
    enum Control {
        static let addToChain: Int32 = 14  // SSL_CTRL_EXTRA_CHAIN_CERT
        static let cacheSessions: Int32 = 44  // SSL_CTRL_SET_SESS_CACHE_MODE
        static let minimumVersion: Int32 = 123  // SSL_CTRL_SET_MIN_PROTO_VERSION
        static let maximumVersion: Int32 = 124  // SSL_CTRL_SET_MAX_PROTO_VERSION
        static let pending: Int32 = 10  // BIO_CTRL_PENDING
    }

    /// The requirement for a client certificate (ssl.h).
    enum Verify {
        static let none: Int32 = 0  // SSL_VERIFY_NONE
        static let peer: Int32 = 1  // SSL_VERIFY_PEER
        static let failWithoutCertificate: Int32 = 2  // SSL_VERIFY_FAIL_IF_NO_PEER_CERT
    }

    /// The result of choosing the protocol of a connection (tls1.h).
    enum ProtocolChoice {
        static let accepted: Int32 = 0  // SSL_TLSEXT_ERR_OK
        static let refused: Int32 = 2  // SSL_TLSEXT_ERR_ALERT_FATAL
    }

    static let withoutTickets: UInt64 = 1 << 14  // SSL_OP_NO_TICKET
    static let utf8: Int32 = 0x1000  // MBSTRING_UTF8
    static let hostName: Int32 = 0  // TLSEXT_NAMETYPE_host_name
}
