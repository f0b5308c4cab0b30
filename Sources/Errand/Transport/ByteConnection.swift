/// A connection as bytes, TLS and proxies behind it: what the protocol is spoken over.
///
/// Letting go of it closes it.
package protocol ByteConnection: Sendable {
    /// The next bytes, as they come; nil when the other side has ended the connection in order. For one reader at a time.
    ///
    /// What is not asked for is not read beyond a bound, so that the other side has to wait.
    ///
    /// - Throws: A `URLError`; ``ErrandError`` with `cancelled` as soon as the calling task is cancelled.
    func read() async throws -> [UInt8]?

    /// Writes all of it, and returns when the system has taken it. For one writer at a time.
    ///
    /// - Throws: As ``read()`` does. When it throws, how much was written is not known.
    func write(_ bytes: [UInt8]) async throws

    /// Closes the connection at once: whoever reads or writes fails. To close again does nothing.
    func close()
}
