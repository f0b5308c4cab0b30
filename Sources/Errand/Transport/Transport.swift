/// What carries a request to a server and its answer back.
///
/// A transport knows nothing of validation, decoding or retries: it sends one request, follows redirects, and gives the
/// answer. To fake the network in a test use a stub instead, which needs no transport at all.
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
    /// When ``TransportRequest/streamsResponse`` is `true`, it returns with the head, and the ``DataResponse/body`` is read as
    /// it arrives; a transport that cannot do so returns the whole body. Cancelling the calling task ends the wait at once;
    /// releasing a streamed body ends the transfer.
    ///
    /// - Throws: A `URLError` of the same code on every platform, or a ``TransportFailure``, which adds more; an
    ///   ``ErrandError`` where the request cannot be sent as it is. When it throws after the request left, whether the
    ///   server acted on it is not known.
    func send(_ request: TransportRequest) async throws -> DataResponse
}
