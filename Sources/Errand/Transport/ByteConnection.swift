/// A byte connection, including its TLS and proxies, over which a protocol runs.
///
/// Releasing the connection closes it.
package protocol ByteConnection: Sendable {
    /// Returns the next bytes that arrive; `nil` after the peer has closed the connection properly. Supports one reader
    /// at a time.
    ///
    /// The connection buffers unread data only up to a limit; then the peer must wait.
    ///
    /// - Throws: A `URLError`; an ``ErrandError`` with `cancelled` as soon as the calling task is cancelled.
    func read() async throws -> [UInt8]?

    /// Writes all bytes, and returns after the system has accepted them. Supports one writer at a time.
    ///
    /// - Throws: The same errors as ``read()``. After an error, the number of written bytes is unknown.
    func write(_ bytes: [UInt8]) async throws

    /// Closes the connection immediately. Pending reads and writes fail. Later calls have no effect.
    func close()
}
