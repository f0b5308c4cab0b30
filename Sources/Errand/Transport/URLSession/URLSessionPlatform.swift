// Where the two implementations of URLSession differ.

#if canImport(FoundationNetworking)

extension URLSessionTask {
    /// Lets go of the task: on Linux, `cancel()` within about 0.1 ms of the start traps, and dead-locks later.
    ///
    /// It ends by itself, with the answer or its timeout; until then it holds its connection.
    func stop() {}

    /// Nothing: what `suspend()` does to a task that runs here is not to be relied on.
    func waitForReader() {}

    /// Nothing, see above.
    func readOn() {}
}

/// The session's delegate: on Linux it alone is told of heads and bodies, and passes them to the task's delegate.
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
    /// The refusal this challenge is about: here a 401 for which there are no credentials is waited for without end,
    /// whatever the delegate answers, so the exchange takes it for the answer.
    var refusal: HTTPURLResponse? { failureResponse as? HTTPURLResponse }

    /// None: the session of Linux traps on a Digest challenge that is given a credential.
    func credential(for request: TransportRequest) -> URLCredential? { nil }
}

extension TransportRequest {
    /// The request as `URLSession` on Linux can send it.
    func preparedForURLSession() throws(ErrandError) -> TransportRequest {
        var prepared = self
        if prepared.digestCredential != nil, !prepared.hasAuthorization {
            throw ErrandError(.unsupportedByTransport, reason: "URLSession cannot do Digest on Linux")
        }
        if prepared.urlRequest.httpMethod == "GET", prepared.urlRequest.httpBody?.isEmpty == false {
            throw ErrandError(.unsupportedByTransport, reason: "URLSession sends no GET with a body")
        }
        // Without one, the session says that it is a form.
        if prepared.urlRequest.httpBody?.isEmpty == false,
            prepared.urlRequest.value(forHTTPHeaderField: "Content-Type") == nil
        {
            prepared.urlRequest.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        }
        // The session sets this field from the body, and would send a second one.
        prepared.urlRequest.setValue(nil, forHTTPHeaderField: "Content-Length")
        return prepared
    }
}

extension TransportFailure {
    /// The failure of a session, with the code and the reason that libcurl's text gives.
    ///
    /// - Parameter host: The host name that the request's URL has.
    init(sessionFailure error: any Error, host: String?) {
        let error = error as NSError
        let sessionCode = error.domain == NSURLErrorDomain ? URLError.Code(rawValue: error.code) : nil
        let sentence = CurlSentence(error.localizedDescription)
        let code = Self.code(forSentence: sentence.text) ?? sessionCode ?? .unknown
        // The session has this code of its own for ECONNREFUSED alone.
        if sessionCode == .cannotConnectToHost, let address = sentence.address {
            self.init(URLError(code), reason: "connection refused by \(address)")
        } else {
            self.init(URLError(code), reason: sentence.reason(for: code, host: host))
        }
    }

    private static func code(forSentence sentence: String) -> URLError.Code? {
        curlSentences.first { sentence.localizedCaseInsensitiveContains($0.part) }?.code
    }

    /// Parts of what libcurl says; the first that is found counts.
    private static let curlSentences: [(part: String, code: URLError.Code)] = [
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

/// The session's delegate: here the task's own is told everything.
final class URLSessionRelay: NSObject, URLSessionDelegate, Sendable {}

extension URLSessionTask {
    /// Cancels the task.
    func stop() { cancel() }

    /// Has the session wait until the reader of the body has caught up.
    func waitForReader() { suspend() }

    /// Has the session go on.
    func readOn() { resume() }
}

extension URLAuthenticationChallenge {
    /// None: default handling ends the task with the refusal.
    var refusal: HTTPURLResponse? { nil }

    /// What a Digest challenge is answered with, the first time; a second one is a refusal.
    func credential(for request: TransportRequest) -> URLCredential? {
        guard let credential = request.digestCredential, !request.hasAuthorization, previousFailureCount == 0,
            protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPDigest, !protectionSpace.isProxy()
        else { return nil }
        return URLCredential(user: credential.user, password: credential.password, persistence: .none)
    }
}

extension TransportRequest {
    /// The request as Apple's `URLSession` can send it: as it is.
    func preparedForURLSession() throws(ErrandError) -> TransportRequest { self }
}

extension TransportFailure {
    /// The failure of a session.
    init(sessionFailure error: any Error, host: String?) {
        self.init(error as? URLError ?? URLError(.unknown))
    }
}

#endif
