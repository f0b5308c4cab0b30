extension APIBase {
    /// What sends a built request: checks now, and on each run counts the attempt and asks the stub or the session.
    ///
    /// The pipeline captures `Sendable` values only, and nothing of this object.
    func pipeline(for request: URLRequest) throws -> Pipeline<DataResponse, any Error> {
        try RequestCheck.check(request, streamCount: bodyStream?.count)
        let claim = try streamClaim(for: request)
        let transfer = TransportRequest(
            request, bodyStreamCount: bodyStream?.count, uploadProgress: uploadProgress,
            downloadProgress: downloadProgress)
        let attempts = Locked(0)
        return (dataTaskPipeline ?? Self.pipeline(for: transfer, over: service?.session ?? session))
            .preceded { () throws(any Error) in
                let attempt = attempts.withLock { $0 }
                do {
                    try claim?.take()
                } catch {
                    throw ErrandError(transportFailure: error).with(request: request, attempts: attempt)
                }
                attempts.withLock { $0 = attempt + 1 }
                transfer.begin()
            }
            .mapResult { result throws(any Error) in
                let attempts = attempts.withLock { $0 }
                switch result {
                case .success(var response):
                    response.method = response.method ?? request.httpMethod.map(HTTPMethod.init(rawValue:))
                    response.url = response.url ?? request.url
                    response.attempts = attempts
                    transfer.end(with: response)
                    return response
                case .failure(let error):
                    transfer.end(with: nil)
                    throw ErrandError(transportFailure: error).with(request: request, attempts: attempts)
                }
            }
    }

    private static func pipeline(
        for transfer: TransportRequest, over session: any Transport
    ) -> Pipeline<DataResponse, any Error> {
        Pipeline { () async throws(any Error) in
            // Without this, a task cancelled before it asks would still send.
            if Task.isCancelled { throw ErrandError(.cancelled) }
            return try await session.send(transfer)
        }
    }

    /// The right to read the request's stream, from ``bodyStream`` or of its own; nil when there is no stream.
    private func streamClaim(for request: URLRequest) throws -> StreamClaim? {
        guard let stream = request.httpBodyStream else { return nil }
        guard stream.streamStatus == .notOpen else {
            throw ErrandError(.bodyStreamAlreadyOpened, reason: "the stream was opened before")
        }
        return stream === bodyStream?.stream ? bodyStream?.claim : StreamClaim()
    }
}

extension TransportRequest {
    /// Starts the counts, where the sizes are known.
    fileprivate func begin() {
        uploadProgress?.begin(total: urlRequest.httpBody.map { Int64($0.count) } ?? bodyStreamCount.map(Int64.init))
        downloadProgress?.begin(total: nil)
    }

    /// Ends the counts: with an answer everything has passed, whether or not the transport reported it.
    fileprivate func end(with response: DataResponse?) {
        if let response {
            let sent = uploadProgress?.latest.flatMap { $0.total ?? $0.completed } ?? 0
            let received = Int64(response.data.count)
            uploadProgress?.update(TransferProgress.Snapshot(completed: sent, total: sent))
            downloadProgress?.update(TransferProgress.Snapshot(completed: received, total: received))
        }
        uploadProgress?.end()
        downloadProgress?.end()
    }
}
