extension TransferProgress {
    /// Ends the counts of both bodies of a run; this is the count of the request body.
    ///
    /// A complete response means that the whole request body was sent, even if the transport did not report it.
    ///
    /// - Parameters:
    ///   - download: The count of the response body; `nil` if a download counts its own.
    ///   - received: The size of a complete response body in bytes; `nil` if no complete body arrived.
    func end(afterReceiving download: TransferProgress?, _ received: Int?) {
        end { latest in
            let sent = received.map { _ in latest.flatMap { $0.total ?? $0.completed } ?? 0 }
            return sent.map { Snapshot(completed: $0, total: $0) }
        }
        let count = received.map(Int64.init)
        download?.end(at: count.map { Snapshot(completed: $0, total: $0) })
    }
}
