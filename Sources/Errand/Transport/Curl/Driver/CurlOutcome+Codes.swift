#if canImport(CCurl)
import CCurl

// What libcurl reports as the end of a transfer.
extension CurlOutcome {
    init(code: Int32, of handle: CurlHandle) {
        let code = Int(code)
        failure = code == CCURLE_OK ? nil : Self.precise(code, handle) ?? Self.failures[code] ?? .unknown
        reason =
            handle.hasEndlessTunnelResponse
            ? "the proxy's response to CONNECT is longer than `maximumHeadSize`"
            : failure.flatMap { handle.failureReason(code, $0) }
        kind =
            switch code {
            case CCURLE_OK: .success
            case CCURLE_HTTP2_STREAM where handle.failureSentence.isEmpty: .streamClosed
            case _ where failure == .networkConnectionLost && Self.connectionLosses.contains(code): .connectionLoss
            default: .failure
            }
    }

    /// Returns the code for details that the handle knows in addition to libcurl's code; `nil` without any.
    private static func precise(_ code: Int, _ handle: CurlHandle) -> URLError.Code? {
        if handle.hasEndlessTunnelResponse { return .cannotConnectToHost }
        let tunnelStatus = handle.long(CCURLINFO_HTTP_CONNECTCODE)
        if tunnelStatus >= 300 { return tunnelStatus == 407 ? .userAuthenticationRequired : .cannotConnectToHost }
        return switch code {
        case CCURLE_PEER_FAILED_VERIFICATION: verifyFailures[handle.long(CCURLINFO_SSL_VERIFYRESULT)]
        case CCURLE_COULDNT_CONNECT, CCURLE_COULDNT_RESOLVE_HOST, CCURLE_COULDNT_RESOLVE_PROXY:
            handle.lacksDescriptors ? .resourceUnavailable : nil
        case CCURLE_RECV_ERROR where handle.failureSentence.hasSuffix("chunked-encoding"): .cannotParseResponse
        // With TLS 1.3, the server checks the client certificate after the client considers the handshake complete.
        case CCURLE_SSL_CONNECT_ERROR, CCURLE_RECV_ERROR, CCURLE_SEND_ERROR: alert(in: handle.failureSentence)
        default: nil
        }
    }

    /// The OpenSSL verification errors that have their own error code.
    private static let verifyFailures: [Int: URLError.Code] = [
        9: .serverCertificateNotYetValid,  // X509_V_ERR_CERT_NOT_YET_VALID
        10: .serverCertificateHasBadDate,  // X509_V_ERR_CERT_HAS_EXPIRED
    ]

    /// Returns the error code for the TLS alert in libcurl's message; `nil` if the message is not about an alert.
    private static func alert(in sentence: String) -> URLError.Code? {
        guard let alert = CurlErrorMessage(sentence).alert else { return nil }
        if alert.hasPrefix("certificate required") { return .clientCertificateRequired }
        return alert.contains("certificate") || alert.hasPrefix("unknown ca")
            ? .clientCertificateRejected : .secureConnectionFailed
    }

    /// The libcurl codes for a lost connection, without those that Errand causes or that affect only one stream.
    private static let connectionLosses = [
        CCURLE_HTTP2, CCURLE_PARTIAL_FILE, CCURLE_GOT_NOTHING, CCURLE_SEND_ERROR, CCURLE_RECV_ERROR,
    ]

    /// The error code for each libcurl code, unless ``precise(_:_:)`` knows a better one. Codes that are missing here
    /// become `unknown`.
    private static let failures: [Int: URLError.Code] = [
        CCURLE_UNSUPPORTED_PROTOCOL: .cannotParseResponse,  // HTTP/0.9, because the scheme has been checked
        CCURLE_URL_MALFORMAT: .badURL,
        CCURLE_COULDNT_RESOLVE_PROXY: .cannotFindHost,
        CCURLE_COULDNT_RESOLVE_HOST: .cannotFindHost,
        CCURLE_COULDNT_CONNECT: .cannotConnectToHost,
        CCURLE_INTERFACE_FAILED: .cannotConnectToHost,
        CCURLE_PROXY: .cannotConnectToHost,
        CCURLE_WEIRD_SERVER_REPLY: .cannotParseResponse,
        CCURLE_BAD_FUNCTION_ARGUMENT: .cannotParseResponse,  // a head that begins with a folded line
        CCURLE_OUT_OF_MEMORY: .dataLengthExceedsMaximum,  // a header line of more than 100 KB
        100: .dataLengthExceedsMaximum,  // CURLE_TOO_LARGE, which says the same from 8.6 on
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
