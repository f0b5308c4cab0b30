#if canImport(CCurl)
import CCurl
import CEvents

/// The outcome of a transfer, as determined by libcurl or by the loop.
struct CurlOutcome {
    /// The error code; `nil` if the transfer succeeded as far as libcurl can tell.
    let failure: URLError.Code?

    /// The reason for the failure, in one sentence; `nil` if nothing is known beyond the code.
    let reason: String?

    /// The kind of outcome, which decides what follows the transfer's current hop.
    let kind: Kind

    enum Kind {
        case success
        /// The connection was lost. This excludes a single stream that the server reset.
        case connectionLoss
        /// The server closed the HTTP/2 stream without an error, before the request was complete.
        case streamClosed
        /// Any other failure that libcurl reported.
        case failure
        /// The loop ended the transfer before its response was complete, for example after a cancellation or a timeout.
        case ours
    }

    init(failure: URLError.Code, reason: String? = nil) {
        self.failure = failure
        self.reason = reason
        kind = .ours
    }

    init(kind: Kind, failure: URLError.Code? = nil, reason: String? = nil) {
        self.kind = kind
        self.failure = failure
        self.reason = reason
    }

    /// The same failure as the loop's own decision about another transfer.
    var ofLoop: CurlOutcome { CurlOutcome(kind: .ours, failure: failure, reason: reason) }

    /// The loop ended a transfer whose response is complete.
    static let complete = CurlOutcome(kind: .success)

    /// libcurl treated the end of the connection as the end of the body.
    static let cutShort = CurlOutcome(
        kind: .connectionLoss, failure: .networkConnectionLost,
        reason: "the connection was cut before the response was complete")

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

// The end of a transfer.
extension CurlTransfer {
    /// Ends the transfer, and gives its result to the waiting caller or to the reader of the body.
    func end(_ outcome: CurlOutcome) {
        handOver()
        isOver = true
        metrics.total = .nanoseconds(Int64(now &- times.submitted))
        if case .streamed(_, let stream) = delivery, let fields = hop.head.trailers { stream.trailers.fields = fields }
        let result = result(of: outcome)
        releaseForSanitizer()
        switch delivery {
        case .collected(let continuation):
            continuation.resume(with: result.map { CollectedResponse(response: $0, body: body) })
        case .streamed(let continuation, let stream):
            if case .failure(let error) = result, let continuation { continuation.resume(throwing: error) }
            stream.end(result.map { _ in })
        case nil:
            break
        }
        delivery = nil
    }

    /// Passes received data to the reader of a streamed body.
    func handOver() {
        guard !pending.isEmpty, case .streamed(_, let stream) = delivery else { return }
        stream.add(pending.take())
    }

    /// Tells the thread sanitizer that the loop's writes happen before the caller resumes. A continuation guarantees
    /// this, but the sanitizer does not see it if the continuation is resumed before its task has begun to wait (Swift
    /// 6.3).
    func releaseForSanitizer() {
        cevents_release(Unmanaged.passUnretained(self).toOpaque())
    }

    /// The counterpart of ``releaseForSanitizer()`` for the caller.
    func acquireForSanitizer() {
        cevents_acquire(Unmanaged.passUnretained(self).toOpaque())
    }

    /// Ends a transfer whose request could not be started.
    func end(failure error: any Error) {
        failure = error
        end(CurlOutcome(failure: .unknown))
    }

    /// Ends a transfer whose request is not sent, because it was cancelled or the engine accepts no requests.
    func refuse(_ reason: URLError.Code = .cancelled) {
        end(CurlOutcome(failure: reason))
    }

    /// Returns the response or the error that the caller receives.
    private func result(of outcome: CurlOutcome) -> Result<DataResponse, any Error> {
        Result {
            // A callback that cannot end the transfer may have failed in the call in which libcurl completed it.
            if let code = outcome.failure ?? (failure == nil ? nil : .unknown), !hasResponse {
                throw error(for: code, reason: outcome.reason)
            }
            // libcurl treats a connection that closes inside the head as the end of a body.
            guard hop.head.isWhole else { throw TransportFailure(URLError(.networkConnectionLost), metrics: metrics) }
            // The waiting task decodes a body with a content coding.
            return response(with: body.codings.isEmpty ? body.data : Data())
        }
    }

    /// Returns the error of a failed transfer: ``failure`` or that of the request's body, or else the outcome's.
    private func error(for code: URLError.Code, reason: String?) -> any Error {
        switch failure ?? upload?.failure {
        case nil: return TransportFailure(URLError(code), reason: reason, metrics: metrics)
        case let error as URLError: return TransportFailure(error, reason: hop.head.fault, metrics: metrics)
        case var error as TransportFailure:
            error.metrics = error.metrics ?? metrics
            return error
        case let error?: return error
        }
    }

    /// Returns the response as far as it is known.
    func response(with data: Data = Data()) -> DataResponse {
        var response = DataResponse(
            statusCode: hop.head.statusCode, headers: hop.head.fields, data: data, url: chain.request.url,
            method: request.urlRequest.httpMethod.map(RequestMethod.init(rawValue:)), metrics: metrics,
            trailers: hop.head.trailers.map { ResponseTrailers($0) })
        if let history = chain.history { response.redirects = history }
        return response
    }
}
#endif
