/// The head of an answer whose body is still on its way.
public struct StreamedResponse: Sendable {
    /// The status code.
    public let statusCode: Int
    /// The header fields.
    public let headers: HTTPHeaders
    /// Where the answer came from; nil means where the request was sent.
    public internal(set) var url: URL?
    /// The method of the request that was answered.
    public internal(set) var method: HTTPMethod?
    /// How often the request was sent for this answer, redirects not counted.
    public internal(set) var attempts = 1
    /// The body, as it comes.
    public package(set) var body: ResponseBody
    /// Who answered: the network, or an interceptor.
    public var source = ResponseSource.network

    /// A head, as a transport gives it.
    public init(statusCode: Int, headers: HTTPHeaders, url: URL? = nil, body: ResponseBody) {
        self.statusCode = statusCode
        self.headers = headers
        self.url = url
        self.body = body
    }
}

/// A body in pieces, as they come from the wire, with its content coding undone.
///
/// ```swift
/// for try await piece in response.body { count += piece.count }
/// ```
///
/// It is iterated once, by one task. A reader that is slow slows the server down: what has come and was not read is
/// bounded by the transport. Cancelling the reading task, or letting go of the body, ends the transfer.
public struct ResponseBody: AsyncSequence, Sendable {
    /// Gives the pieces.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let nextPiece: @Sendable () async throws -> Data?

        /// The next piece, never empty; nil at the end of a whole body.
        ///
        /// - Throws: As ``Transport/send(_:)`` does, for a body that breaks off.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            try await nextPiece()
        }

        /// The next piece, as ``next(isolation:)`` gives it.
        public mutating func next() async throws -> Data? {
            try await next(isolation: #isolation)
        }
    }

    /// Gives the next piece, and nil at the end.
    let nextPiece: @Sendable () async throws -> Data?

    /// A body whose pieces a closure gives, one call after the other, and nil at the end.
    ///
    /// It is called on the actor of whoever reads, if any: what takes long there, it does elsewhere.
    public init(_ next: @escaping @Sendable () async throws -> Data?) {
        nextPiece = next
    }

    /// A body that is there already, in one piece.
    public init(_ data: Data) {
        let rest = Locked(data.isEmpty ? nil : data)
        nextPiece = {
            rest.withLock { rest in
                defer { rest = nil }
                return rest
            }
        }
    }

    /// A body that a sequence gives, begun when the first piece is asked for; empty pieces are left out.
    init<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces) where Pieces.Element == Data {
        let reading = SequenceReading(pieces)
        self.init { try await reading.next() }
    }

    /// Begins to read; a body has one beginning.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(nextPiece: nextPiece)
    }
}

extension StreamedResponse {
    /// Counts what is read of the body, against its length where that is known.
    mutating func count(in progress: TransferProgress) {
        let total = headers["Content-Encoding"] == nil ? headers["Content-Length"].flatMap { Int64($0) } : nil
        let completed = Locked<Int64>(0)
        let body = body
        self.body = ResponseBody {
            guard let piece = try await body.nextPiece() else { return nil }
            let count = completed.withLock { completed in
                completed += Int64(piece.count)
                return completed
            }
            progress.update(TransferProgress.Snapshot(completed: count, total: total))
            return piece
        }
    }
}

extension ResponseBody {
    /// This body, failing with something else where it breaks off.
    func mapError(_ transform: @escaping @Sendable (any Error) -> any Error) -> ResponseBody {
        let next = nextPiece
        return ResponseBody {
            do {
                return try await next()
            } catch {
                throw transform(error)
            }
        }
    }
}
