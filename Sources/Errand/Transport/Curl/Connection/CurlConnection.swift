#if canImport(CCurl)
import CCurl
import CEvents

/// A byte connection, shared by the tasks that use it and the thread of ``CurlDriver``, which reads and continues
/// writes.
///
/// A write uses libcurl's handle on the task's thread, without waiting. Through the loop's thread, each write would
/// change threads twice.
final class CurlConnection: ByteConnection {
    /// The number of unread bytes at which the loop stops reading: 256 KiB.
    static let bufferSize = 256 << 10

    fileprivate struct State {
        /// The pieces that the reader has not taken yet.
        var incoming: [[UInt8]] = []
        /// The number of bytes in ``incoming``.
        var count = 0
        /// Whether the loop does not read because ``incoming`` is full. The reader resumes it when half is free.
        var isPaused = false
        /// The promise that the waiting reader awaits; resolved when it should look again.
        var reader: PipelinePromise<Void, any Error>?
        /// The write that the loop continues: all its bytes, the number of those that were written, and the promise
        /// for its end.
        var outgoing: (bytes: [UInt8], written: Int, promise: PipelinePromise<Void, any Error>)?
        /// The number of bytes that the system has accepted.
        var writtenCount: Int64 = 0
        /// The promise that ``open()`` awaits.
        var opened: PipelinePromise<Void, any Error>?
        /// Whether ``close()`` was called.
        var isClosing = false
        /// The end of the received data: proper, or with an error.
        var end: Result<Void, any Error>?
    }

    /// The result of a read from the buffer.
    fileprivate enum Taking {
        /// A piece, and whether the loop must be resumed because there is room again.
        case piece([UInt8], resumes: Bool)
        case end(Result<Void, any Error>)
        /// Nothing has arrived: the reader awaits this promise and then reads again.
        case wait(PipelinePromise<Void, any Error>)
    }

    /// The result of a call of libcurl, and the number of bytes that it read or wrote.
    typealias Progress = (code: Int, count: Int)

    /// `@unchecked Sendable` is safe because only code under the lock of `handle` uses the pointer.
    private struct Handle: @unchecked Sendable {
        let easy: OpaquePointer
    }

    let url: String
    private let engine: CurlEngine
    private let transport: CurlTransport
    private let state = Locked(State())
    /// libcurl's handle; `nil` before the connection is established, and after it was closed or a read failed. Its lock
    /// is held during calls of libcurl, so that one thread at a time uses it.
    private let handle = Locked<Handle?>(nil)

    /// Creates a connection that is not open yet.
    ///
    /// - Parameter transport: Kept alive as long as the connection is open, because its deinitialization shuts the
    ///   engine down.
    init(_ url: String, of engine: CurlEngine, keeping transport: CurlTransport) {
        self.url = url
        self.engine = engine
        self.transport = transport
    }
}

// The interface for tasks.
extension CurlConnection {
    var executor: (any TaskExecutor)? { engine }

    /// Opens the connection on the loop's thread. Cancelling the task closes it.
    func open() async throws {
        let opened = PipelinePromise<Void, any Error>()
        state.withLock { $0.opened = opened }
        opened.onCancel { self.close() }
        engine.submit(.connect(self))
        try await opened.value
    }

    var sentCount: Int64 {
        let queued = handle.withLock { handle in
            handle.map { cevents_unacknowledged(ccurl_active_socket($0.easy)) } ?? 0
        }
        return writtenCount - Int64(queued)
    }

    /// The number of bytes that the system has accepted.
    var writtenCount: Int64 { state.withLock { $0.writtenCount } }

    func read() async throws -> [UInt8]? {
        while true {
            if Task.isCancelled { throw ErrandError(.cancelled) }
            switch state.withLock({ $0.take() }) {
            case .piece(let piece, let resumes):
                if resumes { engine.submit(.attend(self)) }
                return piece
            case .end(let end):
                try end.get()
                return nil
            case .wait(let promise): try await promise.value
            }
        }
    }

    func startWriting(_ bytes: [UInt8]) throws -> PipelinePromise<Void, any Error>? {
        if bytes.isEmpty { return nil }
        try state.withLock { state throws(any Error) in try state.checkWritable() }
        let (code, count) = write(bytes, from: 0)
        guard code == CCURLE_OK || code == CCURLE_AGAIN else { throw URLError(.networkConnectionLost) }
        state.withLock { $0.writtenCount += Int64(count) }
        if count == bytes.count { return nil }
        // The loop writes the rest when the socket accepts more.
        let promise = PipelinePromise<Void, any Error>()
        try state.withLock { state throws(any Error) in
            try state.checkWritable()
            state.outgoing = (bytes, count, promise)
        }
        engine.submit(.attend(self))
        return promise
    }

    /// Closes the connection immediately. Received data can no longer be read.
    func close() {
        let isFirst = state.withLock { state in
            defer { state.isClosing = true }
            return !state.isClosing
        }
        guard isFirst else { return }
        end(.failure(URLError(.cancelled)))
        engine.submit(.attend(self))
    }
}

// The interface for the loop.
extension CurlConnection {
    var isClosing: Bool { state.withLock { $0.isClosing } }

    /// Returns whether the buffer accepts more data. If not, the connection counts as paused, and the reader resumes it
    /// when there is room again.
    func checkRoom() -> Bool {
        state.withLock { state in
            state.isPaused = state.count >= Self.bufferSize
            return !state.isPaused
        }
    }

