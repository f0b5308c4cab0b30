extension ErrandError: Confidential {
    /// The request, the code, the reason, the cause and the attempt, in one line without secrets:
    ///
    /// `GET https://api.example.com/users?page=***: unacceptableStatusCode: the status is 404, not 200 to 299`
    public var description: String { description(ofURL: url?.absoluteString) }

    func description(ofURL url: String?) -> String {
        var parts = [code.rawValue.onOneLogLine]
        if let reason { parts.append(reason) }
        // The reason may already contain the cause.
        if let cause = underlyingError.flatMap(Self.label), reason?.contains(cause) != true { parts.append(cause) }
        let request = [method?.rawValue.onOneLogLine, url].compactMap(\.self).joined(separator: " ")
        let attempt = attempts > 1 ? " (attempt \(attempts))" : ""
        return (request.isEmpty ? parts : [request] + parts).joined(separator: ": ") + attempt
    }

    /// A mirror with only the code and the description, so that `dump` shows no secrets either.
    public var customMirror: Mirror {
        Mirror(self, children: ["code": code.rawValue, "description": description], displayStyle: .struct)
    }

    /// Returns the description of an ``ErrandError``, which has no secrets. Of any other cause, it returns only the
    /// type, and the code of a `URLError`, because its text may contain parts of the document or the request. `nil` for
    /// a cancellation or a timeout, which usually repeats the error's own code.
    private static func label(of cause: any Error) -> String? {
        switch cause {
        case let cause as ErrandError: cause.description
        case let cause as URLError where cause.code == .cancelled || cause.code == .timedOut: nil
        case is CancellationError: nil
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
    /// Only the description: an error bridged to `NSError` shows no more than ``description``.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension URLError.Code {
    /// The meaning of the code in words, the same on every platform.
    package var meaning: String {
        Self.known[self]?.meaning ?? "no further information"
    }

    /// The name of the code as a word for metrics, such as `cannot_find_host`; `nil` for a code without a meaning.
    var word: String? { Self.known[self]?.word }

    private static let known: [URLError.Code: (word: String, meaning: String)] = [
        .badServerResponse: ("bad_server_response", "the response is not HTTP"),
        .badURL: ("bad_url", "the URL is malformed"),
        .cancelled: ("cancelled", "cancelled"),
        .cannotConnectToHost: ("cannot_connect_to_host", "could not connect to the server"),
        .cannotDecodeContentData: ("cannot_decode_content_data", "the body does not match its content coding"),
        .cannotFindHost: ("cannot_find_host", "no address was found for the host name"),
        .cannotParseResponse: ("cannot_parse_response", "the response is not valid HTTP"),
        .clientCertificateRejected: ("client_certificate_rejected", "the server rejected the client certificate"),
        .clientCertificateRequired: ("client_certificate_required", "the server requires a client certificate"),
        .dataLengthExceedsMaximum: ("data_length_exceeds_maximum", "the response is longer than allowed"),
        .httpTooManyRedirects: ("http_too_many_redirects", "too many redirects"),
        .networkConnectionLost: ("network_connection_lost", "the connection was lost before the response was complete"),
        .notConnectedToInternet: ("not_connected_to_internet", "no network connection"),
        .redirectToNonExistentLocation: (
            "redirect_to_non_existent_location", "the location of the redirect is not a valid URL"
        ),
        .resourceUnavailable: ("resource_unavailable", "the process has no file descriptors left"),
        .secureConnectionFailed: ("secure_connection_failed", "no secure connection could be established"),
        .serverCertificateHasBadDate: ("server_certificate_has_bad_date", "the server's certificate is out of date"),
        .serverCertificateNotYetValid: (
            "server_certificate_not_yet_valid", "the server's certificate is not valid yet"
        ),
        .serverCertificateUntrusted: ("server_certificate_untrusted", "the server's certificate is not trusted"),
        .timedOut: ("timed_out", "timed out"),
        .unknown: ("unknown", "the transport gave no reason"),
        .unsupportedURL: ("unsupported_url", "the scheme of the URL is not supported"),
        .userAuthenticationRequired: ("user_authentication_required", "the proxy requires credentials"),
    ]
}

extension ErrandError {
    /// Returns the cause without the URL of a `URLError` or the values of a coding error. Other errors are not changed.
    static func withoutSecrets(_ cause: any Error) -> any Error {
        if let cause = URLError(bridging: cause) { return cause }
        return switch cause {
        case let cause as DecodingError: cause.withoutValues
        case let cause as EncodingError: cause.withoutValues
        default: cause
        }
    }
}

extension DecodingError {
    /// The same failure at the same place, without the keys of dictionaries, which are parts of the document, and
    /// without the text unless it comes from Errand's decoder or the author of a type. Other decoders quote values.
    fileprivate var withoutValues: DecodingError {
        switch self {
        case .typeMismatch(let type, let context): .typeMismatch(type, context.withoutValues)
        case .valueNotFound(let type, let context): .valueNotFound(type, context.withoutValues)
        case .keyNotFound(let key, let context): .keyNotFound(key.withoutData, context.withoutValues)
        case .dataCorrupted(let context): .dataCorrupted(context.withoutValues)
        @unknown default: self
        }
    }
}

extension DecodingError.Context {
    fileprivate var withoutValues: DecodingError.Context {
        let location = underlyingError as? JSONLocation
        return DecodingError.Context(
            codingPath: codingPath.withoutData, debugDescription: location == nil ? "" : debugDescription,
            underlyingError: location)
    }
}

extension EncodingError {
    /// The same failure at the same place, without the value.
    fileprivate var withoutValues: EncodingError {
        guard case .invalidValue(_, let context) = self else { return self }
        let place = EncodingError.Context(codingPath: context.codingPath.withoutData, debugDescription: "")
        return .invalidValue((), place)
    }
}

extension URLError {
    /// Creates a `URLError` with only the code of an error in Foundation's URL domain, which is a `URLError` or an
    /// `NSError`; `nil` for other errors.
    init?(bridging error: any Error) {
        let error = error as NSError
        guard error.domain == NSURLErrorDomain else { return nil }
        self.init(URLError.Code(rawValue: error.code) ?? .unknown)
    }
}

extension URL {
    /// This URL without user info and fragment, and with `***` for every query value.
    ///
    /// The names of query items and the path are kept, because they must not contain secrets. An item without `=` may
    /// be a value, and is hidden. Of a URL without a host, which may contain anything, only the scheme is kept.
    public var redacted: URL { redacted(revealingQuery: []) }

    /// Whether this is only a path, as of a request without a base URL. ``redacted`` would hide it.
    var isPathOnly: Bool { scheme == nil && host() == nil && query() == nil && fragment() == nil }

    /// Returns this URL as ``redacted`` does, but with the values of some query items.
    ///
    /// - Parameter names: The names of these items, without escapes.
    public func redacted(revealingQuery names: Set<String>) -> URL {
        redacted { query in
            query.split(separator: "&", omittingEmptySubsequences: false)
                .map { $0.isRevealed(by: names) ? String($0) : $0.hidden }
                .joined(separator: "&")
        }
    }

    /// Returns this URL without user info and fragment, and with another query.
    ///
    /// - Parameter query: A closure that returns the query without its secrets. Both queries are percent-encoded.
    package func redacted(query: (String) -> String) -> URL {
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true), components.host != nil else {
            return URL(string: "\(scheme ?? ""):***") ?? URL(fileURLWithPath: "/unreadable-url")
        }
        components.user = nil
        components.password = nil
        components.fragment = nil
        components.percentEncodedQuery = components.percentEncodedQuery.map(query)
        return components.url ?? URL(fileURLWithPath: "/unreadable-url")
    }
}

/// An item of an encoded query.
extension Substring {
    private var name: Substring { prefix { $0 != "=" } }

    fileprivate func isRevealed(by names: Set<String>) -> Bool {
        isEmpty || names.contains(name.removingPercentEncoding ?? String(name))
    }

    fileprivate var hidden: String { hidden(as: "***") }

    /// The item with a word in place of its value. The name is hidden too if it may be a value: without a value after
    /// it, or with a separator in it.
    func hidden(as word: String) -> String {
        let hasValue = dropFirst(name.count + 1).contains { $0 != "=" }
        let isName = !["%3d", "%26", "%3b", ";"].contains { name.lowercased().contains($0) }
        return hasValue && isName ? "\(name)=\(word)" : word
    }
}
