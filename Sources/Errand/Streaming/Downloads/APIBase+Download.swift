extension APIBase {
    /// Builds the request with all its settings, for a download into a file. A leaf that downloads returns the result
    /// from its ``Request/start()``.
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
    /// The download is written to a file beside the target. When it is complete, it replaces the target in one step, so
    /// that a partial file is never visible. The target's previous content stays until then.
    ///
    /// A download keeps the bytes that it has received when it fails, when it is cancelled, and when its process ends.
    /// The next run of the same request to the same target then requests only the rest. This requires that the server
    /// sends a strong validator (RFC 9110, section 8.8.1) and that the file has not changed. Within one run, an
    /// interrupted download resumes as often as ``retryPolicy`` allows. The attempts are counted from the beginning
    /// again whenever the file has grown.
    ///
    /// The file is verified against `Repr-Digest` and `Content-Digest` (RFC 9530) if the server sends them.
    /// ``downloadProgress`` counts the whole file, and ``resourceTimeout`` bounds the whole run. ``maximumBodySize``
    /// does not apply.
    ///
    /// - Parameters:
    ///   - target: The URL of a file in an existing directory.
    ///   - digest: The expected digest of the file, if it is known from another source. A file with a different digest
    ///     is removed.
    /// - Returns: A cold pipeline: each run is a download. It fails with an ``ErrandError``. In addition to the errors
    ///   of other requests, it may have the code `invalidDownloadTarget`, `downloadInProgress`,
    ///   `insufficientDiskSpace`, `fileAccessFailed`, `invalidContentRange` or `digestMismatch`.
    public final func sendDownload(
        to target: URL, digest: FileDigest? = nil
    ) -> Pipeline<DownloadedFile, any Error> {
        reporting { sendDownload(to: target, digest: digest, disk: .system).mapError(failureConversion) }
    }

    final func sendDownload(
        to target: URL, digest: FileDigest? = nil, disk: DownloadDisk
    ) -> Pipeline<DownloadedFile, any Error> {
        let (stream, settings) = startingOnce {
            (starting(with: \.kind, .download) { sendStream() }, resolvedSettings())
        }
        let policy = settings.value.retryPolicy
        let download = Download(
            stream: stream, request: request, target: target, digest: digest, policy: policy,
            progress: downloadProgress,
            disk: disk)
        let pipeline = Pipeline { () async throws(any Error) in try await download.run() }
        guard let limit = settings.value.resourceTimeout else { return pipeline }
        let request = request
        let failure = ErrandError(.timedOut, reason: "the download took longer than \(limit.secondsText)")
        return pipeline.timeout(
            limit, clock: policy?.clock ?? ContinuousClock(),
            failure: request.map { failure.with(request: $0) } ?? failure)
    }
}
