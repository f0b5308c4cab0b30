public import Errand

/// An interceptor that records the requests to some hosts with their responses, and writes them as a HAR file.
///
/// ```swift
/// let recorder = HARRecorder(hosts: ["library.example.com"])
/// request.interceptors.append(recorder)
/// let books = try await request.start().value
/// try recorder.write(to: folder.appendingPathComponent("books.har"))
/// ```
///
/// Use it in debug builds, during development and in tests: an archive has paths, harmless values and perhaps bodies,
/// and the recorder holds it in memory. The developer tools of any browser can open the file.
///
/// Secrets are removed as from a ``Cassette``, according to a ``Cassette/Redaction``: the values of header fields,
/// query items, form fields and JSON with the names of secrets, the credentials that interceptors added, and the user
/// info of URLs. A query item that a redirect or an interceptor after the recorder added to the URL of the response is
/// a secret. A body is recorded only if `bodies` is `true`, and only if it is JSON, a form, or of a type in
/// ``Cassette/Redaction/keptTypes``. Its size and its media type are always recorded.
///
/// The recorder changes neither requests nor responses. It records what it sees at its place in the list of
/// interceptors: after a ``/Errand/RetryInterceptor`` or with a `retryPolicy`, each attempt; before a cache, also the
/// responses from the cache, whose entries name the source; with a stub, the response of the stub.
///
/// | exchange | entry |
/// |---|---|
/// | redirects | one entry, with the final response and its URL; from a host that is not named, only its status |
/// | a stream | its size and its beginning, when its body has ended or was released |
/// | a WebSocket | the handshake with its status 101, without the messages |
/// | a failure | the status 0 and the failure under the custom key `_error` |
/// | a cancelled request | as a failure, with the code -999 of `URLError.cancelled` |
///
/// Requests may be sent concurrently. The entries have the order in which the requests were sent.
public final class HARRecorder: Interceptor {
    private let recorder: Recorder
    /// The number of requests to hosts that are not named.
    private let otherCount = Locked(0)

    /// Creates a recorder without entries.
    ///
    /// - Parameters:
    ///   - hosts: The hosts whose requests are recorded, in any case: `api.example.com`, `localhost:8080`, `::1`, or
    ///     `*.example.com` for all of its subdomains. Without a port, any port is accepted. A URL without a path, such
    ///     as `https://api.example.com`, names its host, and its port or that of its scheme. Another text is a
    ///     programming error. Requests to other hosts are passed on unchanged.
    ///   - bodies: Whether bodies are recorded; `false` by default.
    ///   - redaction: The rules for removing secrets.
    ///   - maximumBodySize: The maximum number of bytes that are recorded of each body, after decoding; 1 MiB by
    ///     default, and less than zero counts as zero.
    ///   - maximumSize: The maximum number of bytes of all entries in the file; 16 MiB by default. If it is exceeded,
    ///     the oldest requests are removed, and the comment of the archive says how many. An entry that alone exceeds
    ///     it is recorded without its bodies. The requests without a complete response have the same maximum.
    ///   - now: Returns the current time, for the dates in the archive.
    public init(
        hosts: [String], bodies: Bool = false, redacting redaction: Cassette.Redaction = Cassette.Redaction(),
        maximumBodySize: Int = 1 << 20, maximumSize: Int = 16 << 20, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        let hosts = hosts.map { text in
            guard let host = HostPattern(text) else {
                preconditionFailure("\"\(text)\" does not name a host, as api.example.com or *.example.com:8080 do")
            }
            return host
        }
        recorder = Recorder(
            RecordingRules(
                redaction: redaction, maximumBodySize: bodies ? max(0, maximumBodySize) : 0, maximumSize: maximumSize,
                now: now, failure: { HAR.Failure($0) },
                recordsServer: { url in url.map { url in hosts.contains { $0.matches(url) } } ?? false },
                kept: { $0.keepingBodies { bodies && redaction.keeps($0) } }))
    }

    /// As listed: it adds no credentials.
    public var placement: InterceptorPlacement { .asListed }

    /// Sends the request, and records it and its outcome if its host is named.
    ///
    /// - Throws: The errors of `next`.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        if let response = try await recorder.record(request, next: next) { return response }
        otherCount.withLock { $0 += 1 }
        return try await next(request)
    }

    /// The requests so far, with their responses. Of a response that is still being read, it has the part read so far.
    ///
    /// The comment of the log is `nil` if all requests are in it. Otherwise it says how many were removed because of
    /// the maximum size, how many have no response yet, and how many were sent to hosts that are not named.
    public var archive: HAR {
        let recording = recorder.ended()
        var log = HAR.Log(entries: recording.entries)
        let (all, kept, removed) = (recording.count, log.entries.count, recording.removedCount)
        let others = otherCount.withLock { $0 }
        if kept < all || others > 0 {
            log.comment =
                "requests: \(all), kept: \(kept), oldest removed because of the maximum size: \(removed), "
                + "without a response yet: \(all - kept - removed)"
                + (others > 0 ? ", passed on to hosts that are not named: \(others)" : "")
        }
        return HAR(log: log)
    }

    /// Writes the ``archive`` to a file, which only its owner can read. The recording continues, and a later call
    /// replaces the file.
    ///
    /// The file is replaced atomically, so it is complete even if the program crashes. Nothing is written before this
    /// call, so a crash loses what was recorded since the last one. The call blocks the thread while it writes.
    ///
    /// - Parameter file: The HAR file. A missing folder is created.
    /// - Throws: `ErrandError` with `fileAccessFailed` if the file cannot be written. It then stays unchanged.
    public func write(to file: URL) throws(ErrandError) {
        try CassetteFile.write(archive, to: file)
    }
}

extension HAR.Failure {
    /// Creates a failure for any error: with the code of its `URLError`, otherwise with `unknown` and the name of the
    /// `ErrandError`'s code.
    fileprivate init(_ error: any Error) {
        self.init(error.isCancellation ? .cancelled : error.recordedCode ?? .unknown)
        if code == URLError.Code.unknown.rawValue { meaning = ErrandError(transportFailure: error).code.rawValue }
    }
}
