import Errand
import TestSupport
import Testing

@Suite(.interop(.moto), .hangGuard) struct `Object storage: transfers` {
    private let content = Data.numbered(3 << 20)

    @Test func `an uploaded file reports its progress`() async throws {
        let bucket = try await Moto.bucket()
        let file = try TemporaryFile(content, pathExtension: "pdf")
        let request = PutObject("file", .file(file.url), in: bucket)
        let watching = Task { [progress = request.uploadProgress] in
            var last: TransferProgress.Snapshot?
            for await snapshot in progress { last = snapshot }
            return last
        }
        _ = try await request.start().value
        let last = await watching.value
        #expect(last?.completed == Int64(content.count))
        #expect(last?.total == Int64(content.count))
        let metadata = try await HeadObject("file", in: bucket).start().value
        #expect(metadata.byteCount == content.count)
        #expect(metadata.contentType == .pdf)
    }

    @Test func `an object is streamed`() async throws {
        let bucket = try await Moto.bucket()
        _ = try await PutObject("film", .data(content), in: bucket).start().value
        var received = Data()
        for try await piece in StreamObject("film", in: bucket).startStream() { received += piece }
        #expect(received == content)
        await expectRefusal(.noSuchKey) {
            for try await _ in StreamObject("nothing", in: bucket).startStream() {}
        }
    }

    @Test func `an object is downloaded to disk and verified by its digest`() async throws {
        let bucket = try await Moto.bucket()
        _ = try await PutObject("film", .data(content), in: bucket).start().value
        let directory = try TemporaryDirectory()
        let target = directory.url.appendingPathComponent("film")
        let digest = FileDigest(.sha256, of: content)
        let file = try await DownloadObject("film", to: target, digest: digest, in: bucket).start().value
        #expect(file.verifiedDigests == [digest])
        #expect(try Data(contentsOf: target) == content)
        let other = directory.url.appendingPathComponent("other")
        let wrong = FileDigest(.sha256, of: Data())
        await expectFailure(.digestMismatch) {
            try await DownloadObject("film", to: other, digest: wrong, in: bucket).start().value
        }
        #expect(!FileManager.default.fileExists(atPath: other.path))
        await expectRefusal(.noSuchKey) {
            try await DownloadObject("nothing", to: other, in: bucket).start().value
        }
    }

    @Test func `an interrupted download of an object is resumed`() async throws {
        var bucket = try await Moto.bucket()
        _ = try await PutObject("film", .data(content), in: bucket).start().value
        bucket.session = BreakingTransport(CurlTransport.direct(), after: 1_000_000)
        bucket.retryPolicy = .immediate
        let directory = try TemporaryDirectory()
        let target = directory.url.appendingPathComponent("film")
        let file = try await DownloadObject("film", to: target, in: bucket).start().value
        #expect(file.statusCode == 206)
        #expect(file.byteCount == Int64(content.count))
        #expect(try Data(contentsOf: target) == content)
    }

    @Test func `an upload that ends too early stores nothing`() async throws {
        let bucket = try await Moto.bucket()
        let pieces = AsyncStream<Data> { continuation in
            continuation.yield(Data(count: 100_000))
            continuation.finish()
        }
        let body = RequestBody.stream(BodyStream(pieces, count: 200_000))
        await expectFailure(.bodyCountMismatch) { try await PutObject("half", body, in: bucket).start().value }
        await expectRefusal(.noSuchKey) { try await GetObject("half", in: bucket).start().value }
    }

    @Test func `a cancelled upload stores nothing`() async throws {
        let bucket = try await Moto.bucket()
        let (pieces, more) = AsyncStream.makeStream(of: Data.self)
        let request = PutObject("half", .stream(BodyStream(pieces, count: 2 << 20)), in: bucket)
        let pipeline = request.start()
        let sending = Task { try await pipeline.value }
        more.yield(Data(count: 1 << 20))
        for await snapshot in request.uploadProgress where snapshot.completed > 0 { break }
        sending.cancel()
        await expectFailure(.cancelled) { try await sending.value }
        more.finish()
        await expectRefusal(.noSuchKey) { try await GetObject("half", in: bucket).start().value }
    }
}

/// A transport that loses its first connection in the middle of the response.
private final class BreakingTransport: Transport {
    private let transport: any Transport
    /// The number of bytes before the loss; `nil` once it has happened.
    private let limit: Locked<Int?>

    init(_ transport: any Transport, after limit: Int) {
        self.transport = transport
        self.limit = Locked(limit)
    }

    func send(_ request: TransportRequest) async throws -> DataResponse {
        let response = try await transport.send(request)
        guard response.body.isStreamed else { return response }
        let limit = limit.withLock { limit in
            defer { limit = nil }
            return limit
        }
        guard let limit else { return response }
        let count = Locked(0)
        let body = ResponseBody {
            guard count.withLock({ $0 < limit }) else { throw URLError(.networkConnectionLost) }
            var reading = response.body.makeAsyncIterator()
            let piece = try await reading.next()
            count.withLock { $0 += piece?.count ?? 0 }
            return piece
        }
        return DataResponse(statusCode: response.statusCode, headers: response.headers, url: response.url, body: body)
    }
}
