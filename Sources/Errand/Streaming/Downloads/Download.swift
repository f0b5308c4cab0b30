/// A download, which may run several times: the request, the target and the rules.
struct Download: Sendable {
    let stream: ResponseStream
    /// The request as it was built; `nil` if it could not be built.
    let request: URLRequest?
    let target: URL
    /// The file's digest that the caller expects.
    let digest: FileDigest?
    /// The rules for resuming an interrupted download; `nil` if it is not resumed.
    let policy: RetryPolicy?
    let progress: TransferProgress
    var disk = DownloadDisk.system
    var claims = DownloadClaims.shared

    /// Downloads the file.
    func run() async throws -> DownloadedFile {
        do {
            return try await load()
        } catch let error where error.isCancellation {
            throw describing(ErrandError(.cancelled))
        } catch {
            throw describing(ErrandError(transportFailure: error))
        }
    }

    private func describing(_ error: ErrandError) -> ErrandError {
        request.map { error.with(request: $0) } ?? error
    }

    private func load() async throws -> DownloadedFile {
        // A run that fails before it downloads must not end the progress of another run of the same request.
        var progress = progress
        defer { progress.end() }
        // An invalid request fails as it does elsewhere, before a file is created.
        if request == nil { _ = try await stream.open() }
        let paths = try DownloadPaths(target)
        try await claims.take(paths.target.path)
        progress = progress.beginRun()
        let file = DownloadFile(paths, key: key, disk: disk, claims: claims)
        do {
            var run = DownloadRun(self, file, try await file.open(), progress)
            let result = try await run.load()
            file.close()
            return result
        } catch {
            file.close()
            await file.waitUntilClosed()
            throw error
        }
    }

    /// The digest that distinguishes this file from others with the same target. It covers the method, the URL, and the
    /// header fields that select the representation.
    private var key: String {
        let fields = ["Accept", "Accept-Language"].map { request?.value(forHTTPHeaderField: $0) ?? "" }
        return SHA256.hexDigest(
            texts: ["download", request?.httpMethod ?? "GET", request?.url?.absoluteString ?? ""] + fields)
    }
}
