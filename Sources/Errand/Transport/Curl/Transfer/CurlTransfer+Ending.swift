#if canImport(CCurl)
import CEvents

// The end of a transfer.
extension CurlTransfer {
    /// Ends the transfer and resumes the caller with the result.
    func end(_ outcome: CurlOutcome) {
        handOver()
        isOver = true
        metrics.total = .nanoseconds(Int64(now &- times.submitted))
        if case .streamed(_, let stream) = delivery, let fields = hop.head.trailers { stream.trailers.fields = fields }
        let result = result(of: outcome)
        markRelease()
        switch delivery {
        case .collected(let continuation):
            continuation.resume(with: result.map { CollectedResponse(response: $0, body: body) })
        case .streamed(let continuation, let stream):
            if case .failure(let error) = result, let continuation { continuation.resume(throwing: error) }
            stream.end(result.map { _ in })
        case nil:
            break
        }
        delivery = nil
    }

    /// Passes received data to the reader of a streamed body.
    func handOver() {
        guard !pending.isEmpty, case .streamed(_, let stream) = delivery else { return }
        stream.add(pending.take())
    }

    /// Tells the thread sanitizer that the loop's writes happen before the caller resumes. A continuation guarantees
    /// this, but the sanitizer does not see it if the continuation is resumed before its task has begun to wait (Swift
    /// 6.3).
    func markRelease() {
        cevents_release(Unmanaged.passUnretained(self).toOpaque())
    }

    /// The counterpart of ``markRelease()`` for the caller.
    func markAcquire() {
        cevents_acquire(Unmanaged.passUnretained(self).toOpaque())
    }

    /// Ends a transfer whose request could not be started.
    func end(failure error: any Error) {
        failure = error
        end(CurlOutcome(failure: .unknown))
    }

    /// Ends a transfer whose request is not sent, because it was cancelled or arrived after the engine's end.
    func refuse(_ reason: URLError.Code = .cancelled) {
        end(CurlOutcome(failure: reason))
    }

    private func result(of outcome: CurlOutcome) -> Result<DataResponse, any Error> {
        Result {
            if let code = outcome.failure, !hasResponse {
                throw failure(code, outcome.reason)
            }
            // libcurl treats a connection that closes inside the head as the end of a body.
            guard hop.head.isWhole else { throw TransportFailure(URLError(.networkConnectionLost), metrics: metrics) }
            // The waiting task decodes a body with a content coding.
            return response(with: body.codings.isEmpty ? body.data : Data())
        }
    }

    /// Returns the error of a failed transfer: that of a callback or of the request's body, or else libcurl's.
    private func failure(_ code: URLError.Code, _ reason: String?) -> any Error {
        switch failure ?? upload?.failure {
        case nil: return TransportFailure(URLError(code), reason: reason, metrics: metrics)
        case let error as URLError: return TransportFailure(error, reason: hop.head.excess, metrics: metrics)
        case var error as TransportFailure:
            error.metrics = error.metrics ?? metrics
            return error
        case let error?: return error
        }
    }

    /// Returns the response as far as it is known.
    func response(with data: Data = Data()) -> DataResponse {
        var response = DataResponse(
            statusCode: hop.head.statusCode, headers: hop.head.fields, data: data, url: chain.request.url,
            method: request.urlRequest.httpMethod.map(RequestMethod.init(rawValue:)), metrics: metrics,
            trailers: hop.head.trailers.map { ResponseTrailers($0) })
        if let history = chain.history { response.redirects = history }
        return response
    }
}
#endif
