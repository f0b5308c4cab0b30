/// One download, as often as it is run: what asks for the file, and where it goes.
struct Download: Sendable {
    let stream: ResponseStream
    /// The request, as it was built; nil where it could not be.
    let request: URLRequest?
    let target: URL
    /// What the caller says that the file hashes to.
    let digest: FileDigest?
    /// Whether, and when, a download goes on that broke off.
    let policy: RetryPolicy?
    let progress: TransferProgress
    /// The retry of a pipeline in which this was made, whose tries each make a download of their own.
    private let home = RetryScope.current
    var disk = DownloadDisk.system
    var claims = DownloadClaims.shared

    /// Loads the file.
    func run() async throws -> DownloadedFile {
        let scope = RetryScope.outermost(inside: home)
        do {
            // The sendings of all its parts are counted together.
            return try await RetryScope.run { _ in try await load(endingIn: scope) }
        } catch let error where error.isCancellation {
            throw describing(ErrandError(.cancelled))
        } catch {
            throw describing(ErrandError(transportFailure: error))
        }
    }

    private func describing(_ error: ErrandError) -> ErrandError {
        request.map { error.with(request: $0) } ?? error
    }

    /// - Parameter scope: The retry with whose last try the progress ends.
    private func load(endingIn scope: RetryScope?) async throws -> DownloadedFile {
        // One that does not come to load the file ends no progress of another run of the request that does.
        var progress = progress
        defer {
            if let scope { scope.whenOver(progress.owner) { [progress] in progress.end() } } else { progress.end() }
        }
        // What is no request fails as it does elsewhere, before there is a file.
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

    /// What tells this file from others that were asked for with the same target: the method, the URL, and what chooses
    /// between its representations.
    private var key: String {
        let fields = ["Accept", "Accept-Language"].map { request?.value(forHTTPHeaderField: $0) ?? "" }
        return SHA256.hexDigest(
            texts: ["download", request?.httpMethod ?? "GET", request?.url?.absoluteString ?? ""] + fields)
    }
}
