extension APIBase {
    /// What sends a built request: checks now, and on each run counts the attempt and asks the stub or the session.
    ///
    /// The pipeline captures `Sendable` values only, and nothing of this object.
    func pipeline(for request: URLRequest) throws -> Pipeline<DataResponse, any Error> {
        let bodyStream = bodyStream(of: request)
        try RequestCheck.check(request, bodyStream: bodyStream)
        try bodyStream?.inspect()
        let transfer = transfer(of: request, bodyStream: bodyStream)
        let attempts = Locked(0)
        return (dataTaskPipeline ?? Self.pipeline(for: transfer, over: service?.session ?? session))
            .preceded { () throws(any Error) in
                do {
                    try bodyStream?.claimForSending()
                } catch {
                    throw ErrandError(transportFailure: error).with(
                        request: request, attempts: attempts.withLock { $0 })
                }
                attempts.withLock { $0 += 1 }
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

    private func transfer(of request: URLRequest, bodyStream: BodyStream?) -> TransportRequest {
        var transfer = TransportRequest(request)
        transfer.bodyStream = bodyStream
        transfer.redirectPolicy = redirectPolicy
        transfer.maximumBodySize = maximumBodySize
        transfer.resourceTimeout = resourceTimeout
        transfer.priority = priority
        transfer.uploadProgress = uploadProgress
        transfer.downloadProgress = downloadProgress
        return transfer
    }

    /// The stream that the request has, or that an override of the hook gave it.
    private func bodyStream(of request: URLRequest) -> BodyStream? {
        guard let stream = request.httpBodyStream else { return bodyStream }
        // Whoever built the request gave the stream away with it.
        nonisolated(unsafe) let given = stream
        return BodyStream(given)
    }
}

extension TransportRequest {
    /// How many bytes will be sent, where that is known.
    var bodySize: Int64? { (bodyStream.map(\.count) ?? urlRequest.httpBody?.count ?? 0).map(Int64.init) }

    /// Starts the counts, where the sizes are known.
    fileprivate func begin() {
        uploadProgress?.begin(total: bodySize)
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
