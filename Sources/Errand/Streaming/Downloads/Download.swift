/// A download, which may run several times: the request, the target and the rules.
struct Download: Sendable {
    /// The responses: each opening sends the request, for the whole file or for the rest of it.
    let stream: ResponseStream
    /// The request as it was built; `nil` if it could not be built.
    let request: URLRequest?
    let target: URL
    /// The file's digest that the caller expects.
    let digest: FileDigest?
    /// The rules for resuming an interrupted download within a run; `nil` if an interruption ends the run.
    let policy: RetryPolicy?
    let progress: TransferProgress
    /// The system calls, which tests replace.
    var disk = DownloadDisk.system
    /// The targets that this process's downloads write to. A run claims its target, so that no other run writes to it.
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

    /// Returns the error with the request, if it was built.
    private func describing(_ error: ErrandError) -> ErrandError {
        request.map { error.with(request: $0) } ?? error
    }

    private func load() async throws -> DownloadedFile {
        // Until `beginRun()`, this progress belongs to no run. A run that fails before that does not end the progress
        // of another run of the same request.
        var progress = progress
        defer { progress.end() }
        // If the request could not be built, its stream throws the reason, before a file is created.
        if request == nil { _ = try await stream.open() }
        let paths = try DownloadPaths(target)
        try await claims.take(paths.target.path)
        progress = progress.beginRun()
        let file = DownloadFile(paths, key: key, disk: disk, claims: claims)
        do {
            let result = try await withCancellationHandler {
                var run = DownloadRun(self, file, try await file.open(), progress)
                return try await run.load()
            } onCancel: {
                // A download that begins now waits for the end of this one, instead of failing.
                claims.leave(paths.target.path)
            }
            file.close()
            return result
        } catch {
            file.close()
            // The error is thrown after the file is closed, and removed if no run can resume it. A cancelled task does
            // not wait for that.
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

/// A complete, downloaded file at its target.
public struct DownloadedFile: Sendable {
    /// The URL of the file: the target.
    public let url: URL
    /// The length of the file in bytes.
    public let byteCount: Int64
    /// The number of bytes that an earlier run downloaded and that were not fetched again.
    public let resumedByteCount: Int64
    /// The digests that the file was compared with: the caller's and the server's. It is empty if there was none.
    public let verifiedDigests: [FileDigest]
    /// The status of the last response: 200 or 203 for a whole file, 206 for the rest of one, or 416 if the file was
    /// already complete.
    public let statusCode: Int
    /// The header fields of the last response.
    public let headers: HeaderFields
    /// The URL of the last response: that of the request, or the target of the last redirect.
    public let responseURL: URL?
}

extension DownloadedFile {
    /// The file name that the server suggests, sanitized so that it is safe to use.
    ///
    /// It is the file name in `Content-Disposition` (RFC 6266), otherwise the last path component of the URL; `nil` if
    /// there is neither.
    ///
    /// ```swift
    /// let file = try await BookDownload(id: 7, to: temporary).start().value
    /// let target = folder.appendingPathComponent(file.suggestedFilename ?? "book")
    /// ```
    public var suggestedFilename: String? {
        headers.contentDisposition?.filename
            ?? responseURL.flatMap { ContentDisposition(filename: $0.lastPathComponent).filename }
    }
}

extension DownloadedFile: Confidential {
    /// The name of the file and its size.
    public var description: String { "\(url.lastPathComponent) (\(byteCount) bytes)" }
}

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
    /// A download keeps the bytes that it has received when it is interrupted or cancelled, and when its process ends.
    /// The next run of the same request to the same target then requests only the rest. This requires a GET, a response
    /// with a strong validator (RFC 9110, section 8.8.1) and without a content coding, that the file has not changed,
    /// and that the system has not been restarted. Within one run, an interrupted download resumes as often as
    /// ``retryPolicy`` allows. The attempts are counted from the beginning again whenever the file has grown.
    ///
    /// The file is verified against `Repr-Digest` and `Content-Digest` (RFC 9530) if the server sends them.
    /// ``downloadProgress`` counts the whole file, and ``resourceTimeout`` bounds the whole run. ``maximumBodySize``
    /// does not apply.
    ///
    /// - Parameters:
    ///   - target: The URL of a file in an existing directory.
    ///   - digest: The expected digest of the file, if it is known from another source. A file with a different digest
    ///     is removed.
    /// - Returns: A cold pipeline: each run is a download. It fails with an ``ErrandError``, which ``mapError(_:)``
    ///   converts. In addition to the errors of other requests, it may have the code `invalidDownloadTarget`,
    ///   `downloadInProgress`, `insufficientDiskSpace`, `fileAccessFailed`, `invalidContentRange` or `digestMismatch`.
    public final func sendDownload(
        to target: URL, digest: FileDigest? = nil
    ) -> Pipeline<DownloadedFile, any Error> {
        sendDownload(to: target, digest: digest, of: nil)
    }

    /// Builds the download of an endpoint, or of this object without one.
    final func sendDownload(
        to target: URL, digest: FileDigest?, of endpoint: Endpoint<DataResponse>?, disk: DownloadDisk = .system
    ) -> Pipeline<DownloadedFile, any Error> {
        reporting {
            let start = Start(.download, of: self, endpoint: endpoint)
            return download(start, to: target, digest: digest, disk: disk).mapError(start.conversion)
        }
        .pipeline
    }

    /// Builds the download, without the report to the hook and the conversion of its failures.
    private func download(
        _ start: Start, to target: URL, digest: FileDigest?, disk: DownloadDisk
    ) -> Pipeline<DownloadedFile, any Error> {
        // A download decides by the original error whether it resumes, so the stream does not convert errors.
        let stream = ResponseStream(pipeline(of: start), of: start.service?.value)
        let settings = start.report?.settings ?? resolvedSettings().values
        let policy = settings.retryPolicy
        let download = Download(
            stream: stream, request: request, target: target, digest: digest, policy: policy,
            progress: downloadProgress, disk: disk)
        let pipeline = Pipeline { () async throws(any Error) in try await download.run() }
        // The transport applies this limit to each request of the download. Here it applies to the whole run.
        guard let limit = settings.resourceTimeout else { return pipeline }
        let request = request
        let failure = ErrandError(.timedOut, reason: "the download took longer than \(limit.secondsText)")
        return pipeline.timeout(
            limit, clock: policy?.clock ?? ContinuousClock(),
            failure: request.map { failure.with(request: $0) } ?? failure)
    }
}

extension EndpointRequest {
    /// Builds the request for a service, for a download into a file, as ``APIBase/sendDownload(to:digest:)`` does for a
    /// class.
    ///
    /// The endpoint's output is not used. The returned value has the progress of the download.
    ///
    /// - Parameters:
    ///   - target: The URL of a file in an existing directory.
    ///   - digest: The expected digest of the file, if it is known from another source.
    ///   - service: The destination of the request, and the settings it is sent with.
    /// - Returns: The download, which runs once for all tasks that wait.
    public func scheduleDownload<Failure>(
        to target: URL, digest: FileDigest? = nil, with service: APIService<Failure>
    ) -> ScheduledRequest<DownloadedFile, Failure> {
        let (api, endpoint) = (APIBase(), typedEndpoint)
        let start = {
            api.pipeline(for: service, server: endpoint.server) {
                api.sendDownload(to: target, digest: digest, of: endpoint.undecoded)
            }
        }
        return api.scheduled(start, mapError: { service.failure($0) })
    }

    /// Builds a request that needs no service, for a download into a file; see ``schedule(stub:)``.
    public func scheduleDownload(
        to target: URL, digest: FileDigest? = nil
    ) -> ScheduledRequest<DownloadedFile, any Error> {
        let api = APIBase()
        let start = { api.sendDownload(to: target, digest: digest, of: typedEndpoint.undecoded) }
        return api.scheduled(start, mapError: { $0 })
    }
}
