import Errand

/// Large bodies, streamed either way.
enum TransferLoad {
    /// Streams a body and drops it.
    static func download(_ url: URL) async throws -> Int {
        var request = TransportRequest(URLRequest(url: url))
        request.streamsResponse = true
        let response = try await CurlTransport.shared.send(request)
        var bytes = 0
        for try await piece in response.body { bytes += piece.count }
        return bytes
    }

    /// Streams a body out, piece by piece.
    static func upload(_ bytes: Int, to url: URL) async throws -> Int {
        let request = BenchUpload()
        request.baseURL = url
        request.method = .put
        request.body = .stream(BodyStream(Zeros(count: bytes), count: bytes))
        return Int(try await request.sendRequest().value.metrics?.bytesSent ?? 0)
    }

    private final class BenchUpload: APIBase {}

    /// So many zeros, 64 KiB at a time.
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
