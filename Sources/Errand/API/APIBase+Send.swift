extension APIBase {
    /// What sends a built request: checks it now, and on each run leads it through the interceptors to the stub or the
    /// session.
    ///
    /// The pipeline captures `Sendable` values only, and nothing of this object.
    func pipeline(for request: URLRequest) throws -> Pipeline<DataResponse, any Error> {
        let bodyStream = bodyStream(of: request)
        sendsStream = bodyStream != nil
        guard request.httpBody == nil || bodyStream == nil else {
            throw ErrandError(.bodyCountMismatch, reason: "the request has both a body and a body stream")
        }
        try RequestCheck.check(request, bodyStream: bodyStream)
        try bodyStream?.inspect()
        let sending = Sending(stub: dataTaskPipeline, session: TestNetworkScope.transport(over: transport))
        let transfer = transfer(of: request, bodyStream: bodyStream)
        let chain = chain
        guard !opensStream else { return StreamOpening(sending, chain).pipeline(for: transfer) }
        guard !chain.isEmpty else { return sending.pipeline(for: transfer) }
        return Pipeline { () async throws(any Error) in
            let (observer, isLast) = (HeadObserver.current, RetryScope.current == nil)
            // What comes of an attempt is nobody's answer yet, and may come when the answer is given already.
            let attempts = observer.map { _ in HeadObserver() }
            do {
                let response = try await sending.run(transfer) {
                    let way = Next { request in
                        try sending.check(request)
                        return try await sending.pipeline(for: request, observer: attempts).value
                    }
                    return try await way.preceded(by: chain)(transfer)
                }
                transfer.end(received: Int64(response.data.count))
                observer?.answerHasCome(response, isLast: isLast)
                return response
            } catch {
                observer?.noAnswerCame(after: attempts?.latest)
                throw error
            }
        }
    }

    /// The session of the service or the class.
    var transport: any Transport { service?.session ?? session }

    /// Everything that the request passes on its way, the first outermost.
    var chain: [any Interceptor] {
        guard let service else {
            return Self.chain(hook, retryPolicy, asynchronousHeaders.map { headers($0, of: [:]) }, interceptors)
        }
        return Self.chain(
            service.hook ?? hook, service.retryPolicy ?? retryPolicy,
            headers(service.asynchronousHeaders, of: service.headers), service.interceptors ?? interceptors)
    }

    private static func chain(
        _ hook: (any Hook)?, _ policy: RetryPolicy?, _ headers: AsynchronousHeaders?, _ own: [any Interceptor]
    ) -> [any Interceptor] {
        guard hook != nil || policy != nil || headers != nil else { return own }
        let first: [(any Interceptor)?] = [hook.map { HookInterceptor($0) }, policy.map { Retry($0) }, headers]
        return first.compactMap { $0 } + own
    }

    private func headers(
        _ fields: @escaping @Sendable () async throws -> HTTPHeaders, of serviceHeaders: HTTPHeaders
    ) -> AsynchronousHeaders {
        AsynchronousHeaders(fields: fields, serviceHeaders: serviceHeaders, own: headers)
    }

    func transfer(of request: URLRequest, bodyStream: BodyStream?) -> TransportRequest {
        var transfer = TransportRequest(request)
        transfer.bodyStream = bodyStream
        transfer.redirectPolicy = redirectPolicy
        transfer.maximumBodySize = maximumBodySize
        transfer.resourceTimeout = resourceTimeout
        transfer.priority = priority
        transfer.uploadProgress = uploadProgress
        if !countsDownload { transfer.downloadProgress = downloadProgress }
        return transfer
    }

    /// The stream that ``body`` became, or that an override of the hook put in its place.
    private func bodyStream(of request: URLRequest) -> BodyStream? {
        guard let stream = request.httpBodyStream else { return bodyStream }
        if let given = streamFromHook, given.stream === stream { return given.body }
        // Whoever built the request gave the stream away with it.
        nonisolated(unsafe) let handedOver = stream
        let body = BodyStream(handedOver)
        streamFromHook = (stream, body)
        return body
    }
}

/// The end of a request's way: the stub or the session, and what counts how often it was asked.
struct Sending: Sendable {
    let stub: Pipeline<DataResponse, any Error>?
    let session: any Transport
    let sends = SendCounter()

    /// One run through interceptors: counts its sendings together, and says in our own word that it was cancelled.
    ///
    /// Whoever wants to know the head of its answer does not hear of what the interceptors send for themselves.
    func run<Answer>(_ transfer: TransportRequest, _ body: () async throws -> Answer) async throws -> Answer {
        try await HeadObserver.$current.withValue(nil) {
            try await RetryScope.$current.withValue(RetryScope.current ?? RetryScope()) {
                do {
                    return try await body()
                } catch {
                    // It may have come to no transfer, for which whoever watches would wait.
                    transfer.end(received: nil)
                    guard error.isCancellation else { throw error }
                    throw ErrandError(transportFailure: error).with(request: transfer.urlRequest, attempts: sends.count)
                }
            }
        }
    }

