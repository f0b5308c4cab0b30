/// One task of a `URLSession`, from start to answer: the task's delegate, and what it has received so far.
///
/// The task keeps its exchange alive, also one that was let go of; what comes in for that is dropped.
final class URLSessionExchange: NSObject, Sendable {
    private struct Received {
        var head: HTTPURLResponse?
        var body = Data()
        var isOver = false
        /// What is under way, and what ends it when it takes too long.
        var task: URLSessionTask?
        var watchdog: Task<Void, any Error>?
    }

    private enum Receipt {
        case counted(Int, HTTPURLResponse?)
        case tooMuch
        case ignored
    }

    private let request: TransportRequest
    let deadline: Deadline<ContinuousClock>
    /// Where the body goes, when it is read as it comes; then the promise is of the head alone.
    let buffer: BodyBuffer?
    private let started = ContinuousClock.now
    private let promise = PipelinePromise<DataResponse, any Error>()
    /// Guards what the delegate's calls, which come from the session's queue, have brought.
    private let received = Locked(Received())

    init(_ request: TransportRequest, deadline: Deadline<ContinuousClock>, buffer: BodyBuffer? = nil) {
        self.request = request
        self.deadline = deadline
        self.buffer = buffer
    }

    /// Sends the request and waits for the answer: the whole one, or its head.
    ///
    /// - Throws: A ``TransportFailure`` or a `URLError`; ``ErrandError`` with `cancelled` as soon as the calling task
    ///   is cancelled.
    func response(over session: URLSession) async throws -> DataResponse {
        if Task.isCancelled { throw ErrandError(.cancelled) }
        let task = session.dataTask(with: request.urlRequest.timedOutBySession)
        task.priority = request.priority.ofTask
        task.delegate = self
        // What was before this, a body that was read or a redirect that was decided on, was not the server's doing.
        deadline.touch()
        let watchdog = Task {
            let limit = try await deadline.passes { buffer?.isFull == true }
            abandon(for: TransportFailure(timeout: TimeoutReason(limit, .response)))
        }
        received.withLock { received in
            received.task = task
            received.watchdog = watchdog
        }
        promise.onCancel { self.abandon() }
        if received.withLock({ !$0.isOver }) { task.resume() }
        return try await promise.value
    }

    /// What is under way; nil before and after.
    var task: URLSessionTask? { received.withLock { $0.task } }

    private func metrics(received: Int) -> TransferMetrics {
        var metrics = TransferMetrics()
        metrics.total = started.duration(to: .now)
        metrics.bytesSent = Int64(request.urlRequest.httpBody?.count ?? 0)
        metrics.bytesReceived = Int64(received)
        return metrics
    }

    /// Stops the task unless it has ended; the tasks that wait for it fail with `reason`.
    func abandon(for reason: any Error = URLError(.cancelled)) {
        let received = end()
        promise.resolve(with: .failure(reason))
        buffer?.abandon()
        buffer?.end(.failure(reason))
        received.task?.stop()
    }

    /// Marks the end, once; what was received is given back.
    private func end() -> Received {
        let received = received.withLock { received in
            defer { received = Received(isOver: true) }
            return received
        }
        received.watchdog?.cancel()
        return received
    }
}

extension URLSessionExchange: URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        deadline.touch()
        let head = received.withLock { received in
            received.head = received.isOver ? nil : response as? HTTPURLResponse
            return received.head
        }
        if buffer != nil, let head { promise.resolve(with: .success(self.response(head, Data()))) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        deadline.touch()
        if let buffer { return pass(data, of: dataTask, to: buffer) }
        switch receive(data) {
        case .counted(let completed, let head):
            request.downloadProgress?.update(
                TransferProgress.Snapshot(completed: Int64(completed), total: head?.decodedLength))
        case .tooMuch:
            abandon(for: URLError(.dataLengthExceedsMaximum))
        case .ignored:
            break
        }
    }

    private func receive(_ data: Data) -> Receipt {
        received.withLock { received in
            if received.isOver { return .ignored }
            received.body.append(data)
            return received.body.count > request.maximumBodySize
                ? .tooMuch : .counted(received.body.count, received.head)
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        guard received.withLock({ !$0.isOver }) else { return }
        deadline.touch()
        request.uploadProgress?.update(
            TransferProgress.Snapshot(completed: totalBytesSent, total: request.bodySize))
    }

    /// Follows no redirect: ``RedirectChain`` does, by rules that hold on every platform.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// Answers a Digest challenge, once; any other as if nobody were there: credentials are header fields here.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if let credential = challenge.credential(for: request) {
            completionHandler(.useCredential, credential)
        } else if let refusal = challenge.refusal {
            finish(with: .success(refusal))
        } else {
            completionHandler(.performDefaultHandling, nil)
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error {
            finish(with: .failure(TransportFailure(sessionFailure: error, host: request.urlRequest.url?.host)))
        } else {
            finish(with: .success(task.response as? HTTPURLResponse))
        }
    }

    private func finish(with outcome: Result<HTTPURLResponse?, any Error>) {
        let received = end()
        promise.resolve(
            with: Result {
                guard let head = try outcome.get() ?? received.head else { throw URLError(.badServerResponse) }
                return response(head, received.body)
            })
        buffer?.end(outcome.map { _ in })
    }

    private func response(_ head: HTTPURLResponse, _ body: Data) -> DataResponse {
        var response = DataResponse(head, data: body)
        response.metrics = metrics(received: body.count)
        return response
    }
}

extension RequestPriority {
    /// A hint for the session.
    fileprivate var ofTask: Float {
        switch self {
        case .low: URLSessionTask.lowPriority
        case .normal: URLSessionTask.defaultPriority
        case .high: URLSessionTask.highPriority
        }
    }
}

extension URLRequest {
    /// This request with a timeout that the session bears and that is later than ours: it ends what was let go of.
    fileprivate var timedOutBySession: URLRequest {
        var request = self
        let week: TimeInterval = 7 * 24 * 60 * 60
        request.timeoutInterval = min(timeoutInterval.rounded(.up) + 1, week)
        return request
    }
}

extension HTTPURLResponse {
    /// How long the body will be, which is not known before its content coding is undone.
    fileprivate var decodedLength: Int64? {
        expectedContentLength > 0 && value(forHTTPHeaderField: "Content-Encoding") == nil ? expectedContentLength : nil
    }
}
