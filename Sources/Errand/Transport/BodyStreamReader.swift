import Dispatch

/// Reads a whole stream, for transports that cannot send one piece by piece.
enum BodyStreamReader {
    /// A thread of its own to block: the ones that run tasks must not be.
    private static let queue = DispatchQueue(label: "Errand.BodyStreamReader", attributes: .concurrent)
    private static let chunkSize = 65_536

    /// Opens the stream, reads it to its end and closes it.
    ///
    /// Cancelling ends the wait at once; a read that blocks goes on until the stream gives way.
    ///
    /// - Throws: ``ErrandError`` with `bodyCountMismatch` when the stream has more or fewer bytes than `count`, with
    ///   `bodyEncodingFailed` when it cannot be read, with `cancelled`.
    static func contents(of stream: InputStream, count: Int?) async throws -> Data {
        // The stream was claimed for this request, so nobody else touches it.
        nonisolated(unsafe) let stream = stream
        let promise = Promise<Data, any Error>()
        let isCancelled = Locked(false)
        promise.onCancel { isCancelled.withLock { $0 = true } }
        queue.async {
            promise.resolve(
                with: Result {
                    try read(stream, count: count) { isCancelled.withLock { $0 } }
                })
        }
        return try await promise.value
    }

    private static func read(_ stream: InputStream, count: Int?, isCancelled: () -> Bool) throws -> Data {
        stream.open()
        defer { stream.close() }
        var contents = Data()
        var chunk = [UInt8](repeating: 0, count: chunkSize)
        while !isCancelled() {
            let read = stream.read(&chunk, maxLength: chunk.count)
            guard read >= 0 else {
                throw ErrandError(
                    .bodyEncodingFailed, reason: "the stream cannot be read", underlyingError: stream.streamError)
            }
            contents.append(contentsOf: chunk[..<read])
            if read == 0 || contents.count > count ?? Int.max { break }
        }
        guard count == nil || contents.count == count else {
            let comparison = contents.count > count ?? 0 ? "more" : "only \(contents.count)"
            throw ErrandError(
                .bodyCountMismatch, reason: "the stream should have \(count ?? 0) bytes and has \(comparison)")
        }
        return contents
    }
}
