/// The body of a response: collected in memory, or read as it arrives.
///
/// ```swift
/// for try await piece in response.body { count += piece.count }
/// ```
///
/// A collected body gives its data as one piece to each iterator. A streamed body is read once, by one task: a slow reader
/// slows the server down, since the transport bounds what has arrived and was not read. Cancelling the reading task, or
/// releasing the body, ends the transfer.
public struct ResponseBody: AsyncSequence, Sendable {
    /// Reads the next piece, which is never empty, or `nil` at the end.
    typealias Reader = @Sendable () async throws -> Data?

    private enum Storage: Sendable {
        case collected(Data)
        /// The prefix is what was read ahead; the reader gives it again.
        case streamed(Reader, prefix: Data)
    }

    private let storage: Storage
    /// The response that this is the body of, where it was taken from one.
    var answer: DataResponse?

    /// A body that is complete.
    public init(_ data: Data = Data()) {
        storage = .collected(data)
    }

    /// A body that a closure reads piece by piece, and that ends with `nil`.
    ///
    /// The calls come one after the other, in the isolation of the reader: move slow work to another executor.
    public init(_ next: @escaping @Sendable () async throws -> Data?) {
        storage = .streamed(next, prefix: Data())
    }

    /// A body whose first bytes were read ahead.
    init(prefix: Data, reader: @escaping Reader) {
        storage = .streamed(reader, prefix: prefix)
    }

    /// A body that a sequence gives, started with the first piece that is read; empty pieces are left out.
    init<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces) where Pieces.Element == Data {
        let reading = SequenceReading(pieces)
        self.init { try await reading.next() }
    }

    /// Whether the body is read as it arrives.
    public var isStreamed: Bool {
        if case .streamed = storage { true } else { false }
    }

    /// The bytes in memory: all of a collected body, and of a streamed one those that were read ahead.
    var data: Data {
        switch storage {
        case .collected(let data): data
        case .streamed(_, let prefix): prefix
        }
    }

    /// Starts to read.
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

    /// Starts to read. A streamed body has one beginning: a second iterator continues where the first one stopped.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(answer: answer, reader: reader)
    }

    /// Gives the pieces.
    public struct AsyncIterator: AsyncIteratorProtocol, AnswerReading {
        let answer: DataResponse?
        let reader: Reader

        /// Returns the next piece, which is never empty, or `nil` at the end of a complete body.
        ///
        /// - Throws: As ``Transport/send(_:)`` does, when the body breaks off.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            try await reader()
        }

        /// Returns the next piece, as ``next(isolation:)`` does.
        public mutating func next() async throws -> Data? {
            try await next(isolation: #isolation)
        }
    }
}

extension ResponseBody {
    /// This body, which fails with another error where it breaks off.
    func mapError(_ transform: @escaping @Sendable (any Error) -> any Error) -> ResponseBody {
        let reader = reader
        return ResponseBody(prefix: data) {
            do {
                return try await reader()
            } catch {
                throw transform(error)
            }
        }
    }

    /// All of the body.
    ///
    /// - Throws: `URLError.dataLengthExceedsMaximum` for a body of more than `limit` bytes; what the body fails with.
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

extension ResponseBody: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How many bytes are in memory, and whether more are to come.
    public var description: String { "ResponseBody(\(data.count) bytes\(isStreamed ? ", streamed" : ""))" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no secret either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
