import Errand

/// OpenSSL, opened once in a process when it is first wanted, and its few numbers that are only in its headers.
struct OpenSSL: Sendable {
    let crypto: LibCrypto
    let ssl: LibSSL

    private static let opened = Result { () throws(MockServerError) -> OpenSSL in
        var failure = MockServerError.tlsUnavailable("this system's own TLS is not used yet")
        // The two of one version: that libcrypto is what that libssl was linked with.
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

    /// The error that the last call on this thread has left, in the library's words, which quote nothing.
    func failure(_ what: String) -> MockServerError {
        let code = crypto.errGetError()
        crypto.errClearError()
        guard code != 0, let reason = crypto.errReasonErrorString(code) else { return .tls(what) }
        return .tls("\(what): \(String(cString: reason))")
    }
}

extension OpenSSL {
    /// What a certificate's fields and extensions are called (obj_mac.h).
    enum Name {
        static let commonName: Int32 = 13
        static let keyUsage: Int32 = 83
        static let subjectAlternativeName: Int32 = 85
        static let basicConstraints: Int32 = 87
        static let extendedKeyUsage: Int32 = 126
        static let ellipticCurveKey: Int32 = 408
    }

    /// What `SSL_get_error` says (ssl.h).
    enum Outcome {
        static let wantsMore: Int32 = 2
        static let closed: Int32 = 6
    }

    /// What `SSL_CTX_ctrl` is asked for (ssl.h), and `BIO_ctrl` (bio.h).
    enum Control {
        static let addToChain: Int32 = 14
        static let cacheSessions: Int32 = 44
        static let minimumVersion: Int32 = 123
        static let maximumVersion: Int32 = 124
        static let pending: Int32 = 10
    }

    /// Whether a client's certificate is asked for (ssl.h).
    enum Verify {
        static let none: Int32 = 0
        static let peer: Int32 = 1
        static let failWithoutCertificate: Int32 = 2
    }

    /// `SSL_OP_NO_TICKET`.
    static let withoutTickets: UInt64 = 1 << 14
    /// `MBSTRING_UTF8`.
    static let utf8: Int32 = 0x1000
}
