// The differences between the two implementations of URLSession.

#if canImport(FoundationNetworking)

extension URLSessionTask {
    /// Does nothing, because on Linux `cancel()` traps within about 0.1 ms after the start, and deadlocks later.
    ///
    /// A started task ends by itself, with the response or its timeout. Until then it keeps its connection.
    func stop() {}

    /// Does nothing, because the effect of `suspend()` on a running task is not reliable on Linux.
    func waitForReader() {}

    /// Does nothing, like ``waitForReader()``.
    func readOn() {}
}

/// The session's delegate. On Linux, the session calls these methods on its own delegate and not on the task's, so they
/// are passed on.
final class URLSessionRelay: NSObject, URLSessionDataDelegate, Sendable {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        dataTask.exchange?.urlSession(
            session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        dataTask.exchange?.urlSession(session, dataTask: dataTask, didReceive: data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        task.exchange?.urlSession(
            session, task: task, didSendBodyData: bytesSent, totalBytesSent: totalBytesSent,
            totalBytesExpectedToSend: totalBytesExpectedToSend)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        task.exchange?.urlSession(session, task: task, didCompleteWithError: error)
    }
}

extension URLSessionTask {
    fileprivate var exchange: URLSessionExchange? { delegate as? URLSessionExchange }
}

extension URLAuthenticationChallenge {
    /// The response that contains this challenge. On Linux, the session waits forever after a 401 without credentials,
    /// regardless of the delegate's decision. Therefore the exchange uses the 401 as the response.
    var refusal: HTTPURLResponse? { failureResponse as? HTTPURLResponse }

    /// Returns `nil`: on Linux, the session traps if a Digest challenge gets a credential.
    func credential(for request: TransportRequest) -> URLCredential? { nil }
}

extension TransportRequest {
    /// Returns the request in a form that `URLSession` on Linux can send.
    func preparedForURLSession() throws(ErrandError) -> TransportRequest {
        if digestCredential != nil, !hasAuthorization {
            throw ErrandError(.unsupportedByTransport, reason: "URLSession cannot do Digest on Linux")
        }
        let hasBody = urlRequest.httpBody?.isEmpty == false
        if hasBody, urlRequest.httpMethod == "GET" {
            throw ErrandError(.unsupportedByTransport, reason: "URLSession sends no GET with a body")
        }
        var prepared = self
        // Without this field, the session declares the body to be a form.
        if hasBody, urlRequest.value(forHTTPHeaderField: "Content-Type") == nil {
            prepared.urlRequest.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        }
        // A part of a coded body cannot be decoded alone (RFC 9110, section 14.2).
        if urlRequest.value(forHTTPHeaderField: "Range") != nil,
            urlRequest.value(forHTTPHeaderField: "Accept-Encoding") == nil
        {
            prepared.urlRequest.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        // The session sets this field from the body and would send it twice.
        prepared.urlRequest.setValue(nil, forHTTPHeaderField: "Content-Length")
        return prepared
    }
}

extension TransportFailure {
    /// Creates the failure of a session, with the code and the reason from libcurl's message.
    ///
    /// - Parameter host: The host name in the request's URL.
    init(sessionFailure error: any Error, host: String?) {
        let error = error as NSError
        let sessionCode = error.domain == NSURLErrorDomain ? URLError.Code(rawValue: error.code) : nil
        let message = CurlErrorMessage(error.localizedDescription)
        let code = Self.code(forMessage: message.text) ?? sessionCode ?? .unknown
        // The session uses this code only for ECONNREFUSED.
        if sessionCode == .cannotConnectToHost, let address = message.address {
            self.init(URLError(code), reason: "connection refused by \(address)")
        } else {
            self.init(URLError(code), reason: message.reason(for: code, host: host))
        }
    }

    private static func code(forMessage message: String) -> URLError.Code? {
        curlMessages.first { message.localizedCaseInsensitiveContains($0.part) }?.code
    }

    /// Parts of libcurl's messages; the first match determines the code.
    private static let curlMessages: [(part: String, code: URLError.Code)] = [
        ("Could not resolve", .cannotFindHost),
        ("Couldn't connect", .cannotConnectToHost),
        ("timed out", .timedOut),
        ("Empty reply", .networkConnectionLost),
        ("transfer closed", .networkConnectionLost),
        ("Connection reset", .networkConnectionLost),
        ("Connection was reset", .networkConnectionLost),
        ("Recv failure", .networkConnectionLost),
        ("Send failure", .networkConnectionLost),
        ("HTTP/0.9", .cannotParseResponse),
        ("Unsupported HTTP", .cannotParseResponse),
        ("Unsupported response code", .cannotParseResponse),
        ("Nul byte in header", .cannotParseResponse),
        ("Header without colon", .cannotParseResponse),
        ("Invalid Content-Length", .cannotParseResponse),
        ("chunked-encoding", .cannotParseResponse),
        ("Weird server reply", .cannotParseResponse),
        ("Failed writing header", .cannotParseResponse),
        ("content unencoding", .cannotDecodeContentData),
        ("content encoding", .cannotDecodeContentData),
        ("Transfer-Encoding", .cannotDecodeContentData),
        ("Out of memory", .dataLengthExceedsMaximum),
        ("certificate has expired", .serverCertificateHasBadDate),
        ("certificate", .serverCertificateUntrusted),
        ("SSL", .secureConnectionFailed),
    ]
}

#else

// Not yet run: Apple platforms.

/// The session's delegate. On Apple platforms, the task's delegate receives everything.
final class URLSessionRelay: NSObject, URLSessionDelegate, Sendable {}

extension URLSessionTask {
    /// Cancels the task.
    func stop() { cancel() }

    /// Suspends the task until the reader of the body has caught up.
    func waitForReader() { suspend() }

    /// Resumes the task.
    func readOn() { resume() }
}

extension URLAuthenticationChallenge {
    /// Always `nil`: default handling ends the task with the 401 response.
    var refusal: HTTPURLResponse? { nil }

    /// Returns the credential for the first Digest challenge; a second challenge means that the server rejected it.
    func credential(for request: TransportRequest) -> URLCredential? {
        guard let credential = request.digestCredential?.composed, !request.hasAuthorization, previousFailureCount == 0,
            protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPDigest, !protectionSpace.isProxy()
        else { return nil }
        return URLCredential(user: credential.user, password: credential.password, persistence: .none)
    }
}

extension TransportRequest {
    /// Returns the request unchanged, because Apple's `URLSession` can send it as it is.
    func preparedForURLSession() throws(ErrandError) -> TransportRequest { self }
}

extension TransportFailure {
    /// Creates the failure of a session.
    init(sessionFailure error: any Error, host: String?) {
        self.init(error as? URLError ?? URLError(.unknown))
    }
}

#endif
