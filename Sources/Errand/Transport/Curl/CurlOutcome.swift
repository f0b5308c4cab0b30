#if canImport(CCurl)
import CCurl

/// How libcurl, or the loop in its place, ended a transfer.
struct CurlOutcome {
    /// Nil when the transfer was whole, as far as libcurl can tell.
    let failure: URLError.Code?

    var isSuccess: Bool { failure == nil }

    init(failure: URLError.Code) {
        self.failure = failure
    }

    init(code: Int32) {
        failure = code == CCURLE_OK ? nil : Self.failures[Int(code)] ?? .unknown
    }

    /// What each of libcurl's codes is on every platform.
    private static let failures: [Int: URLError.Code] = [
        CCURLE_UNSUPPORTED_PROTOCOL: .cannotParseResponse,  // HTTP/0.9, the URL's scheme having been checked
        CCURLE_URL_MALFORMAT: .badURL,
        CCURLE_COULDNT_RESOLVE_PROXY: .cannotFindHost,
        CCURLE_COULDNT_RESOLVE_HOST: .cannotFindHost,
        CCURLE_COULDNT_CONNECT: .cannotConnectToHost,
        CCURLE_PROXY: .cannotConnectToHost,
        CCURLE_WEIRD_SERVER_REPLY: .cannotParseResponse,
        CCURLE_OUT_OF_MEMORY: .dataLengthExceedsMaximum,  // a header line of more than 100 KB
        CCURLE_PARTIAL_FILE: .networkConnectionLost,
        CCURLE_GOT_NOTHING: .networkConnectionLost,
        CCURLE_SEND_ERROR: .networkConnectionLost,
        CCURLE_RECV_ERROR: .networkConnectionLost,
        CCURLE_SEND_FAIL_REWIND: .networkConnectionLost,
        CCURLE_ABORTED_BY_CALLBACK: .networkConnectionLost,
        CCURLE_HTTP2: .networkConnectionLost,
        CCURLE_HTTP2_STREAM: .networkConnectionLost,
        CCURLE_OPERATION_TIMEDOUT: .timedOut,
        CCURLE_BAD_CONTENT_ENCODING: .cannotDecodeContentData,
        CCURLE_SSL_CONNECT_ERROR: .secureConnectionFailed,
        CCURLE_SSL_CIPHER: .secureConnectionFailed,
        CCURLE_SSL_SHUTDOWN_FAILED: .secureConnectionFailed,
        CCURLE_PEER_FAILED_VERIFICATION: .serverCertificateUntrusted,
        CCURLE_SSL_PINNEDPUBKEYNOTMATCH: .serverCertificateUntrusted,
        CCURLE_SSL_ISSUER_ERROR: .serverCertificateUntrusted,
        CCURLE_SSL_INVALIDCERTSTATUS: .serverCertificateUntrusted,
        CCURLE_SSL_CACERT_BADFILE: .serverCertificateUntrusted,
        CCURLE_SSL_CERTPROBLEM: .clientCertificateRejected,
        CCURLE_SSL_CLIENTCERT: .clientCertificateRequired,
    ]
}
#endif
