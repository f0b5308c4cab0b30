/// A request body that is read while it is sent, and never as a whole in memory where the transport can help it.
///
/// ```swift
/// body = .stream(BodyStream(lines), type: .ndjson)
/// body = .stream(BodyStream(pieces, count: 4_096))
/// ```
///
/// A file can be read again, for a retry or a redirect. An `InputStream` or a sequence can be read once: sending such a
/// request again fails with ``ErrandError/Code-swift.struct/bodyStreamAlreadyOpened``.
public struct BodyStream: Sendable {
    /// Gives the next bytes, in pieces of any size but empty; nil at the end.
    package typealias Reader = @Sendable () async throws -> Data?

    /// What the bytes of a stream come from.
    enum Origin: Sendable {
        case file(URL)
        case form(MultipartForm)
        /// A body that is made when the request is sent.
        case deferred(@Sendable () throws -> RequestBody.Content)
        case other
    }

    /// How many bytes the body has; nil when that is not known, and it is sent in chunks.
    ///
    /// A body that turns out longer or shorter fails the request with
    /// ``ErrandError/Code-swift.struct/bodyCountMismatch``. So that no server takes a longer one for whole, its last
    /// piece is sent only when the end is known.
    public let count: Int?
    /// Whether the body can be sent a second time, for a retry or a redirect: true of a file, and false of an
    /// `InputStream` and of a sequence.
    public var canBeReadAgain: Bool { claims == nil }
    /// Makes the trailer fields (RFC 9110, section 6.5) after the whole body has been read. It is `nil` if
    /// the body has none.
    let trailers: (@Sendable () throws -> HeaderFields)?
    /// What the bytes come from, to be shown in a `curl` command.
    let origin: Origin
    private let makeReader: @Sendable () throws -> Reader
    /// Throws when the body cannot be read any more, without reading it.
    let inspect: @Sendable () throws -> Void
    /// Taken by each sending and by each reading; nil for a body that can be read again.
    private let claims: (sending: StreamClaim, reading: StreamClaim)?
    /// The streams that this one is made of; what can be read once only among them is claimed with it.
    private let parts: [BodyStream]

    /// A body that `stream` gives, which must not be opened: Errand opens, reads and closes it, on a thread that may
    /// block.
    ///
    /// - Parameters:
    ///   - stream: The stream; nobody else may use it from here on.
    ///   - count: How many bytes it will give, where that is known.
    public init(_ stream: sending InputStream, count: Int? = nil) {
        let reading = InputStreamReading(stream)
        self.init(
            count: count, canBeReadAgain: false, inspect: { try reading.inspect() },
            makeReader: { { try await reading.next() } })
    }

