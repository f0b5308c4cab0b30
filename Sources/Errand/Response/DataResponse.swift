/// A response: its status, its header fields and its body, which is collected in memory or read as it arrives.
///
/// Operators, and interceptors of most requests, see a collected body as ``data``. A request that streams its response
/// (``TransportRequest/streamsResponse``) has a ``body`` that is read once.
///
/// Its descriptions show the status and the size; what may be secret is in the properties.
public struct DataResponse: Sendable {
    /// The status code.
    public var statusCode: Int { contents.statusCode }
    /// The header fields of the response.
    public var headers: HeaderFields { contents.headers }
    /// The body as bytes, without its content coding; empty where there is none.
    ///
    /// Of a streamed body these are the bytes that were read ahead: none, unless the status is 300 or higher.
    public var data: Data { contents.body.data }
    /// The body as a sequence of pieces.
    public var body: ResponseBody {
        get {
            var body = contents.body
            body.answer = self
            return body
        }
        set {
            change {
                $0.body = newValue
                $0.body.answer = nil
            }
        }
    }
    /// The URL that answered: the request's own, or the target of the last redirect.
    public internal(set) var url: URL? {
        get { contents.url }
        set { change { $0.url = newValue } }
    }
    /// The method of the request.
    public internal(set) var method: RequestMethod? {
        get { contents.method }
        set { change { $0.method = newValue } }
    }
    /// How often the request was sent for this response, without redirects: 1 when the first attempt succeeded, 0 when a
    /// cache answered without sending it.
    public internal(set) var attempts: Int {
        get { contents.attempts }
        set { change { $0.attempts = newValue } }
    }
    /// Where the response came from: the network, or a cache, which says whether it asked the server first.
    public var source: ResponseSource {
        get { contents.source }
        set { change { $0.source = newValue } }
    }
    /// The redirects that led to it, as far as the transport reports them; `nil` for none.
    var redirects: RedirectHistory? {
        get { contents.redirects }
        set { change { $0.redirects = newValue } }
    }
    /// A sentence to add to the reason of an error that this response causes.
    var note: String? {
        get { contents.note }
        set { change { $0.note = newValue } }
    }
    /// What `decode(_:)` uses: the decoder of the API that sent the request; `nil` for plain JSON.
    var decoder: (any DataDecoder)? {
        get { contents.decoder }
        set { change { $0.decoder = newValue } }
    }
    /// Who is told of each value that `decode(_:)` makes of the body.
    var decodeObservers: [@Sendable (Any, ResponseHead) -> Void] {
        get { contents.decodeObservers }
        set { change { $0.decodeObservers = newValue } }
    }
    /// The trailer fields (RFC 9110, section 6.5). For a streamed body, read them after the body has ended.
    ///
    /// They are never merged into ``headers``, and caches do not store them. `URLSession` does not report trailers. libcurl 7.88
    /// does not report them over HTTP/2 if the response has a `Content-Length`.
    public var trailers: HeaderFields { contents.trailers?.fields ?? [:] }
    /// How long each phase took, as far as the transport reports it; `nil` for a stub.
    public var metrics: TransferMetrics? {
        get { contents.metrics }
        set { change { $0.metrics = newValue } }
    }

    /// Whether there is a body, or one will arrive.
    var hasBody: Bool {
        guard body.isStreamed else { return !data.isEmpty }
        return method != .head && ![204, 205, 304].contains(statusCode) && headers["Content-Length"] != "0"
    }

    /// A response is copied often, so it is one reference to an immutable value.
    private final class Box: Sendable {
        let contents: Contents

        init(_ contents: consuming Contents) {
            self.contents = contents
        }
    }

    private struct Contents {
        var statusCode: Int
        var headers: HeaderFields
        var body: ResponseBody
        var url: URL?
        var method: RequestMethod?
        var attempts = 1
        var source = ResponseSource.network
        var note: String?
        var metrics: TransferMetrics?
        var decoder: (any DataDecoder)?
        var decodeObservers: [@Sendable (Any, ResponseHead) -> Void] = []
        var trailers: ResponseTrailers?
        var redirects: RedirectHistory?
    }

