/// One task of a `URLSession`, from start to answer: the task's delegate, and what it has received so far.
///
/// The task keeps its exchange alive, also one that was let go of; what comes in for that is dropped.
final class URLSessionExchange: NSObject, Sendable {
    private struct Received {
        var head: HTTPURLResponse?
        var body = Data()
        var isOver = false
    }

    private enum Receipt {
        case counted(Int, HTTPURLResponse?)
        case tooMuch
        case ignored
    }

    private let request: TransportRequest
    private let deadline: Deadline<ContinuousClock>
    private let started = ContinuousClock.now
    private let promise = Promise<DataResponse, any Error>()
    /// Guards what the delegate's calls, which come from the session's queue, have brought.
    private let received = Locked(Received())

    init(_ request: TransportRequest, deadline: Deadline<ContinuousClock>) {
        self.request = request
        self.deadline = deadline
    }

    /// Sends the request and waits for the whole answer.
    ///
    /// - Throws: A `URLError`; ``ErrandError`` with `cancelled` as soon as the calling task is cancelled.
    func response(over session: URLSession) async throws -> DataResponse {
        if Task.isCancelled { throw ErrandError(.cancelled) }
        let task = session.dataTask(with: request.urlRequest.timedOutBySession)
        task.delegate = self
        promise.onCancel { self.abandon(task) }
        task.resume()
        deadline.touch()
        let watchdog = Task {
            try await deadline.passes()
            promise.resolve(with: .failure(URLError(.timedOut)))
            abandon(task)
        }
        defer { watchdog.cancel() }
        return try await promise.value
    }

    private func metrics(received: Int) -> TransferMetrics {
        var metrics = TransferMetrics()
        metrics.total = started.duration(to: .now)
        metrics.bytesSent = Int64(request.urlRequest.httpBody?.count ?? 0)
        metrics.bytesReceived = Int64(received)
        return metrics
    }

    private func abandon(_ task: URLSessionTask) {
        received.withLock { $0 = Received(isOver: true) }
        task.stop()
    }
}

extension URLSessionExchange: URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        deadline.touch()
        received.withLock { $0.head = response as? HTTPURLResponse }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        deadline.touch()
        switch receive(data) {
        case .counted(let completed, let head):
            request.downloadProgress?.update(
                TransferProgress.Snapshot(completed: Int64(completed), total: head?.decodedLength))
        case .tooMuch:
            promise.resolve(with: .failure(URLError(.dataLengthExceedsMaximum)))
            abandon(dataTask)
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
            finish(with: .failure(URLError(sessionFailure: error)))
        } else {
            finish(with: .success(task.response as? HTTPURLResponse))
        }
    }

    private func finish(with outcome: Result<HTTPURLResponse?, URLError>) {
        let (head, body) = received.withLock { received in
            defer { received = Received(isOver: true) }
            return (received.head, received.body)
        }
        promise.resolve(
            with: Result {
                guard let head = try outcome.get() ?? head else { throw URLError(.badServerResponse) }
                var response = DataResponse(head, data: body)
                response.metrics = metrics(received: body.count)
                return response
            })
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
