import Errand
import ErrandResilience
import TestSupport
import Testing

/// The samples of the guide to downloads and uploads.
@Suite(.hangGuard) struct `The guide to downloads` {
    class LibraryAPI: APIBase {
        private static let limit = ConcurrencyLimit(3)

        override init() {
            super.init()
            baseURL = URL(string: "https://library.example.com")
            interceptors = [Self.limit]
        }
    }

    final class ArchiveRequest: LibraryAPI, Request {
        let target: URL

        init(year: Int, to target: URL) {
            self.target = target
            super.init()
            path = "/archives/\(year)"
            retryPolicy = .exponential(base: .milliseconds(500), maximumAttempts: 5)
        }

        func start() -> Pipeline<DownloadedFile, any Error> {
            sendDownload(to: target)
        }
    }

    final class VerifiedRequest: LibraryAPI, Request {
        let target: URL
        let digest: FileDigest

        init(to target: URL, digest: FileDigest) {
            self.target = target
            self.digest = digest
            super.init()
        }

        func start() -> Pipeline<DownloadedFile, any Error> {
            sendDownload(to: target, digest: digest)
        }
    }

    final class StoreRequest: LibraryAPI, Request {
        init(_ file: URL) {
            super.init()
            method = .put
            path = "/archives/\(file.lastPathComponent)"
            body = .file(file)
        }

        func start() -> Pipeline<DataResponse, any Error> {
            sendRequest().validateStatusCode(in: 200..<300)
        }
    }

    private let file = try? TemporaryFile()
    private var target: URL { file?.url ?? URL(fileURLWithPath: "/dev/null/none") }

    /// Compiled but not run, because these would send requests to a real host.
    func download() async throws {
        let file = try await ArchiveRequest(year: 2026, to: target).start().value
        print(file.byteCount, file.resumedByteCount)
    }

    func watch() async throws -> DownloadedFile {
        let request = ArchiveRequest(year: 2026, to: target)
        let watching = Task { [progress = request.downloadProgress] in
            for await now in progress.measured() {
                print(now.snapshot.fractionCompleted ?? 0, now.throughput ?? 0, now.estimatedTimeRemaining ?? .zero)
            }
        }
        let file = try await request.start().value
        watching.cancel()
        return file
    }

    @Test func `the guide: a download is stubbed`() async throws {
        let request = ArchiveRequest(year: 2026, to: target)
        request.dataTaskPipeline = request.stubStream(["the first half, ", "the second half"])
        let file = try await request.start().value
        #expect(file.byteCount == 31)
        #expect(file.resumedByteCount == 0)
        #expect(request.request?.url?.path == "/archives/2026")
    }

    @Test func `the guide: a digest is verified`() async throws {
        let digest = try FileDigest(.sha256, hex: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        let request = VerifiedRequest(to: target, digest: digest)
        request.dataTaskPipeline = request.stubStream(["a", "bc"])
        #expect(try await request.start().value.verifiedDigests == [digest])
    }

    @Test func `the guide: the progress is shown`() async throws {
        let lines = Recorder<Double>()
        let request = ArchiveRequest(year: 2026, to: target)
        request.dataTaskPipeline = request.stubStream(headers: ["Content-Length": "3"], ["a", "bc"])
        let watching = Task { [progress = request.downloadProgress] in
            for await now in progress.measured() {
                lines.record(now.snapshot.fractionCompleted ?? 0)
            }
        }
        _ = try await request.start().value
        await watching.value
        #expect(lines.elements.last == 1)
    }

    @Test func `the guide: many files are downloaded concurrently`() async throws {
        let folder = try DownloadFolder()
        let pipelines = (2020..<2026).map { year in
            let request = ArchiveRequest(year: year, to: folder.url.appendingPathComponent("\(year)"))
            request.dataTaskPipeline = request.stubStream(["abc"])
            return request.start()
        }
        let files = try await withThrowingTaskGroup(of: DownloadedFile.self) { group in
            for pipeline in pipelines { group.addTask { try await pipeline.value } }
            var files: [DownloadedFile] = []
            for try await file in group { files.append(file) }
            return files
        }
        #expect(files.count == 6)
        #expect(try folder.names.count == 6)
    }

    @Test func `the guide: a file is uploaded`() async throws {
        let request = StoreRequest(target)
        request.dataTaskPipeline = request.stubResponse(statusCode: 201)
        #expect(try await request.start().value.statusCode == 201)
        #expect(request.request?.url?.lastPathComponent == target.lastPathComponent)
    }
}
