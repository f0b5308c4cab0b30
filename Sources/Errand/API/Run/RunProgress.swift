/// The progress of one run of a request.
struct RunProgress: Sendable {
    let upload: TransferProgress
    let download: TransferProgress?
    private let owner: RequestRunner
    private let scope: RetryScope?

    /// - Parameter scope: The scope of a pipeline's retry. The progress ends with its last attempt.
    init(_ progress: RequestRunner.Progress, of owner: RequestRunner, in scope: RetryScope?) {
        upload = progress.upload.beginRun()
        download = progress.download?.beginRun()
        self.owner = owner
        self.scope = scope
    }

    /// Prevents later attempts from setting the counts back to zero.
    func close() {
        upload.close()
        download?.close()
    }

    /// Ends both counts. If a pipeline's retry repeats the request, the counts end after the last attempt.
    ///
    /// A complete response means that the whole request body was sent, even if the transport did not report it.
    ///
    /// - Parameter received: The size of a complete response body in bytes; `nil` if no complete body arrived.
    func end(received: Int?) {
        if let scope { scope.whenOver(owner) { endNow(received) } } else { endNow(received) }
    }

    private func endNow(_ received: Int?) {
        upload.end { latest in
            let sent = received.map { _ in latest.flatMap { $0.total ?? $0.completed } ?? 0 }
            return sent.map { TransferProgress.Snapshot(completed: $0, total: $0) }
        }
        let count = received.map(Int64.init)
        download?.end(at: count.map { TransferProgress.Snapshot(completed: $0, total: $0) })
    }
}

extension DataResponse {
    /// Counts the bytes read from a streamed body, relative to its length if that is known.
    func counted(in progress: TransferProgress?) -> DataResponse {
        guard let progress else { return self }
        let total = headers["Content-Encoding"] == nil ? headers["Content-Length"].flatMap { Int64($0) } : nil
        let completed = Locked<Int64>(0)
        let reader = body.reader
        var response = self
        response.body = ResponseBody {
            guard let piece = try await reader() else { return nil }
            let count = completed.withLock { completed in
                completed += Int64(piece.count)
                return completed
            }
            progress.update(TransferProgress.Snapshot(completed: count, total: total))
            return piece
        }
        return response
    }
}
