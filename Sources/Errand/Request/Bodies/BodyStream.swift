/// A request body that is read while it is sent. It is held in memory as a whole only if the transport requires it, as
/// ``URLSessionTransport`` does.
///
/// ```swift
/// body = .stream(BodyStream(lines), type: .ndjson)
/// body = .stream(BodyStream(pieces, count: 4_096))
/// ```
///
/// A file can be read again for a retry or a redirect. An `InputStream` or a sequence can be read only once. Sending
/// such a request again fails with ``ErrandError/Code-swift.struct/bodyStreamAlreadyOpened``.
public struct BodyStream: Sendable {
    /// A closure that returns the next bytes, in non-empty pieces of any size, or `nil` at the end and in later calls.
    /// Calls must not overlap.
    package typealias Reader = @Sendable () async throws -> Data?

    /// The source of the bytes. A curl command shows files and forms.
    enum Origin: Sendable {
        case file(URL)
        case form(MultipartForm)
        /// A body that is created when the request is sent.
        case deferred(@Sendable () throws -> RequestBody.Content)
        case other
    }

    /// The size of the body in bytes. If it is `nil`, the size is not known, and ``CurlTransport`` sends the body in
    /// chunks.
    ///
    /// A longer or shorter body fails the request with ``ErrandError/Code-swift.struct/bodyCountMismatch``. The last
    /// piece is sent only after the end is known, so that no server accepts the beginning of a longer body as complete.
    public let count: Int?
    /// Whether the body can be sent again for a retry or a redirect: `true` for a file, and `false` for an
    /// `InputStream` or a sequence.
    public var canBeReadAgain: Bool { claims == nil }
    /// The closure that creates the trailer fields (RFC 9110, section 6.5) after the whole body was read. It is `nil`
    /// if the body has none.
    package let trailers: (@Sendable () throws -> HeaderFields)?
    let origin: Origin
    private let makeReader: @Sendable () throws -> Reader
    /// A closure that throws if the body is an `InputStream` that was passed open, or has one as a part.
    let checkUnopened: @Sendable () throws -> Void
    /// The rights to use a body that can be read only once; `nil` for a body that can be read again.
    ///
    /// Each can be taken once: `sending` by the first attempt, even if a stub responds and reads nothing, and `reading`
    /// by ``open()``.
    private let claims: (sending: StreamClaim, reading: StreamClaim)?
    /// The streams of which this one consists. Sending this one takes the rights to send them.
    private let parts: [BodyStream]

    /// Creates a body from an `InputStream`, which must not be open. Errand opens and reads it on a thread that may
    /// block. A stream that was opened before fails the request with
    /// ``ErrandError/Code-swift.struct/bodyStreamAlreadyOpened``.
    ///
    /// - Parameters:
    ///   - stream: The stream. No other code may use it after this call.
    ///   - count: The size of the stream in bytes; `nil`, the default, if it is not known.
    public init(_ stream: sending InputStream, count: Int? = nil) {
        let reading = InputStreamReading(stream)
        self.init(
            count: count, canBeReadAgain: false, checkUnopened: { try reading.checkUnopened() },
            makeReader: { { try await reading.next() } })
    }

    /// Creates a body from the contents of a file, with the size that the file has at the time of this call.
    ///
    /// Symbolic links are followed. A file that is not regular, such as a pipe, has no size and may never end; read it
    /// as an `InputStream`.
    ///
    /// - Throws: ``ErrandError`` with `bodyEncodingFailed` for a file that does not exist, is not accessible, or is not
    ///   a regular file. The reason contains its path.
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

    /// Creates a body from a part of a file, for an upload in parts.
    ///
    /// - Parameters:
    ///   - file: The file. Symbolic links are followed.
    ///   - bytes: The range of bytes, counted from 0.
    /// - Throws: ``ErrandError`` with `bodyEncodingFailed` as for a whole file, and for a range that begins below 0, or
    ///   ends beyond the end of the file at the time of this call.
    public init(file: URL, bytes: Range<Int>) throws {
        let whole = try BodyStream(file: file)
        let size = whole.count ?? 0
        guard bytes.lowerBound >= 0, bytes.upperBound <= size else {
            throw ErrandError(
                .bodyEncodingFailed, reason: "\(file.quotedPath) has \(size) bytes; the part needs the bytes \(bytes)")
        }
        self.init(count: bytes.count, canBeReadAgain: true) {
            let reading = FileReading(file, bytes: bytes)
            return { try await reading.next() }
        }
    }

    /// Creates a body from a sequence of pieces, which are read as fast as the server accepts them.
    ///
    /// - Parameters:
    ///   - sequence: The pieces. The sequence is iterated once.
    ///   - count: The size of the body in bytes; `nil`, the default, if it is not known.
    public init<Pieces: AsyncSequence & Sendable>(_ sequence: Pieces, count: Int? = nil) where Pieces.Element == Data {
        self.init(count: count, canBeReadAgain: false) {
            let reading = SequenceReading(sequence)
            return { try await reading.next() }
        }
    }

