/// The head of a response.
public struct ResponseHead: Sendable {
    /// The status code.
    public let statusCode: Int
    /// The header fields.
    public let headers: HeaderFields
    /// The URL of the response: the request's own, or the target of the last redirect.
    public let url: URL?
    /// The source of the response, such as the network or a cache.
    public let source: ResponseSource
    /// The number of times the request was sent for this response.
    public let attempts: Int
    /// The metrics of the transfer, as in ``DataResponse/metrics``.
    public let metrics: TransferMetrics?

    init(_ response: DataResponse) {
        statusCode = response.statusCode
        headers = response.headers
        url = response.url
        source = response.source
        attempts = response.attempts
        metrics = response.metrics
    }
}

extension ResponseHead: Confidential {
    /// The status and the URL without secrets.
    public var description: String {
        ["\(statusCode)", url?.redacted.absoluteString].compactMap(\.self).joined(separator: " ")
    }
}

/// The trailer fields of a response (RFC 9110, section 6.5), which a transport sets before it reports the end of the
/// body.
///
/// Read them as ``DataResponse/trailers``.
public final class ResponseTrailers: Sendable {
    private let state: Locked<HeaderFields>

    /// Creates a container with these fields.
    public init(_ fields: HeaderFields = [:]) {
        state = Locked(fields)
    }

    /// The trailer fields. A transport sets them before it reports the end of the body.
    public var fields: HeaderFields {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// The redirects that were followed for a response.
struct RedirectHistory: Sendable {
    /// A redirect response that was followed.
    struct Hop: Sendable {
        /// The method and the URL of the request before the redirect.
        let method: String
        let url: URL?
        let statusCode: Int
        let headers: HeaderFields
    }

    var hops: [Hop] = []
    /// The method of the last request.
    var lastMethod: String
}
