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
        stream.errorMapping = { error in
            // A sequence that parses the stream, such as its lines, passes its own errors to this closure. It also
            // passes the errors of the stream, which are already converted.
            if (error as? ErrandError)?.isConverted == true { return error }
            let converted = transform(error)
            guard var ours = converted as? ErrandError else { return converted }
            ours.isConverted = true
            return ours
        }
        return stream
    }

    /// This stream with unconverted errors, for code that decides by them.
    var unmapped: ResponseStream { ResponseStream(send) }

    /// Sends the request and waits for an acceptable response head. The body is streamed.
    ///
    /// In contrast to a loop over the stream, it also returns a response whose status is outside 200 to 299 and that
    /// nothing accepts, so that the caller can check the status.
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

    /// Creates an iterator of the pieces of one response, which are never empty.
    ///
    /// The request is sent once, when the first piece is requested. `next()` returns `nil` after the end of a complete
    /// body, and always after an error. It throws the errors of ``open(adding:)``, or an error if the body ends
    /// prematurely.
    public func makeAsyncIterator() -> some AsyncIteratorProtocol<Data, any Error> {
        StreamIterator(self)
    }
}

/// An iterator over the pieces of one response. Iterators that parse the pieces read its response, so that their errors
/// can describe it.
private struct StreamIterator: AsyncIteratorProtocol, ResponseReading {
    private let stream: ResponseStream
    private var reader: ResponseBody.Reader?
    /// The response; `nil` until the first piece is requested.
    private(set) var response: DataResponse?
    /// Whether the body has ended or an error was thrown.
    private var hasEnded = false

    var errorMapping: (@Sendable (any Error) -> any Error)? { stream.errorMapping }

    init(_ stream: ResponseStream) {
        self.stream = stream
    }

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
        guard !hasEnded else { return nil }
        // It stays `true` if an error is thrown.
        hasEnded = true
        if response == nil {
            let opened = try await stream.open()
            response = opened
            do { try opened.requireSuccess() } catch { throw errorMapping?(error) ?? error }
            reader = opened.body.reader
        }
        guard let piece = try await reader?() else { return nil }
        hasEnded = false
        return piece
    }

    mutating func next() async throws -> Data? {
        try await next(isolation: #isolation)
    }
}

/// A request whose response is a sequence of values. Like ``Request``, it is a leaf in a hierarchy of API classes.
///
/// ```swift
/// final class ExportRequest: LibraryAPI, StreamingRequest {
///     func startStream() -> ResponseStream {
///         sendStream()
///     }
/// }
///
/// for try await piece in ExportRequest().startStream() { count += piece.count }
/// ```
///
/// Only leaves conform, as with ``Request``. A leaf may conform to both protocols.
public protocol StreamingRequest<Stream>: APIBase {
    /// The type of the stream: ``ResponseStream``, or a sequence derived from one.
    associatedtype Stream: AsyncSequence

    /// Builds the request and returns its stream. The request is sent when the stream is read.
    func startStream() -> Stream
}

extension APIBase {
    /// Builds the request with all its settings and returns a stream of the response. Call it in a leaf's
    /// ``StreamingRequest/startStream()``.
    ///
    /// The request is built when this method is called, by ``startRequest()``. Validation, authentication, retries,
    /// hooks and logs therefore apply as they do to ``sendRequest()``. They see the response head. If the status is 300
    /// or more, validation also sees the first bytes of the body, at least as many as an error keeps. Interceptors that
    /// need a complete body, such as a cache, pass the stream on unchanged.
    ///
    /// ``APIBase/mapError(_:)`` converts the errors of the stream and of its body.
    public final func sendStream() -> ResponseStream {
        sendStream(of: nil)
    }

    /// Builds the request of an endpoint, or of this object without one, and returns a stream of the response.
    func sendStream(of endpoint: Endpoint<DataResponse>?) -> ResponseStream {
        let start = Start(.stream, of: self, endpoint: endpoint)
        let (pipeline, _) = reporting(
            { self.pipeline(of: Start(.stream, of: self, endpoint: endpoint)) },
            as: { ResponseHead($0.withoutStream) })
        // The class converts an error first, and then the service.
        let (own, service) = (start.conversion, start.service?.value.streamFailure)
        return ResponseStream(pipeline, of: start.service?.value).mappingErrors { service?(own($0)) ?? own($0) }
    }
}

extension ResponseStream {
    /// Creates a stream whose readers send the request to the service for which the stream was created. Without one,
    /// the reader's own scope applies.
    init(_ pipeline: Pipeline<DataResponse, any Error>, of service: ServiceScope?) {
        var scope = service
        // The service's conversion applies to this stream, and not to other requests that its readers send.
        scope?.streamFailure = nil
        self.init { [scope] fields in
            try await ServiceScope.$current.withValue(scope ?? .current) {
                try await StreamReader(adding: fields).open(pipeline)
            }
        }
    }
}

extension StreamingRequest {
    /// Builds the request for a service, as ``Request/schedule(with:)`` does.
    ///
    /// - Returns: The stream, whose errors are the service's own.
    public func startStream(with service: APIService<some Error>) -> Stream {
        var scope = ServiceScope(service, for: self)
        scope.streamFailure = { service.failure($0) }
        return scope.start { startStream() }
    }
}

extension EndpointRequest {
    /// Builds the request for a service, and returns a stream of the response, as ``APIBase/sendStream()`` does for a
    /// class.
    ///
    /// ```swift
    /// for try await book in ExportRequest().startStream(with: library).values(of: Book.self) { … }
    /// ```
    ///
    /// The endpoint's output is not used, because the body is read as it arrives.
    ///
    /// - Parameters:
    ///   - service: The destination of the request, and the settings it is sent with.
    ///   - stub: The response that replaces the transport's in tests; see ``Stubbable``.
    /// - Returns: The stream, whose errors are the service's own. Each loop sends the request.
    public func startStream<Failure>(
        with service: APIService<Failure>, stub: Pipeline<DataResponse, any Error>? = nil
    ) -> ResponseStream {
        let (api, endpoint) = (APIBase(stub: stub), typedEndpoint)
        var scope = ServiceScope(service, for: api, server: endpoint.server)
        scope.streamFailure = { service.failure($0) }
        return scope.start { api.sendStream(of: endpoint.undecoded) }
    }

    /// Builds a request that needs no service, and returns a stream of the response; see ``schedule(stub:)``.
    public func startStream(stub: Pipeline<DataResponse, any Error>? = nil) -> ResponseStream {
        APIBase(stub: stub).sendStream(of: typedEndpoint.undecoded)
    }
}