    /// A body that is the contents of a file, as long as the file is when this is called.
    ///
    /// A link is followed. What is no regular file, such as a pipe, has no length and may never end: read it as an
    /// `InputStream`.
    ///
    /// - Throws: ``ErrandError`` with `bodyEncodingFailed` for a file that does not exist or is not a regular file; the reason has
    ///   its path.
    public init(file: URL) throws {
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path)
        } catch {
            throw ErrandError(unreadable: file, because: error)
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw ErrandError(.bodyEncodingFailed, reason: "\(file.quotedPath) is not a regular file")
        }
        self.init(count: (attributes[.size] as? NSNumber)?.intValue, canBeReadAgain: true, origin: .file(file)) {
            let reading = FileReading(file)
            return { try await reading.next() }
        }
    }

    /// A body that is a part of a file, for an upload in parts.
    ///
    /// - Parameters:
    ///   - file: The file. A link is followed.
    ///   - bytes: Which bytes of it, counted from 0.
    /// - Throws: ``ErrandError`` with `bodyEncodingFailed` for a file that does not exist or is not a regular file, and for bytes that it does not have when this is called.
    public init(file: URL, bytes: Range<Int>) throws {
        let whole = try BodyStream(file: file)
        guard bytes.lowerBound >= 0, let size = whole.count, bytes.upperBound <= size else {
            throw ErrandError(.bodyEncodingFailed, reason: "\(file.quotedPath) does not have all bytes of the part")
        }
        self.init(count: bytes.count, canBeReadAgain: true) {
            let reading = FileReading(file, bytes: bytes)
            return { try await reading.next() }
        }
    }

    /// A body that a sequence gives, piece by piece, as fast as the server takes it.
    ///
    /// - Parameters:
    ///   - sequence: The pieces; iterated once, by one task.
    ///   - count: How many bytes it will give, where that is known.
    public init<Pieces: AsyncSequence & Sendable>(_ sequence: Pieces, count: Int? = nil) where Pieces.Element == Data {
        self.init(count: count, canBeReadAgain: false) {
            let reading = SequenceReading(sequence)
            return { try await reading.next() }
        }
    }

    /// A body from a sequence, followed by trailer fields (RFC 9110, section 6.5), such as a checksum of the body.
    ///
    /// ```swift
    /// let digest = Digest()
    /// body = .stream(BodyStream(digest.watching(pieces), trailers: { ["Digest": digest.value] }))
    /// ```
    ///
    /// The body is sent in chunks over HTTP/1.1, even to servers that speak HTTP/2: libcurl sends no trailers over HTTP/2.
    /// `URLSession` sends no trailers. A request that has them fails there with `unsupportedByTransport`.
    ///
    /// - Parameters:
    ///   - sequence: The pieces; iterated once, by one task.
    ///   - trailers: Makes the trailer fields. It is called once, after all pieces were read. If it throws, the request fails
    ///     with that error. An invalid field fails the request with `invalidHeaderField`.
    public init<Pieces: AsyncSequence & Sendable>(
        _ sequence: Pieces, trailers: @escaping @Sendable () throws -> HeaderFields
    ) where Pieces.Element == Data {
        self.init(count: nil, canBeReadAgain: false, trailers: trailers) {
            let reading = SequenceReading(sequence)
            return { try await reading.next() }
        }
    }

    /// A body that is made when the request is sent. `Sending` replaces it then.
    init(deferred make: @escaping @Sendable () throws -> RequestBody.Content) {
        self.init(count: nil, canBeReadAgain: true, origin: .deferred(make)) {
            throw ErrandError(.bodyEncodingFailed, reason: "the body was not made when the request was sent")
        }
    }

    private init(
        count: Int?, canBeReadAgain: Bool, origin: Origin = .other, inspect: @escaping @Sendable () throws -> Void = {},
        trailers: (@Sendable () throws -> HeaderFields)? = nil, makeReader: @escaping @Sendable () throws -> Reader
    ) {
        self.count = count
        self.trailers = trailers
        self.origin = origin
        self.makeReader = makeReader
        self.inspect = inspect
        claims = canBeReadAgain ? nil : (StreamClaim(), StreamClaim())
        parts = []
    }

    /// A body that is made of others while it is read; it can be read again if they all can.
    package init(of parts: [BodyStream], count: Int?, makeReader: @escaping @Sendable () throws -> Reader) {
        self.init(of: parts, count: count, origin: .other, makeReader: makeReader)
    }

    /// A body that is made of others while it is read; it can be read again if they all can.
    init(of parts: [BodyStream], count: Int?, origin: Origin, makeReader: @escaping @Sendable () throws -> Reader) {
        self.count = count
        self.origin = origin
        self.makeReader = makeReader
        self.parts = parts
        trailers = nil
        inspect = { for part in parts { try part.inspect() } }
        claims = parts.allSatisfy(\.canBeReadAgain) ? nil : (StreamClaim(), StreamClaim())
    }

    /// Claims the body for one sending of the request, also if a stub responds in place of the network.
    ///
    /// - Throws: ``ErrandError`` with `bodyStreamAlreadyOpened`.
    func claimForSending() throws {
        try claims?.sending.take()
        try inspect()
        for part in parts { try part.claimForSending() }
    }

    /// Begins to read, counting; what it reads fails when it is not as long as it should be.
    ///
    /// - Throws: ``ErrandError`` with `bodyStreamAlreadyOpened`, or with `bodyEncodingFailed` for a file that cannot be
    ///   read. The reader throws `bodyCountMismatch` and `bodyEncodingFailed` too.
    package func open() throws -> Reader {
        let read: Reader
        do {
            try claims?.reading.take()
            read = try makeReader()
        } catch let error as ErrandError {
            throw error
        } catch {
            throw ErrandError(.bodyEncodingFailed, reason: "the body cannot be read", underlyingError: error)
        }
        let counter = Locked(0)
        @Sendable func readCounting() async throws -> (Data?, total: Int) {
            let piece = try await read()
            return counter.withLock { total in
                total += piece?.count ?? 0
                return (piece, total)
            }
        }
        return { [count] in
            var (piece, total) = try await readCounting()
            // The last piece waits for the end: once it was sent, a longer body could not be told any more.
            if piece != nil, total == count { total = try await readCounting().total }
            guard let count, total > count || (piece == nil && total < count) else { return piece }
            let found = total > count ? "more" : "only \(total)"
            throw ErrandError(.bodyCountMismatch, reason: "the body should have \(count) bytes and has \(found)")
        }
    }

    /// Reads all of it, for transports that cannot send it piece by piece.
    ///
    /// - Throws: As ``open()`` and its reader do.
    package func contents() async throws -> Data {
        let read = try open()
        var contents = Data()
        while let piece = try await read() { contents.append(piece) }
        return contents
    }
}

/// The right to read a body that can be read once.
private final class StreamClaim: Sendable {
    private let isTaken = Locked(false)

    /// - Throws: ``ErrandError`` with `bodyStreamAlreadyOpened` for all but the first caller.
    func take() throws(ErrandError) {
        let wasTaken = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return isTaken
        }
        if wasTaken { throw ErrandError(.bodyStreamAlreadyOpened, reason: "a stream can be read once") }
    }
}
