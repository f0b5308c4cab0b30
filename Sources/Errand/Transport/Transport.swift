/// What carries a request to a server and its answer back.
///
/// `URLSession` is a transport. A transport knows nothing of validation, decoding or retries; it sends one request,
/// follows redirects, and gives the whole answer. To fake the network in a test use a stub instead: it needs no
/// transport at all.
///
/// ```swift
/// struct Offline: Transport {
///     func send(_ request: TransportRequest) async throws -> DataResponse {
///         throw URLError(.notConnectedToInternet)
///     }
/// }
/// ```
public protocol Transport: Sendable {
    /// Sends a request and waits for the whole answer.
    ///
    /// Cancelling the calling task ends the wait at once.
    ///
    /// - Throws: A `URLError`, of the same code on every platform, or an ``ErrandError`` where the request cannot be
    ///   sent as it is. When it throws after the request left, whether the server acted on it is not known.
    func send(_ request: TransportRequest) async throws -> DataResponse
}

/// A request as it is given to a transport: checked, and complete.
public struct TransportRequest: Sendable {
    /// Method, URL, header fields, timeout, and the body as data or as a stream.
    public var urlRequest: URLRequest
    /// How many bytes `urlRequest.httpBodyStream` will give; nil when that is not known, or there is no stream.
    public var bodyStreamCount: Int?
    /// Where the bytes sent are counted.
    public var uploadProgress: TransferProgress?
    /// Where the bytes received are counted.
    public var downloadProgress: TransferProgress?

    /// A request to be sent.
    public init(
        _ urlRequest: URLRequest, bodyStreamCount: Int? = nil, uploadProgress: TransferProgress? = nil,
        downloadProgress: TransferProgress? = nil
    ) {
        self.urlRequest = urlRequest
        self.bodyStreamCount = bodyStreamCount
        self.uploadProgress = uploadProgress
        self.downloadProgress = downloadProgress
    }
}

extension TransportRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the URL without secrets.
    public var description: String {
        [urlRequest.httpMethod, urlRequest.url?.redacted.absoluteString].compactMap(\.self).joined(separator: " ")
    }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no secret either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
