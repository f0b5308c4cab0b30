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
