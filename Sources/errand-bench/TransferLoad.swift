import Errand

/// Downloads and uploads of large bodies as streams.
enum TransferLoad {
    /// Streams a response body as a program's request does, and discards the data.
    static func download(_ url: URL) async throws -> Int {
        let request = BenchTransfer()
        request.baseURL = url
        var bytes = 0
        for try await piece in request.sendStream() { bytes += piece.count }
        return bytes
    }

    /// Streams a request body, piece by piece.
    static func upload(_ bytes: Int, to url: URL) async throws -> Int {
        let request = BenchTransfer()
        request.baseURL = url
        request.method = .put
        request.body = .stream(BodyStream(Zeros(count: bytes), count: bytes))
        return Int(try await request.sendRequest().value.metrics?.bytesSent ?? 0)
    }

    private final class BenchTransfer: APIBase {}

    /// A body of `count` zero bytes, in pieces of 64 KiB.
    private struct Zeros: AsyncSequence, Sendable {
        let count: Int

        struct AsyncIterator: AsyncIteratorProtocol {
            var left: Int

            mutating func next() async -> Data? {
                guard left > 0 else { return nil }
                let piece = Data(count: Swift.min(left, 65_536))
                left -= piece.count
                return piece
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(left: count) }
    }
}
