/// A request as it is given to a transport: checked, and complete.
public struct TransportRequest: Sendable {
    /// Method, URL, header fields, idle timeout, and the body when it is data.
    public var urlRequest: URLRequest
    /// The body, when it is read while it is sent.
    public var bodyStream: BodyStream?
    /// What is done with redirects.
    public var redirectPolicy = RedirectPolicy.follow
    /// The most bytes that a buffered answer may have, decoded; one more fails the request.
    public var maximumBodySize = APIBase.defaultMaximumBodySize
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

    /// A request to be sent.
    public init(_ urlRequest: URLRequest) {
        self.urlRequest = urlRequest
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
