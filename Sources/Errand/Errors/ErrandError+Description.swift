extension ErrandError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What happened to which request, in one line without secrets.
    ///
    /// `GET https://api.example.com/users?page=***: unacceptableStatusCode: 404 is not accepted (attempt 2)`
    public var description: String {
        var parts = [code.rawValue]
        if let reason { parts.append(reason) }
        if let cause = underlyingError.map(Self.label) { parts.append(cause) }
        let request = [method?.rawValue, url?.absoluteString].compactMap(\.self).joined(separator: " ")
        let attempt = attempts > 1 ? " (attempt \(attempts))" : ""
        return (request.isEmpty ? parts : [request] + parts).joined(separator: ": ") + attempt
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The code and the description alone, so that `dump` shows no secret either.
    public var customMirror: Mirror {
        Mirror(self, children: ["code": code.rawValue, "description": description], displayStyle: .struct)
    }

    /// The cause by its type and code: its own text may have been made from the document or the request.
    private static func label(of cause: any Error) -> String {
        switch cause {
        case let cause as URLError: "URLError \(cause.code.rawValue)"
        default: String(describing: type(of: cause))
        }
    }
}

extension ErrandError: LocalizedError, CustomNSError {
    /// The same as ``description``.
    public var errorDescription: String? { description }
    /// `Errand.ErrandError`.
    public static var errorDomain: String { "Errand.ErrandError" }
    /// The description alone: what bridges to `NSError` shows no more than the rest.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension URLError.Code {
    /// What the code says, in words that are the same on every platform.
    var meaning: String {
        Self.meanings[self] ?? "no further information"
    }

    private static let meanings: [URLError.Code: String] = [
        .badServerResponse: "the answer is not HTTP",
        .badURL: "malformed URL",
        .cancelled: "cancelled",
        .cannotConnectToHost: "could not connect to the server",
        .cannotDecodeContentData: "the body's content coding is broken",
        .cannotFindHost: "no such host",
        .cannotParseResponse: "the answer cannot be parsed",
        .clientCertificateRejected: "the server refused the client certificate",
        .dataLengthExceedsMaximum: "the answer is longer than allowed",
        .httpTooManyRedirects: "too many redirects",
        .networkConnectionLost: "the connection was lost before the answer was whole",
        .notConnectedToInternet: "no network",
        .resourceUnavailable: "the process has no descriptor left",
        .redirectToNonExistentLocation: "the redirect leads nowhere",
        .secureConnectionFailed: "no secure connection could be made",
        .serverCertificateHasBadDate: "the server's certificate is out of date",
        .serverCertificateUntrusted: "the server's certificate is not trusted",
        .timedOut: "timed out",
        .unknown: "unknown",
        .unsupportedURL: "unsupported URL",
    ]
}
