/// The progress of one run of a request.
struct RunProgress: Sendable {
    let upload: TransferProgress
    let download: TransferProgress?
    private let owner: Sending
    private let scope: RetryScope?

    /// - Parameter scope: The retry of a pipeline with whose last try the progress ends.
    init(_ progress: Sending.Progress, of owner: Sending, in scope: RetryScope?) {
        upload = progress.upload.beginRun()
        download = progress.download?.beginRun()
        self.owner = owner
        self.scope = scope
    }

    /// Lets no further attempt begin.
    func close() {
        upload.close()
        download?.close()
    }

    /// Ends both counts, after the last try if a retry of a pipeline repeats the request. A complete response means that
    /// everything passed, whether or not the transport reported it.
    ///
    /// - Parameter received: The bytes of a complete body; `nil` when none arrived.
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
    /// Counts what is read of a streamed body, against its length where that is known.
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
