/// The answer to a request as it comes: what ``APIBase/sendStream()`` returns.
///
/// ```swift
/// for try await piece in request.sendStream() { hash.update(piece) }
///
/// let response = try await request.sendStream().open()       // the head first
/// print(response.headers["Content-Length"] ?? "unknown")
/// for try await piece in response.body { hash.update(piece) }
/// ```
///
/// It is cold: each loop, and each ``open(adding:)``, sends the request once more. A reader that is slow slows the server
/// down; what has come and was not read is bounded by the transport. Cancelling the task that reads, or leaving the loop,
/// ends the transfer.
///
/// The idle timeout, ``APIBase/timeoutInterval``, counts from one piece to the next and not while the reader is busy;
/// ``APIBase/resourceTimeout`` bounds all of it; ``APIBase/maximumBodySize`` does not.
public struct ResponseStream: AsyncSequence, Sendable {
    /// The way of the request, with fields that a part of the stream adds for itself.
    private let way: @Sendable (HeaderFields) async throws -> DataResponse
    /// Converts what is thrown into the API's own error; `nil` throws it as it is.
    private(set) var errorMapping: (@Sendable (any Error) -> any Error)?

    /// A stream that a closure opens, once for each reader.
    init(_ way: @escaping @Sendable (HeaderFields) async throws -> DataResponse) {
        self.way = way
    }

    /// This stream with errors that are converted.
    func mappingErrors(_ transform: @escaping @Sendable (any Error) -> any Error) -> ResponseStream {
        var stream = self
        stream.errorMapping = transform
        return stream
    }

    /// This stream with errors as they are, for what decides by them.
    var unmapped: ResponseStream { ResponseStream(way) }

    /// Sends the request and waits for an answer with an acceptable head; the body follows as it comes.
    ///
    /// - Parameter fields: Header fields to send besides, in place of those of the same name: what continues a stream,
    ///   such as `Last-Event-ID` or `Range`.
    /// - Throws: What ``APIBase/startRequest()`` fails with. When the class's validation refuses the head, the error has
    ///   the first bytes of the body, as far as they come within the idle timeout. After the head the body throws:
    ///   an ``ErrandError``, mostly with `transportFailed`, `timedOut` or `cancelled`.
    public func open(adding fields: HeaderFields = [:]) async throws -> DataResponse {
        guard let errorMapping else { return try await way(fields) }
        do {
            var response = try await way(fields)
            response.body = response.body.mapError(errorMapping)
            return response
        } catch {
            throw errorMapping(error)
        }
    }

    /// Begins to read; the request is sent when the first piece is asked for.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }

    /// Gives the pieces of one answer.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let stream: ResponseStream
        private var reader: ResponseBody.Reader?
        /// What is read; nil before the first piece was asked for.
        private(set) var answer: DataResponse?
        /// Whether the body was at its end, or an error was thrown.
        private var hasEnded = false

        init(_ stream: ResponseStream) {
            self.stream = stream
        }

        /// The next piece, never empty; nil at the end of a whole body, and for good after an error. The request is sent once.
        ///
        /// - Throws: As ``ResponseStream/open(adding:)`` does, and for a body that breaks off.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            guard !hasEnded else { return nil }
            hasEnded = true
            if answer == nil {
                answer = try await stream.open()
                reader = answer?.body.reader
            }
            guard let piece = try await reader?() else { return nil }
            hasEnded = false
            return piece
        }

        /// The next piece, as ``next(isolation:)`` gives it.
        public mutating func next() async throws -> Data? {
            try await next(isolation: #isolation)
        }
    }
}

extension ResponseStream.AsyncIterator: AnswerReading {}
