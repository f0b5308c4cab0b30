/// A streamed response to a request. ``APIBase/sendStream()`` returns it.
///
/// ```swift
/// for try await piece in request.sendStream() { hash.update(piece) }
///
/// let response = try await request.sendStream().open()       // the head first
/// print(response.headers["Content-Length"] ?? "unknown")
/// for try await piece in response.body { hash.update(piece) }
/// ```
///
/// The stream is cold: each loop and each ``open(adding:)`` sends the request again. A slow reader slows the server
/// down, and the transport bounds the number of bytes it buffers. Cancelling the task that reads, or leaving the loop,
/// ends the transfer.
///
/// The idle timeout, ``APIBase/timeoutInterval``, measures the time from one piece to the next, without the time that
/// the reader takes. ``APIBase/resourceTimeout`` bounds the whole transfer. ``APIBase/maximumBodySize`` does not apply.
public struct ResponseStream: AsyncSequence, Sendable {
    /// Sends the request with the given additional header fields.
    private let send: @Sendable (HeaderFields) async throws -> DataResponse
    /// Converts thrown errors into the API's own errors; `nil` leaves them unchanged.
    private(set) var errorMapping: (@Sendable (any Error) -> any Error)?

    /// Creates a stream that calls the closure once for each reader.
    init(_ send: @escaping @Sendable (HeaderFields) async throws -> DataResponse) {
        self.send = send
    }

    /// Returns this stream with converted errors.
    func mappingErrors(_ transform: @escaping @Sendable (any Error) -> any Error) -> ResponseStream {
        var stream = self
        stream.errorMapping = transform
        return stream
    }

    /// This stream with unconverted errors, for code that decides by them.
    var unmapped: ResponseStream { ResponseStream(send) }

    /// Sends the request and waits for an acceptable response head. The body is streamed.
    ///
    /// - Parameter fields: Additional header fields, such as `Last-Event-ID` or `Range` to continue a stream. They
    ///   replace fields of the same name.
    /// - Throws: The errors of ``APIBase/startRequest()``. If the class's validation rejects the head, the error
    ///   contains the first bytes of the body that arrive within the idle timeout. After the head, the body throws an
    ///   ``ErrandError``, usually with `transportFailed`, `timedOut` or `cancelled`.
    public func open(adding fields: HeaderFields = [:]) async throws -> DataResponse {
        guard let errorMapping else { return try await send(fields) }
        do {
            var response = try await send(fields)
            response.body = response.body.mapError(errorMapping)
            return response
        } catch {
            throw errorMapping(error)
        }
    }

    /// Creates an iterator. The request is sent when the first piece is requested.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }

    /// An iterator over the pieces of one response.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let stream: ResponseStream
        private var reader: ResponseBody.Reader?
        /// The response; `nil` until the first piece is requested.
        private(set) var response: DataResponse?
        /// Whether the body has ended or an error was thrown.
        private var hasEnded = false

        init(_ stream: ResponseStream) {
            self.stream = stream
        }

        /// Returns the next piece, which is never empty. Returns `nil` after the end of a complete body, and always
        /// after an error. The iterator sends the request once.
        ///
        /// - Throws: The errors of ``ResponseStream/open(adding:)``, or an error if the body ends prematurely.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            guard !hasEnded else { return nil }
            hasEnded = true
            if response == nil {
                response = try await stream.open()
                reader = response?.body.reader
            }
            guard let piece = try await reader?() else { return nil }
            hasEnded = false
            return piece
        }

        /// Returns the next piece, as ``next(isolation:)`` does.
        public mutating func next() async throws -> Data? {
            try await next(isolation: #isolation)
        }
    }
}

extension ResponseStream.AsyncIterator: ResponseReading {
    var errorMapping: (@Sendable (any Error) -> any Error)? { stream.errorMapping }
}
