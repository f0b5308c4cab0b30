/// A request as it is given to a transport: checked, and complete.
public struct TransportRequest: Sendable {
    /// Method, URL, header fields, idle timeout, and the body when it is data.
    public var urlRequest: URLRequest
    /// The body, when it is read while it is sent.
    public var bodyStream: BodyStream?
    /// What is done with redirects.
    public var redirectPolicy = RedirectPolicy.follow
    /// Whether the body of the response is read as it arrives; otherwise it is collected. False by default.
    public var streamsResponse = false
    /// The most bytes that a collected body may have, decoded; one more fails the request.
    public var maximumBodySize = TransportRequest.defaultMaximumBodySize
    /// How long all of it may take; nil leaves it to the transport.
    public var resourceTimeout: Duration?
    /// Who goes first when requests wait.
    public var priority = RequestPriority.normal
    /// What a Digest challenge of the request's own origin is answered with (RFC 7616); nil, and it is an answer.
    ///
    /// A request that has an `Authorization` field is sent with that alone.
    public var digestCredential: PasswordCredential?
    /// The header fields that an interceptor has put credentials into, in small letters, besides `Authorization`.
    package var credentialFields: Set<String> = []
    /// The query items that an interceptor has put credentials into.
    package var credentialQueryNames: Set<String> = []
    /// Where the bytes sent are counted.
    public var uploadProgress: TransferProgress?
    /// Where the bytes received are counted.
    public var downloadProgress: TransferProgress?

    /// The client certificate of the transport that will send it, or the name of its file, where that is known.
    var clientCertificate: String?
    /// Whether this is the handshake of a WebSocket.
    var opensWebSocket = false
    /// What interceptors do at redirects.
    var redirectHooks: [RedirectHook] = []
    /// The attempts of the run that this request belongs to.
    var attempts: Attempts?
    /// What interceptors hand on to those after them, by type.
    private var values = TypedValues()

    /// The most bytes of a collected body, unless a request says otherwise: 64 MiB.
    static let defaultMaximumBodySize = 64 << 20

    /// A value that an interceptor hands on to those after it.
    subscript<Value: Sendable>(type: Value.Type) -> Value? {
        get { values[type] }
        set { values[type] = newValue }
    }

    /// A request to be sent.
    public init(_ urlRequest: URLRequest) {
        self.urlRequest = urlRequest
    }
}

extension TransportRequest {
    /// The number of bytes of the request's body, where it is known.
    var bodySize: Int64? { (bodyStream.map(\.count) ?? urlRequest.httpBody?.count ?? 0).map(Int64.init) }

    /// The request with its stream as data, for a stream that promises no bytes: nobody would read it to see whether that
    /// is so.
    ///
    /// - Throws: As ``BodyStream/contents()`` does.
    func withStreamRead() async throws -> TransportRequest {
        var request = self
        request.urlRequest.httpBody = try await bodyStream?.contents()
        request.bodyStream = nil
        return request
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
