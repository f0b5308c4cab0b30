/// A response: its status, its header fields and its body, which is collected in memory or read as it arrives.
///
/// Operators, and interceptors of most requests, receive a collected body as ``data``. A request that streams its
/// response (``TransportRequest/streamsResponse``) has a ``body`` that can be read once.
///
/// The descriptions show the status, the URL without secrets, and the size. Values that may be secret are only in the
/// properties.
public struct DataResponse: Sendable {
    /// The status code.
    public var statusCode: Int { contents.statusCode }
    /// The header fields of the response.
    public var headers: HeaderFields { contents.headers }
    /// The body as bytes, after decompression; empty if there is no body.
    ///
    /// For a streamed body, these are the bytes that were read ahead: none, unless the status is 300 or higher.
    public var data: Data { contents.body.data }
    /// The body as a sequence of pieces.
    public var body: ResponseBody {
        get {
            var body = contents.body
            body.response = self
            return body
        }
        set {
            // The response is only for the errors of an iteration. Stored, it would be a second copy, perhaps an older
            // one.
            var body = newValue
            body.response = nil
            contents.body = body
        }
    }
    /// The URL of the response: the request's own, or the target of the last redirect. A target without a fragment gets
    /// that of the URL before it (RFC 9110, section 10.2.2).
    public internal(set) var url: URL? {
        get { contents.url }
        set { contents.url = newValue }
    }
    /// The method of the request.
    public internal(set) var method: RequestMethod? {
        get { contents.method }
        set { contents.method = newValue }
    }
    /// The number of times the request was sent for this response, without redirects. It is 1 if the first attempt
    /// succeeded, and 0 for a response that is not the server's, such as a stored one that it did not confirm.
    public internal(set) var attempts: Int {
        get { contents.attempts }
        set { contents.attempts = newValue }
    }
    /// The source of the response: the network, a cache, or another interceptor.
    public var source: ResponseSource {
        get { contents.source }
        set { contents.source = newValue }
    }
    /// The followed redirects, as far as the transport reports them; `nil` if there were none.
    var redirects: RedirectHistory? {
        get { contents.redirects }
        set { contents.redirects = newValue }
    }
    /// A sentence that is added to the reason of an error that this response causes.
    var note: String? {
        get { contents.note }
        set { contents.note = newValue }
    }
    /// The decoder that `decode(_:)` uses: that of the API that sent the request; `nil` for JSON without settings.
    var decoder: (any DataDecoder)? {
        get { contents.decoder }
        set { contents.decoder = newValue }
    }
    /// The trailer fields (RFC 9110, section 6.5). For a streamed body, read them after the body has ended.
    ///
    /// They are never merged into ``headers``, and caches do not store them. `URLSession` does not report trailers.
    /// libcurl 7.88 does not report them over HTTP/2 if the response has a `Content-Length`.
    public var trailers: HeaderFields { contents.trailers?.fields ?? [:] }
    /// The metrics of the transfer, as far as the transport reports them. `nil` without a transfer, such as for a stub,
    /// and for a streamed response, whose transfer has not ended.
    public var metrics: TransferMetrics? {
        get { contents.metrics }
        set { contents.metrics = newValue }
    }

    /// The error documents that `decodeError(_:)` left for a later judgement; `nil` without one.
    var errorDocument: ErrorDocument? {
        get { contents.errorDocument }
        set { contents.errorDocument = newValue }
    }

    /// Who has responded.
    package var peer: Peer {
        get { contents.peer }
        set { contents.peer = newValue }
    }

    /// Whether there is a body, or one is expected.
    var hasBody: Bool {
        guard body.isStreamed else { return !data.isEmpty }
        return method != .head && ![204, 205, 304].contains(statusCode) && headers["Content-Length"] != "0"
    }

