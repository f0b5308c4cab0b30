/// A type that sends a request to a server and returns the response.
///
/// A transport does not validate, decode or retry. It sends one request, follows redirects, and returns the response.
/// To fake the network in a test, use a stub instead, which needs no transport.
///
/// ```swift
/// struct Offline: Transport {
///     func send(_ request: TransportRequest) async throws -> DataResponse {
///         throw URLError(.notConnectedToInternet)
///     }
/// }
/// ```
public protocol Transport: Sendable {
    /// Sends a request and waits for the response.
    ///
    /// If ``TransportRequest/streamsResponse`` is `true`, it returns as soon as the head has arrived. The reader of
    /// ``DataResponse/body`` then receives the body as it arrives. A transport that does not support this returns the
    /// whole body. Cancelling the calling task ends the wait immediately; releasing a streamed body cancels the
    /// transfer.
    ///
    /// - Throws: A `URLError` with the same code on every platform, or a ``TransportFailure``, which adds details. If
    ///   the request cannot be sent as it is, an ``ErrandError``. If the error occurs after the request was sent, it is
    ///   unknown whether the server acted on it.
    func send(_ request: TransportRequest) async throws -> DataResponse
}

extension Transport {
    /// The client certificate of the transport as text, or the path of its file. `nil` if it is missing, and for
    /// transports other than `CurlTransport`, which do not report it.
    var clientCertificate: String? {
        #if canImport(CCurl)
        (self as? CurlTransport)?.engines.clientCertificate
        #else
        nil
        #endif
    }
}

// The only place that defines the default transport.

#if canImport(CCurl)
extension Transport where Self == CurlTransport {
    /// The default transport of the platform: libcurl on Linux, `URLSession` elsewhere.
    public static var platformDefault: CurlTransport { .shared }
}
#else
extension Transport where Self == URLSessionTransport {
    /// The default transport of the platform: libcurl on Linux, `URLSession` elsewhere.
    public static var platformDefault: URLSessionTransport { .shared }
}
#endif
