/// The body of a response: collected in memory, or read as it arrives.
///
/// ```swift
/// for try await piece in response.body { count += piece.count }
/// ```
///
/// A collected body returns its data as one piece to each iterator. A streamed body can be read once, by one task. A
/// slow reader slows down the server, because the transport limits the amount of unread data. Cancelling the reading
/// task, or releasing the body, ends the transfer.
public struct ResponseBody: AsyncSequence, Sendable {
    /// A closure that returns the next piece, which is never empty, or `nil` at the end.
    typealias Reader = @Sendable () async throws -> Data?

    private enum Storage: Sendable {
        case collected(Data)
        /// The prefix contains the bytes that were read ahead; the reader returns them again.
        case streamed(Reader, prefix: Data)
    }

    private let storage: Storage
    /// The response from which this body was taken, so that errors of its iteration can describe it; `nil` for none.
    var response: DataResponse?
    /// Converts the errors of sequences that parse this body; `nil` leaves them unchanged.
    var errorMapping: (@Sendable (any Error) -> any Error)?

    /// Creates a complete body.
    public init(_ data: Data = Data()) {
        storage = .collected(data)
    }

    /// Creates a body from a closure that returns the next piece, which must not be empty, or `nil` at the end.
    ///
    /// The calls do not overlap, and run in the isolation of the reader. Move slow work to another executor.
    public init(_ next: @escaping @Sendable () async throws -> Data?) {
        storage = .streamed(next, prefix: Data())
    }

    /// Creates a body whose first bytes were read ahead.
    init(prefix: Data, reader: @escaping Reader) {
        storage = .streamed(reader, prefix: prefix)
    }

    /// Creates a body from a sequence, whose iteration starts with the first read. Empty pieces are skipped.
    init<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces) where Pieces.Element == Data {
        let reading = SequenceReading(pieces)
        self.init { try await reading.next() }
    }

    /// Whether the body is read as it arrives.
    public var isStreamed: Bool {
        if case .streamed = storage { true } else { false }
    }

    /// The bytes in memory: the whole of a collected body, and the bytes of a streamed one that were read ahead.
    var data: Data {
        switch storage {
        case .collected(let data): data
        case .streamed(_, let prefix): prefix
        }
    }

    /// Returns the reader of the body.
    var reader: Reader {
        switch storage {
        case .streamed(let reader, _): return reader
        case .collected(let data):
            let rest = Locked(data.isEmpty ? nil : data)
            return {
                rest.withLock { rest in
                    defer { rest = nil }
                    return rest
                }
            }
        }
    }

    /// Returns an iterator of the pieces, which are never empty. A streamed body has only one beginning: a second
    /// iterator continues where the first one stopped. If the body is interrupted, the iterator throws the errors of
    /// ``Transport/send(_:)``, which a request converts to ``ErrandError``.
    public func makeAsyncIterator() -> some AsyncIteratorProtocol<Data, any Error> {
        BodyIterator(response: response, errorMapping: errorMapping, reader: reader)
    }
}

private struct BodyIterator: AsyncIteratorProtocol, ResponseReading {
    let response: DataResponse?
    let errorMapping: (@Sendable (any Error) -> any Error)?
    let reader: ResponseBody.Reader

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
        try await reader()
    }

    mutating func next() async throws -> Data? {
        try await next(isolation: #isolation)
    }
}

extension ResponseBody {
    /// Returns this body with its errors converted.
    package func mapError(_ transform: @escaping @Sendable (any Error) -> any Error) -> ResponseBody {
        let reader = reader
        return ResponseBody(prefix: data) {
            do {
                return try await reader()
            } catch {
                throw transform(error)
            }
        }
    }

    /// Reads the whole body.
    ///
    /// - Throws: `URLError.dataLengthExceedsMaximum` for a streamed body of more than `limit` bytes, or the error of
    ///   the body.
    func collected(upTo limit: Int) async throws -> Data {
        if case .collected(let data) = storage { return data }
        var data = Data()
        let reader = reader
        while let piece = try await reader() {
            guard piece.count <= limit - data.count else { throw URLError(.dataLengthExceedsMaximum) }
            data += piece
        }
        return data
    }
}

extension ResponseBody: Confidential {
    /// The number of bytes in memory, and whether the body is streamed.
    public var description: String { "ResponseBody(\(data.count) bytes\(isStreamed ? ", streamed" : ""))" }
}

extension ResponseBody: ResponseReading {}

/// A body, or an iterator that knows the response whose body it reads, so that errors can describe it.
protocol ResponseReading {
    var response: DataResponse? { get }
    /// Converts errors into the API's own errors; `nil` leaves them unchanged. Errors of the body are already
    /// converted.
    var errorMapping: (@Sendable (any Error) -> any Error)? { get }
}

extension ResponseReading {
    var errorMapping: (@Sendable (any Error) -> any Error)? { nil }
}

extension ResponseReading? {
    /// Adds the known parts of the response to an ``ErrandError`` without a URL, and converts it into the API's own
    /// error. A `CancellationError` is first converted to one. Any other error is returned unchanged.
    func describing(_ error: any Error) -> any Error {
        let error = error is CancellationError ? ErrandError(.cancelled) : error
        // An error with a URL already describes its response.
        guard let ours = error as? ErrandError, ours.url == nil else { return error }
        let described = self?.response.map { ours.with(headOf: $0) } ?? ours
        return self?.errorMapping?(described) ?? described
    }
}

/// The source of a response.
public enum ResponseSource: Hashable, Sendable {
    /// The server, or a stub that replaces it.
    case network
    /// A cache, without a request to the server.
    case cache
    /// A cache, after the server confirmed that the stored response is current.
    case revalidated
    /// A cache that has only a stale response.
    case stale
    /// An interceptor, such as a hook.
    case interceptor

    /// Whether the response shows that the server responded to this request.
    package var isFromServer: Bool { self == .network || self == .revalidated }
}
