#if canImport(CCurl)
import CEvents

// The end.
extension CurlTransfer {
    /// Answers the caller.
    func end(_ outcome: CurlOutcome) {
        handOver()
        isOver = true
        metrics.total = .nanoseconds(Int64(now &- times.submitted))
        if case .streamed(_, let stream) = delivery, let fields = hop.head.trailers { stream.trailers.fields = fields }
        let result = result(of: outcome)
        tellSanitizerOfHandOver()
        switch delivery {
        case .collected(let continuation):
            continuation.resume(with: result.map { CollectedAnswer(response: $0, body: body) })
        case .streamed(let continuation, let stream):
            if case .failure(let error) = result, let continuation { continuation.resume(throwing: error) }
            stream.end(result.map { _ in })
        case nil:
            break
        }
        delivery = nil
    }

    /// Gives the reader of a streamed body what has come.
    func handOver() {
        guard !pending.isEmpty, case .streamed(_, let stream) = delivery else { return }
        stream.add(pending.take())
    }

    /// A continuation hands over by itself what was done before it is resumed, but the thread sanitizer does not see that
    /// where it is resumed before its task has begun to wait (Swift 6.3), and has to be told.
    func tellSanitizerOfHandOver() {
        cevents_hand_over(Unmanaged.passUnretained(self).toOpaque())
    }

    /// The other side of it, for the caller.
    func tellSanitizerOfTakeOver() {
        cevents_take_over(Unmanaged.passUnretained(self).toOpaque())
    }

    /// Answers a caller whose request could not even be begun.
    func end(failure error: any Error) {
        failure = error
        end(CurlOutcome(failure: .unknown))
    }

    /// Answers a caller whose request is not sent any more: it was cancelled, or came after the engine's end.
    func refuse(_ reason: URLError.Code = .cancelled) {
        end(CurlOutcome(failure: reason))
    }

    private func result(of outcome: CurlOutcome) -> Result<DataResponse, any Error> {
        Result {
            if let code = outcome.failure, !isAnswered {
                guard let failure = failure ?? upload?.failure else {
                    throw TransportFailure(URLError(code), reason: outcome.reason, metrics: metrics)
                }
                throw (failure as? URLError).map { TransportFailure($0, metrics: metrics) as any Error } ?? failure
            }
            // libcurl takes a connection that closes inside the head for the end of a body.
            guard hop.head.isWhole else { throw TransportFailure(URLError(.networkConnectionLost), metrics: metrics) }
            if try hop.settleChallenge() { try headIsWhole() }
            // A coded body is decoded by the task that waits for it.
            return response(with: body.contentEncoding == nil ? body.data : Data())
        }
    }

    /// The answer as far as it is known.
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