    /// The contents in a box, because a response is copied often: each copy is one reference to an immutable value.
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
        var trailers: ResponseTrailers?
        var redirects: RedirectHistory?
        var errorDocument: ErrorDocument?
        var peer = Peer.server
    }

    private var box: Box
    /// Whether the run left a status outside 200 to 299 that no setting has judged; see `requireSuccess()`. It is
    /// beside the box, so that no response is copied for it.
    var isUnjudged = false
    private var contents: Contents {
        get { box.contents }
        set { box = Box(newValue) }
    }

    /// Creates a response with a collected body, as a transport returns it.
    ///
    /// - Parameters:
    ///   - statusCode: The status code, 200 to 599.
    ///   - headers: The header fields. Repeated fields stay separate if the transport can distinguish them.
    ///   - data: The body, after decompression.
    ///   - url: The URL of the response; `nil` means the URL of the request.
    public init(statusCode: Int, headers: HeaderFields = [:], data: Data = Data(), url: URL? = nil) {
        self.init(statusCode: statusCode, headers: headers, url: url, body: ResponseBody(data))
    }

    /// Creates a response with a collected or streamed body, as a transport returns it.
    ///
    /// - Parameters:
    ///   - statusCode: The status code: 200 to 599, or 101 for the handshake of a WebSocket.
    ///   - headers: The header fields. Repeated fields stay separate if the transport can distinguish them.
    ///   - url: The URL of the response; `nil` means the URL of the request.
    ///   - body: The body, after decompression.
    ///   - trailers: Receives the trailer fields before the end of the body; `nil` if the transport does not report
    ///     trailers.
    public init(
        statusCode: Int, headers: HeaderFields = [:], url: URL? = nil, body: ResponseBody,
        trailers: ResponseTrailers? = nil
    ) {
        box = Box(Contents(statusCode: statusCode, headers: headers, body: body, url: url, trailers: trailers))
    }

    /// Creates a response with a collected body, the request's method and the metrics, as `CurlTransport` returns it.
    init(
        statusCode: Int, headers: HeaderFields, data: Data, url: URL?, method: RequestMethod?,
        metrics: TransferMetrics?, trailers: ResponseTrailers? = nil
    ) {
        box = Box(
            Contents(
                statusCode: statusCode, headers: headers, body: ResponseBody(data), url: url, method: method,
                metrics: metrics, trailers: trailers))
    }

    /// Returns this response with its body in memory.
    ///
    /// An interceptor that needs the whole body of any request collects it, within the request's limit:
    ///
    /// ```swift
    /// let response = try await next(request).collected(upTo: request.maximumBodySize)
    /// ```
    ///
    /// - Parameter limit: The maximum size of a streamed body in bytes.
    /// - Throws: ``ErrandError`` with `transportFailed` and `URLError.dataLengthExceedsMaximum` for a longer body, with
    ///   the error of a streamed body, or with `cancelled`.
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

    /// Returns this response. Of a streamed response, it returns only the head, so that the transfer can end.
    var withoutStream: DataResponse {
        guard body.isStreamed else { return self }
        var response = self
        response.body = ResponseBody()
        return response
    }

    /// Returns this response with the number of attempts, and with the request's method and URL where the transport did
    /// not set them.
    func responding(to request: URLRequest, attempts: Int, from peer: Peer = .server) -> DataResponse {
        guard method == nil || url == nil || attempts != self.attempts || peer != self.peer else { return self }
        // Each assignment to a property of the response would create a box.
        var (response, contents) = (self, contents)
        contents.method = contents.method ?? request.httpMethod.map(RequestMethod.init(rawValue:))
        contents.url = contents.url ?? request.url
        contents.attempts = attempts
        contents.peer = peer
        response.contents = contents
        return response
    }
}

extension DataResponse: Confidential {
    /// The status, the URL without secrets and the size, such as `200 https://api.example.com/users (5645 bytes)`.
    public var description: String {
        ["\(statusCode)", url?.redacted.absoluteString, "(\(data.count) bytes)"].compactMap(\.self)
            .joined(separator: " ")
    }
}

extension DataResponse {
    /// Creates a response from a head that Foundation has parsed.
    init(_ response: HTTPURLResponse, data: Data) {
        self.init(
            statusCode: response.statusCode, headers: HeaderFields(response), data: data, url: response.url)
    }

    /// The head as a Foundation object, created anew for each call; `nil` if the response has no URL.
    ///
    /// Foundation keeps one value for each name. Repeated fields, regardless of case, are joined with a comma and a
    /// space under the first spelling of the name (RFC 9110, section 5.3). `Set-Cookie` fields are also joined, always
    /// under that spelling, because `HTTPCookie.cookies(withResponseHeaderFields:for:)` reads all cookies from such a
    /// list. For the separate values of a repeated field, use ``headers``.
    public var httpURLResponse: HTTPURLResponse? {
        guard let url else { return nil }
        var names: [HeaderFields.Name: String] = [.setCookie: "Set-Cookie"]
        var values: [String: [String]] = [:]
        for field in headers {
            let name = names[HeaderFields.Name(field.name), default: field.name]
            names[HeaderFields.Name(field.name)] = name
            values[name, default: []].append(field.value)
        }
        let fields = values.mapValues { $0.joined(separator: ", ") }
        return HTTPURLResponse(url: url, statusCode: statusCode, httpVersion: "HTTP/1.1", headerFields: fields)
    }

    /// Counts the bytes read from a streamed body, relative to its length if that is known. The `Content-Length` of a
    /// compressed body is not the length of the bytes that are read.
    func counted(in progress: TransferProgress?) -> DataResponse {
        guard let progress else { return self }
        let total = headers["Content-Encoding"] == nil ? headers["Content-Length"].flatMap { Int64($0) } : nil
        let completed = Locked<Int64>(0)
        let reader = body.reader
        var response = self
        // The reader returns the bytes of the prefix too, so they are counted.
        response.body = ResponseBody(prefix: data) {
            guard let piece = try await reader() else { return nil }
            let count = completed.withLock { completed in
                completed += Int64(piece.count)
                return completed
            }
            progress.update(TransferProgress.Snapshot(completed: count, total: total))
            return piece
        }
        return response
    }
}
