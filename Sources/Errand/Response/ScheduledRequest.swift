import Synchronization

/// The response to a scheduled request, which is sent once for all tasks that wait for it.
///
/// ```swift
/// let response = UsersRequest().schedule()
/// async let names = response.value.map(\.name)
/// async let count = response.value.count
/// ```
///
/// Nothing is sent until a task waits. Tasks that wait later receive the stored outcome. Cancelling a waiting task does
/// not affect the others. Cancelling the last one cancels the request; a task that waits after that sends the request
/// again.
public struct ScheduledRequest<Output: Sendable, Failure: Error>: Sendable {
    /// The shared run as a pipeline, for operators. Operators on it run for each waiting task, but the request is sent
    /// once.
    public let pipeline: Pipeline<Output, Failure>
    /// The progress of the request body, as ``APIBase/uploadProgress``.
    ///
    /// ```swift
    /// let response = CoverUpload(image).schedule(with: library)
    /// let watching = Task { for await sent in response.uploadProgress { print(sent.completed) } }
    /// let cover = try await response.value
    /// ```
    public let uploadProgress: TransferProgress
    /// The progress of the response body, as ``APIBase/downloadProgress``.
    public let downloadProgress: TransferProgress
    /// The head of the latest response to the request; `nil` for a pipeline that was not started as a request.
    let latest: LatestHead?

    /// - Parameters:
    ///   - upload: The progress of the request body.
    ///   - download: The progress of the response body.
    ///   - latest: The head of the latest response to the request.
    ///   - mapError: A closure that converts a failure. It is called for each waiting task.
    init<Cause: Error>(
        _ pipeline: Pipeline<Output, Cause>, upload: TransferProgress, download: TransferProgress,
        latest: LatestHead?, mapError: @escaping @Sendable (Cause) -> Failure
    ) {
        uploadProgress = upload
        downloadProgress = download
        self.latest = latest
        self.pipeline = pipeline.share().mapError(mapError)
    }

    /// Creates the response to any pipeline, which runs once for all tasks that wait; see ``Pipeline/share()``. Its
    /// progress ends immediately.
    public init(_ pipeline: Pipeline<Output, Failure>) {
        self.init(pipeline, upload: .ended, download: .ended, latest: nil) { $0 }
    }

    /// The value, for which the caller waits; see the `value` of ``Pipeline``.
    public var value: Output {
        get async throws(Failure) { try await pipeline.value }
    }

    /// The value or the failure, for which the caller waits; see ``Pipeline/result``.
    public var result: Result<Output, Failure> {
        get async { await pipeline.result }
    }

    /// The head of the response to the request that was started: status, header fields and metrics. A task that waits
    /// for it counts as a waiting task, and waits for the outcome. To receive a head before its body, use
    /// ``APIBase/sendStream()``.
    ///
    /// It is available for every response, even if its status is rejected or its body cannot be decoded; after retries,
    /// for the response to the last attempt. It is `nil` for a pipeline that was not started as a request.
    ///
    /// - Throws: The failure of the request if there was no such response, or the error for the cancellation of the
    ///   waiting task.
    public var head: ResponseHead? {
        get async throws(Failure) {
            let outcome = await pipeline.result
            if let head = latest?.head { return head }
            _ = try outcome.get()
            return nil
        }
    }
}

extension ScheduledRequest where Failure == Never {
    /// The value of a request that cannot fail; see the `value` of ``Pipeline``.
    public var value: Output {
        get async { await pipeline.value }
    }
}

/// The head of the latest response to a request, before validation and decoding. The request object owns it, and its
/// runs report to it.
final class LatestHead: Sendable {
    private struct State: Sendable {
        var head: ResponseHead?
        var digest: Int?
        /// Whether ``digest`` is computed, which reads the whole body.
        var wantsDigest = false
    }

    private let state = Mutex(State())

    /// The head; `nil` if the latest run has no response yet, or none at all.
    var head: ResponseHead? { state.withLock { $0.head } }
    /// A digest that is equal for two responses with the same body; `nil` unless ``wantDigest()`` was called.
    var digest: Int? { state.withLock { $0.digest } }

    /// Computes digests from now on.
    func wantDigest() {
        state.withLock { $0.wantsDigest = true }
    }

    /// Forgets the response of the previous run.
    func begin() {
        state.withLock { ($0.head, $0.digest) = (nil, nil) }
    }

    /// Stores the response with which a run ends; for a failed run, the response to its last attempt.
    func end(_ response: DataResponse) {
        let head = ResponseHead(response)
        let digest = state.withLock { $0.wantsDigest } ? Self.digest(of: response.data) : nil
        state.withLock { ($0.head, $0.digest) = (head, digest) }
    }

    /// A digest of all bytes; `Data`'s own hash uses only the first bytes.
    private static func digest(of data: Data) -> Int {
        var hasher = Hasher()
        data.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}

/// The head of a response.
public struct ResponseHead: Sendable {
    /// The status code.
    public let statusCode: Int
    /// The header fields.
    public let headers: HeaderFields
    /// The URL of the response: the request's own, or the target of the last redirect.
    public let url: URL?
    /// The source of the response, such as the network or a cache.
    public let source: ResponseSource
    /// The number of times the request was sent for this response.
    public let attempts: Int
    /// The metrics of the transfer, as in ``DataResponse/metrics``.
    public let metrics: TransferMetrics?

    init(_ response: DataResponse) {
        statusCode = response.statusCode
        headers = response.headers
        url = response.url
        source = response.source
        attempts = response.attempts
        metrics = response.metrics
    }
}

extension ResponseHead: Confidential {
    /// The status and the URL without secrets.
    public var description: String {
        ["\(statusCode)", url?.redacted.absoluteString].compactMap(\.self).joined(separator: " ")
    }
}

/// The trailer fields of a response (RFC 9110, section 6.5), which a transport sets before it reports the end of the
/// body.
///
/// Read them as ``DataResponse/trailers``.
public final class ResponseTrailers: Sendable {
    private let state: Locked<HeaderFields>

    /// Creates a container with these fields.
    public init(_ fields: HeaderFields = [:]) {
        state = Locked(fields)
    }

    /// The trailer fields. A transport sets them before it reports the end of the body.
    public var fields: HeaderFields {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// The redirects that were followed for a response.
struct RedirectHistory: Sendable {
    /// A redirect response that was followed.
    struct Hop: Sendable {
        /// The method and the URL of the request before the redirect.
        let method: String
        let url: URL?
        let statusCode: Int
        let headers: HeaderFields
    }

    var hops: [Hop] = []
    /// The method of the last request.
    var lastMethod: String
}