    private var box: Box

    private var contents: Contents { box.contents }

    private mutating func change(_ change: (inout Contents) -> Void) {
        var contents = box.contents
        change(&contents)
        box = Box(contents)
    }

    /// A response with a collected body, as a transport gives it.
    ///
    /// - Parameters:
    ///   - statusCode: The status code, 200 to 599.
    ///   - headers: The header fields; repeated ones stay apart where the transport can tell them apart.
    ///   - data: The body, without its content coding.
    ///   - url: The URL that answered; `nil` means the URL of the request.
    public init(statusCode: Int, headers: HeaderFields = [:], data: Data = Data(), url: URL? = nil) {
        self.init(statusCode: statusCode, headers: headers, url: url, body: ResponseBody(data))
    }

    /// A response with a body of either kind, as a transport gives it.
    ///
    /// - Parameters:
    ///   - statusCode: The status code, 101 to 599.
    ///   - headers: The header fields; repeated ones stay apart where the transport can tell them apart.
    ///   - url: The URL that answered; `nil` means the URL of the request.
    ///   - body: The body, without its content coding.
    ///   - trailers: Receives the trailer fields when the body has ended; `nil` if the transport does not report trailers.
    public init(
        statusCode: Int, headers: HeaderFields = [:], url: URL? = nil, body: ResponseBody,
        trailers: ResponseTrailers? = nil
    ) {
        box = Box(Contents(statusCode: statusCode, headers: headers, body: body, url: url, trailers: trailers))
    }

    /// A response with everything that a transport can tell.
    init(
        statusCode: Int, headers: HeaderFields, data: Data, url: URL?, method: RequestMethod?,
        metrics: TransferMetrics?, trailers: ResponseTrailers? = nil
    ) {
        box = Box(
            Contents(
                statusCode: statusCode, headers: headers, body: ResponseBody(data), url: url, method: method,
                metrics: metrics, trailers: trailers))
    }

    /// This response with its body in memory.
    ///
    /// An interceptor that needs the whole body of any request collects it, within the request's limit:
    ///
    /// ```swift
    /// let response = try await next(request).collected(upTo: request.maximumBodySize)
    /// ```
    ///
    /// - Parameter limit: The most bytes that a streamed body may have.
    /// - Throws: ``ErrandError``: with `transportFailed` and `URLError.dataLengthExceedsMaximum` for a longer body, with what a
    ///   streamed body fails with, with `cancelled`.
    public func collected(upTo limit: Int) async throws -> DataResponse {
        guard body.isStreamed else { return self }
        var response = self
        do {
            response.body = ResponseBody(try await body.collected(upTo: limit))
        } catch {
            throw ErrandError(transportFailure: error)
        }
        return response
    }

    /// This response; of a streamed one the head alone, so that the transfer can end.
    var withoutStream: DataResponse {
        guard body.isStreamed else { return self }
        var response = self
        response.body = ResponseBody()
        return response
    }

    /// This response as the one to a request, where the transport did not say so.
    func answering(_ request: URLRequest, attempts: Int) -> DataResponse {
        guard method == nil || url == nil || attempts != self.attempts else { return self }
        var response = self
        response.change { contents in
            contents.method = contents.method ?? request.httpMethod.map(RequestMethod.init(rawValue:))
            contents.url = contents.url ?? request.url
            contents.attempts = attempts
        }
        return response
    }
}

extension DataResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status, the URL without secrets and the size: `200 https://api.example.com/users (5645 bytes)`.
    public var description: String {
        ["\(statusCode)", url?.redacted.absoluteString, "(\(data.count) bytes)"].compactMap(\.self)
            .joined(separator: " ")
    }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no header value and no body.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
