/// An observer of every request, which can also provide a response in place of the server: a log, a custom cache, a
/// demo mode.
///
/// ```swift
/// struct Log: RequestHook {
///     func didReceive(_ head: ResponseHead, for request: TransportRequest, duration: Duration) async throws {
///         print(request, head.statusCode, duration)
///     }
/// }
///
/// hook = Log()
/// ```
///
/// A hook is called once each time the request is sent, outside all interceptors: before asynchronous header fields are
/// added, and once for all attempts of a ``RetryPolicy``. An ``Interceptor``, in contrast, sees each attempt and can
/// change it.
///
/// The request waits for each method of the hook. Cancelling the request cancels the running method, and the request
/// does not wait for it any longer.
public protocol RequestHook: Sendable {
    /// The clock that measures the durations; by default, the continuous clock.
    var clock: any Clock<Duration> { get }

    /// Called before the request is sent.
    ///
    /// - Returns: A response to use in place of the server's, with the source ``ResponseSource/interceptor``; the hook
    ///   is not called again for it. By default `nil`, which sends the request.
    /// - Throws: An error with which the request fails. It is then not sent, and the hook is not called again.
    func willSend(_ request: TransportRequest) async throws -> DataResponse?

    /// Called when a response arrives, with any status code, before it is validated and decoded. For a stream, called
    /// when the head arrives. Does nothing by default.
    ///
    /// - Parameters:
    ///   - head: The head of the response, with the metrics of the last attempt if the transport provides them.
    ///   - request: The request as it was in ``willSend(_:)``.
    ///   - duration: The time since ``willSend(_:)`` was called, including retries and waits.
    /// - Throws: An error with which the request fails in spite of the response.
    func didReceive(_ head: ResponseHead, for request: TransportRequest, duration: Duration) async throws

    /// Called with each value that `decode(_:)` or ``DataResponse/decode(_:decoder:)`` decodes from the response,
    /// before the caller receives it. Does nothing by default.
    ///
    /// It is not called for a body that cannot be decoded, for text, or for the elements of a stream. It runs where the
    /// value is decoded, so it must return quickly. It cannot throw. The value may hold secrets.
    ///
    /// - Parameters:
    ///   - value: The decoded value.
    ///   - head: The head of the response.
    ///   - request: The request as it was in ``willSend(_:)``.
    func didDecode(_ value: Any, from head: ResponseHead, for request: TransportRequest)

    /// Called when the request fails without a response after ``willSend(_:)`` has returned. Does nothing by default.
    ///
    /// A cancelled request fails immediately, and this method runs in a separate task.
    ///
    /// - Parameters:
    ///   - error: The error with which the request fails, usually an ``ErrandError``.
    ///   - request: The request as it was in ``willSend(_:)``.
    ///   - duration: The time since ``willSend(_:)`` was called, including retries and waits.
    /// - Throws: An error with which the request fails instead.
    func didFail(_ error: any Error, for request: TransportRequest, duration: Duration) async throws
}

extension RequestHook {
    /// The continuous clock.
    public var clock: any Clock<Duration> { ContinuousClock() }
    /// Returns `nil`, so the request is sent.
    public func willSend(_ request: TransportRequest) async throws -> DataResponse? { nil }
    /// Does nothing.
    public func didReceive(_ head: ResponseHead, for request: TransportRequest, duration: Duration) async throws {}
    /// Does nothing.
    public func didDecode(_ value: Any, from head: ResponseHead, for request: TransportRequest) {}
    /// Does nothing.
    public func didFail(_ error: any Error, for request: TransportRequest, duration: Duration) async throws {}
}
