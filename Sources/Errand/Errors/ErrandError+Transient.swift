/// A failure that says by itself whether a pipeline's `retry(_:)` repeats a run that ended with it.
protocol RetriedFailure: Error {
    /// Whether the run is repeated by default.
    var isRetriedByDefault: Bool { get }
    /// Whether a run cannot begin again after an earlier one, whose failure then counts.
    var isUnrepeatable: Bool { get }
}

extension ErrandError: RetriedFailure {
    var isRetriedByDefault: Bool { isTransient && isSafeToRepeat }
    var isUnrepeatable: Bool { code == .bodyStreamAlreadyOpened }
}

extension ErrandError {
    /// The status codes after which another attempt may succeed; the default of ``RetryPolicy/statusCodes``.
    package static let transientStatusCodes: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    /// The transport failures after which another attempt may succeed; the default of ``RetryPolicy/errorCodes``.
    static let transientURLErrorCodes: Set<URLError.Code> = [
        .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .networkConnectionLost, .notConnectedToInternet,
        .timedOut,
    ]

    /// Whether another attempt may succeed after this failure.
    ///
    /// It is `true` for a timeout, for a connection that failed or was lost, and for the status codes 408, 425, 429,
    /// 500, 502, 503 and 504. It is also `true` for `transportFailed` without a `URLError`. It is `false` for other
    /// status codes, for a response that cannot be decoded or has another media type, for an invalid request, and for
    /// `cancelled`. ``RetryPolicy`` has the same defaults.
    public var isTransient: Bool {
        switch code {
        case .timedOut: true
        case .transportFailed:
            underlyingError.flatMap(URLError.init(bridging:)).map { Self.transientURLErrorCodes.contains($0.code) }
                ?? true
        case .unacceptableStatusCode: failedStatusCode.map(Self.transientStatusCodes.contains) ?? false
        default: false
        }
    }

    /// The status code of the response, or of the token server's response.
    private var failedStatusCode: Int? {
        statusCode ?? (underlyingError as? ErrandError)?.statusCode
            ?? (underlyingError as? any TokenServerError)?.statusCode
    }

    /// Whether the request can be sent again without performing its action twice.
    ///
    /// It is `true` if nothing was sent (``attempts`` is 0), or if its method is idempotent: GET, HEAD, OPTIONS, PUT,
    /// DELETE or TRACE (RFC 9110, section 9.2.2).
    public var isSafeToRepeat: Bool {
        attempts == 0 || method.map(RequestMethod.idempotent.contains) ?? true
    }
}

/// An error response of a token server, with the properties that retries and refreshes need. Its description contains
/// no secret, and can be part of the reason of another error.
package protocol TokenServerError: Error, CustomStringConvertible {
    /// The status code of the response; `nil` if there was none.
    var statusCode: Int? { get }
    /// Whether the same request may succeed later: the server is overloaded or has failed.
    var isTransient: Bool { get }
}
