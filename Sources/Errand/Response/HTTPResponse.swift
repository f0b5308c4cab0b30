/// The head of an answer, whether its body is there or on its way: what an interceptor sees.
public protocol HTTPResponse: Sendable {
    /// The status code.
    var statusCode: Int { get }
    /// The header fields.
    var headers: HTTPHeaders { get }
    /// Where the answer came from; nil means where the request was sent.
    var url: URL? { get }
    /// Who answered: the network, a cache.
    var source: ResponseSource { get set }

    /// An answer made from a whole one, for an interceptor that answers in place of the network.
    init(_ response: DataResponse)
}

/// Who answered a request.
public enum ResponseSource: Hashable, Sendable {
    /// The server, or the stub in its place.
    case network
    /// A cache, without asking anybody.
    case cache
    /// A cache, after the server said that what it has is still good.
    case revalidated
    /// A cache that has nothing newer than this, which is out of date.
    case stale
    /// An interceptor's own answer, such as a hook's.
    case interceptor
}

extension DataResponse: HTTPResponse {
    /// The same.
    public init(_ response: DataResponse) {
        self = response
    }
}

extension DataResponse {
    /// A whole answer as it is; of a streamed one the head alone.
    init(head answer: some HTTPResponse) {
        if let response = answer as? DataResponse {
            self = response
        } else {
            self.init(statusCode: answer.statusCode, headers: answer.headers, url: answer.url)
            source = answer.source
        }
    }
}

extension StreamedResponse: HTTPResponse {
    /// An answer with its body in one piece.
    public init(_ response: DataResponse) {
        self.init(
            statusCode: response.statusCode, headers: response.headers, url: response.url,
            body: response.stream ?? ResponseBody(response.data))
        method = response.method
        attempts = response.attempts
        source = response.source
    }
}

/// The head of an answer: what ``Response/head`` waits for.
public struct ResponseHead: Sendable {
    /// The status code.
    public let statusCode: Int
    /// The header fields.
    public let headers: HTTPHeaders
    /// Where the answer came from.
    public let url: URL?
    /// Who answered.
    public let source: ResponseSource
    /// How often the request was sent for this answer.
    public let attempts: Int
    /// Where the time went, as far as the transport tells; nil for a stub.
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

extension ResponseHead: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status and the URL without secrets.
    public var description: String {
        ["\(statusCode)", url?.redacted.absoluteString].compactMap(\.self).joined(separator: " ")
    }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no header value.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
