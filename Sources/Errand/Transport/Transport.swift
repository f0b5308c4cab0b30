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
    /// Sends a request and waits for the whole answer.
    ///
    /// Cancelling the calling task ends the wait at once.
    ///
    /// - Throws: A `URLError` of the same code on every platform, or a ``TransportFailure``, which adds metrics; an
    ///   ``ErrandError`` where the request cannot be sent as it is. When it throws after the request left, whether the
    ///   server acted on it is not known.
    func send(_ request: TransportRequest) async throws -> DataResponse

    /// Sends a request and waits for the head of the answer; the body follows as it comes.
    ///
    /// Cancelling the calling task, or letting go of the body, ends the transfer. By default the whole answer is waited
    /// for and its body given in one piece.
    ///
    /// - Throws: As ``send(_:)`` does, as long as there is no head; after that, the body throws.
    func stream(_ request: TransportRequest) async throws -> StreamedResponse
}

extension Transport {
    /// Waits for the whole answer, and gives its body in one piece.
    public func stream(_ request: TransportRequest) async throws -> StreamedResponse {
        let response = try await send(request)
        return StreamedResponse(
            statusCode: response.statusCode, headers: response.headers, url: response.url,
            body: ResponseBody(response.data))
    }
}

/// A `URLError` with the metrics of the transfer that failed.
public struct TransportFailure: Error {
    /// Why it failed.
    public var error: URLError
    /// How far it had come.
    public var metrics: TransferMetrics

    /// A failure after so much.
    public init(_ error: URLError, metrics: TransferMetrics) {
        self.error = error
        self.metrics = metrics
    }
}