    /// Checks once more what interceptors have made of a request, whose fields may come from anywhere.
    func check(_ transfer: TransportRequest) throws(ErrandError) {
        do {
            try RequestCheck.check(transfer.urlRequest, bodyStream: transfer.bodyStream)
        } catch {
            throw error.with(request: transfer.urlRequest, attempts: sends.count)
        }
    }

    /// One sending: on each run it counts the attempt, and asks.
    ///
    /// - Parameter observer: Who wants to know the head; nil for whoever runs it.
    func pipeline(
        for transfer: TransportRequest, observer: HeadObserver? = nil
    ) -> Pipeline<DataResponse, any Error> {
        if let stub {
            return stub.mapResult { result throws(any Error) in try end(transfer, with: result, observer) }
                .preceded { () throws(any Error) in try begin(transfer) }
        }
        return Pipeline { () async throws(any Error) in
            try begin(transfer)
            let answer: DataResponse
            do {
                answer = try await session.send(transfer)
            } catch {
                return try end(transfer, with: .failure(error), observer)
            }
            return try end(transfer, with: .success(answer), observer)
        }
    }

    /// One sending whose answer is read as it comes: it ends, for the counts and for errors, with the body.
    func stream(_ transfer: TransportRequest) async throws -> StreamedResponse {
        try begin(transfer)
        let attempts = sends.count
        var answer: StreamedResponse
        do {
            if let stub {
                answer = StreamedResponse(try await stub.value)
            } else {
                answer = try await session.stream(transfer)
            }
        } catch {
            transfer.end(received: nil)
            throw failure(of: transfer, error, attempts: attempts)
        }
        answer.method = answer.method ?? transfer.urlRequest.httpMethod.map(HTTPMethod.init(rawValue:))
        answer.url = answer.url ?? transfer.urlRequest.url
        answer.attempts = attempts
        answer = answer.counted(for: transfer)
        answer.body = answer.body.mapError { failure(of: transfer, $0, attempts: attempts) }
        return answer
    }

    private func begin(_ transfer: TransportRequest) throws {
        do {
            // Without this, a task cancelled before it asks would still send.
            if Task.isCancelled { throw ErrandError(.cancelled) }
            try transfer.bodyStream?.claimForSending()
        } catch {
            transfer.end(received: nil)
            throw ErrandError(transportFailure: error).with(request: transfer.urlRequest, attempts: sends.earlier)
        }
        sends.add()
        transfer.begin()
    }

    private func end(
        _ transfer: TransportRequest, with result: Result<DataResponse, any Error>, _ observer: HeadObserver?
    ) throws -> DataResponse {
        switch result {
        case .success(let answer):
            let response = answer.answering(transfer.urlRequest, attempts: sends.count)
            transfer.end(received: Int64(response.data.count))
            (observer ?? HeadObserver.current)?.answerHasCome(response, isLast: RetryScope.current == nil)
            return response
        case .failure(let error):
            transfer.end(received: nil)
            (observer ?? HeadObserver.current)?.noAnswerCame()
            throw failure(of: transfer, error, attempts: sends.count)
        }
    }

    private func failure(of transfer: TransportRequest, _ error: any Error, attempts: Int) -> ErrandError {
        let failure = ErrandError(transportFailure: error)
        let wasSent = failure.code != .unsupportedByTransport
        return failure.with(request: transfer.urlRequest, attempts: wasSent ? attempts : attempts - 1)
    }
}

extension StreamedResponse {
    /// This answer, with what is read of its body in the counts of a request, which end with it.
    func counted(for transfer: TransportRequest) -> StreamedResponse {
        var answer = self
        if let progress = transfer.downloadProgress { answer.count(in: progress) }
        return answer.watched { end, count in
            if case .whole = end { transfer.end(received: Int64(count)) } else { transfer.end(received: nil) }
        }
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
    ///
    /// - Parameter received: How many bytes of a whole body; nil where none came.
    func end(received: Int64?) {
        let sent = received.map { _ in uploadProgress?.latest.flatMap { $0.total ?? $0.completed } ?? 0 }
        uploadProgress?.end(at: sent.map { TransferProgress.Snapshot(completed: $0, total: $0) })
        downloadProgress?.end(at: received.map { TransferProgress.Snapshot(completed: $0, total: $0) })
    }
}
