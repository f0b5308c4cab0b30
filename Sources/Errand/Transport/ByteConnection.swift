/// A byte connection, including its TLS and proxies, over which a protocol runs.
///
/// Its owner must close it, since the transport may keep it as long as it is open.
package protocol ByteConnection: Sendable {
    /// Returns the next bytes that arrive; `nil` after the peer has closed the connection properly. Supports one reader
    /// at a time.
    ///
    /// The connection buffers unread data only up to a limit; then the peer must wait.
    ///
    /// - Throws: A `URLError`; an ``ErrandError`` with `cancelled` as soon as the calling task is cancelled.
    func read() async throws -> [UInt8]?

    /// Starts to write all bytes and returns without waiting. The next write must begin after this one has ended.
    ///
    /// - Returns: The promise for the end of the write; `nil` if the system has already accepted all bytes.
    /// - Throws: The same errors as ``read()``, as does the promise. After an error, the number of written bytes is
    ///   unknown, and nothing more can be written.
    func startWriting(_ bytes: [UInt8]) throws -> PipelinePromise<Void, any Error>?

    /// The number of written bytes that have left this system: those that the peer's system has acknowledged, as far as
    /// that is known; 0 if it is unknown.
    var sentCount: Int64 { get }

    /// The executor of the connection's own thread; `nil` for none. A reader that runs on it does not change threads.
    var executor: (any TaskExecutor)? { get }

    /// Closes the connection immediately. Pending reads and writes fail. Later calls have no effect.
    func close()
}

extension ByteConnection {
    package var sentCount: Int64 { 0 }

    package var executor: (any TaskExecutor)? { nil }

    /// Writes all bytes, and returns after the system has accepted them. Supports one writer at a time.
    ///
    /// - Throws: The same errors as ``read()``. After an error, the number of written bytes is unknown, and nothing
    ///   more can be written.
    package func write(_ bytes: [UInt8]) async throws {
        if Task.isCancelled { throw ErrandError(.cancelled) }
        try await startWriting(bytes)?.value
    }
}

/// A transport that can also open byte connections, with its own proxies, names and TLS settings.
package protocol ByteTransport: Transport {
    /// Opens a byte connection to the host of a URL. It does not count toward the connection limits.
    ///
    /// - Throws: The errors of ``Transport/send(_:)``.
    func connect(to url: URL) async throws -> any ByteConnection
}