    /// The bytes to write, and the number of those that were written.
    var outgoing: (bytes: [UInt8], written: Int)? { state.withLock { $0.outgoing.map { ($0.bytes, $0.written) } } }

    /// Reports that the connection is established.
    func connected(_ curlHandle: CurlHandle) {
        let established = Handle(easy: curlHandle.easy)
        handle.withLock { $0 = established }
        let opened = state.withLock { state in
            defer { state.opened = nil }
            return state.opened
        }
        opened?.resolve(with: .success(()))
    }

    /// Removes libcurl's handle. After this call, no task uses it.
    func releaseHandle() {
        handle.withLock { $0 = nil }
    }

    /// Reads what has arrived, without waiting.
    func read(into buffer: inout [UInt8]) -> Progress {
        handle.withLock { handle in
            guard let easy = handle?.easy else { return (Int(CCURLE_AGAIN), 0) }
            var count = 0
            let code = ccurl_receive(easy, &buffer, buffer.count, &count)
            return (Int(code), count)
        }
    }

    /// Writes as many of the bytes after an offset as the system accepts, without waiting.
    ///
    /// TLS requires that the next call continues with the same array, until it is written completely.
    func write(_ bytes: [UInt8], from start: Int) -> Progress {
        handle.withLock { handle in
            // Without a handle, the connection ends with a failure: ``State/checkWritable()`` throws it, or ``end(_:)``
            // fails the write.
            guard let easy = handle?.easy else { return (Int(CCURLE_AGAIN), 0) }
            var count = 0
            let code = bytes.withUnsafeBytes { bytes in
                ccurl_send(easy, bytes.baseAddress.map { $0 + start }, bytes.count - start, &count)
            }
            return (Int(code), count)
        }
    }

    /// Adds received bytes, and resumes the reader.
    func receive(_ piece: [UInt8]) {
        let reader = state.withLock { state in
            // Small pieces are joined. Otherwise a server that sends very small pieces could add them faster than the
            // reader takes them one by one.
            if let last = state.incoming.indices.last, state.incoming[last].count < 16_384 {
                state.incoming[last] += piece
            } else {
                state.incoming.append(piece)
            }
            state.count += piece.count
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resolve(with: .success(()))
    }

    /// Reports the number of bytes that have been written, of all those to write.
    func wrote(_ written: Int) {
        let promise = state.withLock { state -> PipelinePromise<Void, any Error>? in
            guard let outgoing = state.outgoing else { return nil }
            state.writtenCount += Int64(written - outgoing.written)
            guard written == outgoing.bytes.count else {
                state.outgoing?.written = written
                return nil
            }
            state.outgoing = nil
            return outgoing.promise
        }
        promise?.resolve(with: .success(()))
    }

    /// Reports that a write failed. Received data can still be read.
    func failWriting(_ error: any Error) {
        let promise = state.withLock { state in
            defer { state.outgoing = nil }
            return state.outgoing?.promise
        }
        promise?.resolve(with: .failure(error))
    }

    /// Ends the connection: no more data arrives. After a failure, nothing can be written either. The first failure
    /// counts, unless the connection is closed later.
    func end(_ end: Result<Void, any Error>) {
        let (opened, reader, writer) = state.withLock { state in
            let fails = if case .failure = end { true } else { false }
            let hasFailed = if case .failure = state.end { true } else { false }
            if !hasFailed || state.isClosing { state.end = end }
            defer {
                (state.opened, state.reader) = (nil, nil)
                if fails { state.outgoing = nil }
            }
            return (state.opened, state.reader, fails ? state.outgoing?.promise : nil)
        }
        // Even a proper end is a failure for a task that waits to be connected.
        let failure = end.flatMap { Result<Void, any Error>.failure(URLError(.networkConnectionLost)) }
        opened?.resolve(with: failure)
        reader?.resolve(with: .success(()))
        writer?.resolve(with: failure)
    }
}

extension CurlConnection.State {
    /// Throws an error if nothing can be written.
    fileprivate func checkWritable() throws {
        if case .failure(let error) = end { throw error }
        if isClosing { throw URLError(.cancelled) }
        // An earlier write whose task was cancelled has not ended, so the order of the bytes would be wrong.
        if outgoing != nil { throw URLError(.networkConnectionLost) }
    }

    fileprivate mutating func take() -> CurlConnection.Taking {
        if isClosing { return .end(.failure(URLError(.cancelled))) }
        guard !incoming.isEmpty else {
            if let end { return .end(end) }
            let promise = PipelinePromise<Void, any Error>()
            reader = promise
            return .wait(promise)
        }
        let piece = incoming.removeFirst()
        count -= piece.count
        let resumes = isPaused && count <= CurlConnection.bufferSize / 2
        if resumes { isPaused = false }
        return .piece(piece, resumes: resumes)
    }
}

extension CurlTransport: ByteTransport {
    package func connect(to url: URL) async throws -> any ByteConnection {
        // To connect, libcurl needs only the scheme, the host and the port.
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { throw URLError(.badURL) }
        components.user = nil
        components.password = nil
        components.query = nil
        components.fragment = nil
        components.path = "/"
        guard let text = components.string else { throw URLError(.badURL) }
        let connection = CurlConnection(text, of: engines.ofCurrentThread, keeping: self)
        do { try await connection.open() } catch {
            connection.close()
            throw error
        }
        return connection
    }
}
#endif
