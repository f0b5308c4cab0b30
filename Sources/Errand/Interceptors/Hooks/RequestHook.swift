/// What wants to know of every request, and may answer in its place: a log, a cache of your own, a switch for demos.
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
/// It is called once for each send, around everything else: before header fields that have to be waited for are there,
/// and once for all attempts of a ``RetryPolicy``. An ``Interceptor`` sees each attempt, and can change it.
///
/// The request waits for each of the methods, so one that is slow makes it slow. Cancelling the request cancels the method
/// that runs, which is not waited for any more.
public protocol RequestHook: Sendable {
    /// Who tells how long requests take; the continuous clock unless it says otherwise.
    var clock: any Clock<Duration> { get }

    /// Called before the request is sent.
    ///
    /// - Returns: An answer in place of the server's, with the source ``ResponseSource/interceptor``, after which the
    ///   hook is not called again; nil, the default, to send the request.
    /// - Throws: What the request is to fail with; it is not sent then, and the hook is not called again.
    func willSend(_ request: TransportRequest) async throws -> DataResponse?

    /// Called when an answer came, whatever its status, before it is validated and decoded; of a stream, when its head
    /// came. By default it does nothing.
    ///
    /// - Parameters:
    ///   - head: The head of the answer, with the metrics of the last attempt, where the transport tells them.
    ///   - request: The request, as it was when ``willSend(_:)`` was called.
    ///   - duration: How long all of it took since then, with retries and waits.
    /// - Throws: What the request is to fail with, though it was answered.
    func didReceive(_ head: ResponseHead, for request: TransportRequest, duration: Duration) async throws

    /// Called with each value that `decode(_:)` or ``DataResponse/decode(_:decoder:)`` makes of the response, before the caller
    /// receives it. By default it does nothing.
    ///
    /// A body that cannot be decoded makes no value, and text and the elements of a stream are not told. It is called where the value is decoded, so
    /// it must return quickly, and it cannot fail. The value may hold secrets.
    ///
    /// - Parameters:
    ///   - value: The value, of the type that was decoded.
    ///   - head: The head of the response.
    ///   - request: The request, as it was when ``willSend(_:)`` was called.
    func didDecode(_ value: Any, from head: ResponseHead, for request: TransportRequest)

    /// Called when no answer came. By default it does nothing.
    ///
    /// A request that was cancelled fails at once, while this goes on by itself.
    ///
    /// - Parameters:
    ///   - error: What the request fails with: mostly an ``ErrandError``.
    ///   - request: The request, as it was when ``willSend(_:)`` was called.
    ///   - duration: How long all of it took since then, with retries and waits.
    /// - Throws: What the request is to fail with instead.
    func didFail(_ error: any Error, for request: TransportRequest, duration: Duration) async throws
}

extension RequestHook {
    /// The continuous clock.
    public var clock: any Clock<Duration> { ContinuousClock() }
    /// Sends the request.
    public func willSend(_ request: TransportRequest) async throws -> DataResponse? { nil }
    /// Does nothing.
    public func didReceive(_ head: ResponseHead, for request: TransportRequest, duration: Duration) async throws {}
    /// Does nothing.
    public func didDecode(_ value: Any, from head: ResponseHead, for request: TransportRequest) {}
    /// Does nothing.
    public func didFail(_ error: any Error, for request: TransportRequest, duration: Duration) async throws {}
}
