extension APIBase {
    /// The request with everything that applies to it, and its answer as a file: what the ``Request/start()`` of a leaf
    /// returns that downloads.
    ///
    /// ```swift
    /// final class ArchiveRequest: LibraryAPI, Request {
    ///     let target: URL
    ///     // …
    ///     func start() -> Pipeline<DownloadedFile, any Error> {
    ///         sendDownload(to: target)
    ///     }
    /// }
    /// ```
    ///
    /// The file is written beside the target, and put in its place when it is whole, so that nobody sees half of it; what
    /// was there before stays until then. A download that fails, is cancelled, or whose process is killed, leaves what it
    /// has, and the next run of the same request to the same target asks for the rest alone, where the server has a strong
    /// validator (RFC 9110, section 8.8.1) and the file did not change since. Within one run it goes on by itself as
    /// often as ``retryPolicy`` says, whose attempts begin anew whenever the file has grown.
    ///
    /// What was sent as `Repr-Digest` or `Content-Digest` (RFC 9530) is compared with what came. ``downloadProgress``
    /// counts the whole file, ``resourceTimeout`` bounds the whole run, and ``maximumBodySize`` nothing.
    ///
    /// - Parameters:
    ///   - target: The URL of a file, in a directory that is there.
    ///   - digest: What the file hashes to, where that is known from somewhere else; one that does not is removed.
    /// - Returns: A cold pipeline: each run is a download. It fails with an ``ErrandError``: besides those of other requests,
    ///   with `invalidDownloadTarget`, `downloadInProgress`, `insufficientDiskSpace`, `fileAccessFailed`,
    ///   `invalidContentRange` or `digestMismatch`.
    public final func sendDownload(
        to target: URL, digest: FileDigest? = nil
    ) -> Pipeline<DownloadedFile, any Error> {
        let api: APIBase.Type = type(of: self)
        return sendDownload(to: target, digest: digest, disk: .system).mapError { api.mapError($0) }
    }

    final func sendDownload(
        to target: URL, digest: FileDigest? = nil, disk: DownloadDisk
    ) -> Pipeline<DownloadedFile, any Error> {
        let stream = starting(as: .download) { sendStream() }
        let settings = try? resolvedSettings()
        let policy = settings?.retryPolicy
        let download = Download(
            stream: stream, request: request, target: target, digest: digest, policy: policy,
            progress: downloadProgress,
            disk: disk)
        let pipeline = Pipeline { () async throws(any Error) in try await download.run() }
        guard let limit = settings?.terms.resourceTimeout ?? resourceTimeout else { return pipeline }
        let request = request
        let failure = ErrandError(.timedOut, reason: "the download took longer than \(limit.secondsText)")
        return pipeline.timeout(
            limit, clock: policy?.clock ?? ContinuousClock(),
            failure: request.map { failure.with(request: $0) } ?? failure)
    }
}