    /// Creates a body from a sequence, followed by trailer fields (RFC 9110, section 6.5), such as a checksum of the
    /// body.
    ///
    /// ```swift
    /// let digest = Digest()
    /// body = .stream(BodyStream(digest.watching(pieces), trailers: { ["Digest": digest.value] }))
    /// ```
    ///
    /// The body is sent in chunks over HTTP/1.1, even to servers that support HTTP/2, because libcurl sends no trailers
    /// over HTTP/2. `URLSession` sends no trailers: a request that has them fails there with `unsupportedByTransport`.
    ///
    /// - Parameters:
    ///   - sequence: The pieces. The sequence is iterated once.
    ///   - trailers: A closure that returns the trailer fields. It is called once, after all pieces were read and
    ///     perhaps before the last ones are sent. If it throws, the request fails with that error. An invalid field
    ///     fails the request with `invalidHeaderField`.
    public init<Pieces: AsyncSequence & Sendable>(
        _ sequence: Pieces, trailers: @escaping @Sendable () throws -> HeaderFields
    ) where Pieces.Element == Data {
        self.init(count: nil, canBeReadAgain: false, trailers: trailers) {
            let reading = SequenceReading(sequence)
            return { try await reading.next() }
        }
    }

    /// Creates a placeholder for a body that is created when the request is sent.
    init(deferred make: @escaping @Sendable () throws -> RequestBody.Content) {
        self.init(count: nil, canBeReadAgain: true, origin: .deferred(make)) {
            throw ErrandError(
                .bodyEncodingFailed, reason: "the body is encoded when the request is sent, and cannot be read before")
        }
    }

    private init(
        count: Int?, canBeReadAgain: Bool, origin: Origin = .other,
        checkUnopened: @escaping @Sendable () throws -> Void = {},
        trailers: (@Sendable () throws -> HeaderFields)? = nil, makeReader: @escaping @Sendable () throws -> Reader
    ) {
        self.count = count
        self.trailers = trailers
        self.origin = origin
        self.makeReader = makeReader
        self.checkUnopened = checkUnopened
        claims = canBeReadAgain ? nil : (StreamClaim(), StreamClaim())
        parts = []
    }

    /// Creates a body that consists of others, which are read while it is sent. It can be read again if all parts can.
    ///
    /// - Parameter trailers: As in `init(_:trailers:)`; `nil` for none.
    package init(
        of parts: [BodyStream], count: Int?, trailers: (@Sendable () throws -> HeaderFields)? = nil,
        makeReader: @escaping @Sendable () throws -> Reader
    ) {
        self.init(of: parts, count: count, origin: .other, trailers: trailers, makeReader: makeReader)
    }

    /// The same initializer with an origin, whose type is internal.
    init(
        of parts: [BodyStream], count: Int?, origin: Origin, trailers: (@Sendable () throws -> HeaderFields)? = nil,
        makeReader: @escaping @Sendable () throws -> Reader
    ) {
        self.count = count
        self.trailers = trailers
        self.origin = origin
        self.makeReader = makeReader
        self.parts = parts
        checkUnopened = { for part in parts { try part.checkUnopened() } }
        claims = parts.allSatisfy(\.canBeReadAgain) ? nil : (StreamClaim(), StreamClaim())
    }

    /// Claims the body for one sending of the request, even if a stub responds instead of the network.
    ///
    /// - Throws: ``ErrandError`` with `bodyStreamAlreadyOpened`.
    func claimForSending() throws {
        try claims?.sending.take()
        try checkUnopened()
        for part in parts { try part.claimForSending() }
    }

    /// Returns a reader that counts bytes, and fails if the body does not have the declared size.
    ///
    /// - Throws: ``ErrandError`` with `bodyStreamAlreadyOpened`, or with `bodyEncodingFailed` if no reader can be
    ///   created. The reader throws `bodyCountMismatch`, `bodyEncodingFailed` if a file or an `InputStream` cannot be
    ///   read, and errors of a sequence or of zlib.
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
            // The last piece is held until the end is known. After sending it, a longer body could no longer be
            // detected.
            if piece != nil, total == count { total = try await readCounting().total }
            // The size is wrong if there are more bytes, or the body ends with fewer.
            guard let count, total > count || (piece == nil && total < count) else { return piece }
            let found = total > count ? "more" : "only \(total)"
            throw ErrandError(.bodyCountMismatch, reason: "the body should have \(count) bytes and has \(found)")
        }
    }

    /// Reads the whole body, for a stub or a transport that needs it in memory.
    ///
    /// - Parameter touch: Called for each piece.
    /// - Throws: The errors of ``open()`` and its reader.
    package func contents(touch: @Sendable () -> Void = {}) async throws -> Data {
        let read = try open()
        var contents = Data()
        while let piece = try await read() {
            touch()
            contents.append(piece)
        }
        return contents
    }
}

/// A right that can be taken once, to send or to read a body that can be read only once.
private final class StreamClaim: Sendable {
    private let isTaken = Locked(false)

    /// - Throws: ``ErrandError`` with `bodyStreamAlreadyOpened` for every call except the first.
    func take() throws(ErrandError) {
        let wasTaken = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return isTaken
        }
        if wasTaken {
            throw ErrandError(
                .bodyStreamAlreadyOpened, reason: "the stream can be read only once, and it has been sent already")
        }
    }
}
