/// The most bytes that are read at once.
private let pieceSize = 65_536

/// Reads an `InputStream` in pieces.
///
/// `@unchecked Sendable` holds because the stream was handed over by `sending`, and is used in `init`, on the serial
/// queue and in `deinit` alone.
final class InputStreamReading: @unchecked Sendable {
    private let stream: InputStream
    private let queue = BlockingQueue(label: "Errand.BodyStream")
    /// Looked up once, because the queue may be reading while another start of the request inspects the body.
    private let wasOpenedBefore: Bool

    init(_ stream: sending InputStream) {
        wasOpenedBefore = stream.streamStatus != .notOpen
        self.stream = stream
    }

    deinit {
        stream.close()
    }

    /// - Throws: ``ErrandError`` with `bodyStreamAlreadyOpened`.
    func inspect() throws(ErrandError) {
        if wasOpenedBefore {
            throw ErrandError(.bodyStreamAlreadyOpened, reason: "the stream was opened before")
        }
    }

    func next() async throws -> Data? {
        try await queue.run { [self] in
            if stream.streamStatus == .notOpen { stream.open() }
            var piece = [UInt8](repeating: 0, count: pieceSize)
            let count = stream.read(&piece, maxLength: pieceSize)
            guard count >= 0 else {
                throw ErrandError(
                    .bodyEncodingFailed, reason: "the stream cannot be read", underlyingError: stream.streamError)
            }
            return count == 0 ? nil : Data(piece[..<count])
        }
    }
}

/// Reads a file in pieces. It is opened for the first, and closed when this goes away; both may take as long as a disk
/// that is far away.
final class FileReading: Sendable {
    private let file: URL
    private let queue = BlockingQueue(label: "Errand.BodyStream")
    /// Which bytes are read; nil for all that there are.
    private let bytes: Range<Int>?
    private let opened = Locked<(handle: FileHandle, left: Int?)?>(nil)

    init(_ file: URL, bytes: Range<Int>? = nil) {
        self.file = file
        self.bytes = bytes
    }

    func next() async throws -> Data? {
        try await queue.run { [self] in
            do {
                // The queue runs one call after the other.
                let (handle, left) = try opened.withLock(\.self) ?? open()
                let piece = try handle.read(upToCount: min(pieceSize, left ?? pieceSize)) ?? Data()
                opened.withLock { $0 = (handle, left.map { $0 - piece.count }) }
                return piece.isEmpty ? nil : piece
            } catch {
                throw ErrandError(unreadable: file, because: error)
            }
        }
    }

    private func open() throws -> (handle: FileHandle, left: Int?) {
        let handle = try FileHandle(forReadingFrom: file)
        if let bytes { try handle.seek(toOffset: UInt64(bytes.lowerBound)) }
        return (handle, bytes?.count)
    }
}

/// Iterates a sequence of pieces.
///
/// An actor, since an iterator is a mutable value; it is asked for one piece at a time.
actor SequenceReading<Pieces: AsyncSequence & Sendable> where Pieces.Element == Data {
    private var iterator: Pieces.AsyncIterator

    init(_ pieces: Pieces) {
        iterator = pieces.makeAsyncIterator()
    }

    func next() async throws -> Data? {
        while let piece = try await advance() {
            if !piece.isEmpty { return piece }
        }
        return nil
    }

    private func advance() async throws -> Data? {
        var current = iterator
        defer { iterator = current }
        return try await current.next(isolation: self)
    }
}
