// The readers of the sources of a ``BodyStream``. Their `next()` returns non-empty pieces, and `nil` at the end and in
// later calls. Calls do not overlap.

/// The maximum number of bytes that a read of an `InputStream` or a file returns.
private let pieceSize = 65_536

/// A reader of an `InputStream` in pieces.
///
/// `@unchecked Sendable` is safe: the stream was passed as `sending`, and is used only in `init`, on the serial queue
/// and in `deinit`.
final class InputStreamReading: @unchecked Sendable {
    private let stream: InputStream
    private let queue = BlockingQueue(label: "Errand.BodyStream")
    /// Whether the stream was opened before `init`. The status is not read later, because the queue may then be reading
    /// while another start of the request inspects the body.
    private let wasOpenedBefore: Bool

    init(_ stream: sending InputStream) {
        wasOpenedBefore = stream.streamStatus != .notOpen
        self.stream = stream
    }

    deinit {
        stream.close()
    }

    /// Checks that the stream was passed unopened.
    ///
    /// - Throws: ``ErrandError`` with `bodyStreamAlreadyOpened`.
    func checkUnopened() throws(ErrandError) {
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

/// A reader of a file in pieces. It opens the file on its queue, for the first piece, because that may take long on a
/// network file system. The file is closed when the reader is released.
final class FileReading: Sendable {
    private let file: URL
    private let queue = BlockingQueue(label: "Errand.BodyStream")
    /// The range of bytes to read; `nil` for the whole file.
    private let bytes: Range<Int>?
    /// The open file, and the number of bytes that are left of the range; `nil` before the first piece is read.
    private let opened = Locked<(handle: FileHandle, left: Int?)?>(nil)

    init(_ file: URL, bytes: Range<Int>? = nil) {
        self.file = file
        self.bytes = bytes
    }

    func next() async throws -> Data? {
        try await queue.run { [self] in
            do {
                // The queue is serial, so nothing changes `opened` between the two locks.
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

/// A reader of a sequence of pieces. It skips empty pieces.
///
/// It is an actor because an iterator is a mutable value.
actor SequenceReading<Pieces: AsyncSequence & Sendable> where Pieces.Element == Data {
    private let pieces: Pieces
    /// Made with the first piece, because the code of the user that makes it may block.
    private var iterator: Pieces.AsyncIterator?

    init(_ pieces: Pieces) {
        self.pieces = pieces
    }

    func next() async throws -> Data? {
        while let piece = try await advance() {
            if !piece.isEmpty { return piece }
        }
        return nil
    }

    private func advance() async throws -> Data? {
        // A property of an actor cannot be changed during a call that suspends, so the call changes a copy.
        var current = iterator ?? pieces.makeAsyncIterator()
        defer { iterator = current }
        return try await current.next(isolation: self)
    }
}

extension ErrandError {
    /// Creates the error of a body whose file cannot be read.
    init(unreadable file: URL, because error: any Error) {
        let code = (error as? CocoaError)?.code
        let isMissing = code == .fileNoSuchFile || code == .fileReadNoSuchFile
        self.init(
            .bodyEncodingFailed, reason: "\(file.quotedPath) \(isMissing ? "does not exist" : "cannot be read")",
            underlyingError: error)
    }
}

extension URL {
    /// The path as error messages show it, with escaped control characters: `the file "/tmp/photo.jpeg"`.
    var quotedPath: String { "the file \(path.debugDescription)" }
}
