/// The delegate of one `URLSession` task, with the data that the task has received.
///
/// The task keeps its exchange alive, even an abandoned one, which discards received data.
final class URLSessionExchange: NSObject, Sendable {
    private struct State {
        var head: HTTPURLResponse?
        var body = Data()
        var isOver = false
        /// The session's task that sends the request.
        var task: URLSessionTask?
        /// The Swift task that abandons the exchange after a timeout.
        var watchdog: Task<Void, any Error>?
    }

    /// The result of adding received data to a collected body.
    private enum Receipt {
        /// The number of bytes of the body so far, and the head.
        case counted(Int, HTTPURLResponse?)
        case tooMuch
        /// The exchange has ended.
        case ignored
    }

    private let request: TransportRequest
    let deadline: Deadline<ContinuousClock>
    /// The buffer for a streamed body. If it exists, the promise is fulfilled by the head.
    let buffer: BodyBuffer?
    private let promise = PipelinePromise<DataResponse, any Error>()
    /// The state. The delegate's methods change it on the session's queue, and other tasks change it on any thread.
    private let state = Locked(State())

    init(_ request: TransportRequest, deadline: Deadline<ContinuousClock>, buffer: BodyBuffer? = nil) {
        self.request = request
        self.deadline = deadline
        self.buffer = buffer
    }

    /// Sends the request and waits for the response, or for its head if the body is streamed.
    ///
    /// - Throws: A ``TransportFailure`` or a `URLError`; an ``ErrandError`` with `cancelled` as soon as the calling
    ///   task is cancelled.
    func response(over session: URLSession) async throws -> DataResponse {
        if Task.isCancelled { throw ErrandError(.cancelled) }
        let task = session.dataTask(with: request.urlRequest.timedOutBySession)
        task.priority = request.priority.ofTask
        task.delegate = self
        // The time before this, for example to read a body or decide on a redirect, does not count against the server.
        deadline.touch()
        let watchdog = Task {
            let limit = try await deadline.passes { buffer?.isFull == true }
            abandon(for: TransportFailure(timeout: TimeoutReason(limit, .response)))
        }
        // The limit may have passed already. Then the exchange is over, and the task is not started.
        state.withLock { state in
            if !state.isOver { (state.task, state.watchdog) = (task, watchdog) }
        }
        promise.onCancel { self.abandon() }
        if state.withLock({ !$0.isOver }) { task.resume() } else { task.stop() }
        return try await promise.value
    }

    /// The session's task; `nil` before the start and after the end.
    var task: URLSessionTask? { state.withLock { $0.task } }

    /// Stops the session's task unless it has ended. Swift tasks that wait for it fail with `reason`.
    func abandon(for reason: any Error = URLError(.cancelled)) {
        let last = end()
        promise.resolve(with: .failure(reason))
        buffer?.abandon()
        buffer?.end(.failure(reason))
        last.task?.stop()
    }

    /// Marks the exchange as ended. The first call returns the state and clears it; later calls return an empty one.
    private func end() -> State {
        let last = state.withLock { state in
            defer { state = State(isOver: true) }
            return state
        }
        last.watchdog?.cancel()
        return last
    }
}

extension URLSessionExchange: URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        touchUnlessOver()
        let head = state.withLock { state in
            state.head = state.isOver ? nil : response as? HTTPURLResponse
            return state.head
        }
        if buffer != nil, let head { promise.resolve(with: .success(DataResponse(head, data: Data()))) }
        completionHandler(.allow)
    }

    /// Records activity unless the exchange has ended: on Linux, an abandoned task may still receive data, and the next
    /// hop has the same deadline.
    private func touchUnlessOver() {
        if state.withLock({ !$0.isOver }) { deadline.touch() }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        touchUnlessOver()
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
        state.withLock { state in
            if state.isOver { return .ignored }
            state.body.append(data)
            return state.body.count > request.maximumBodySize ? .tooMuch : .counted(state.body.count, state.head)
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        guard state.withLock({ !$0.isOver }) else { return }
        deadline.touch()
        request.uploadProgress?.update(
            TransferProgress.Snapshot(completed: totalBytesSent, total: request.bodySize))
    }

    /// Follows no redirect, because ``RedirectChain`` follows them with the same rules on every platform.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// Responds to a Digest challenge once, but not on Linux. Other challenges are handled as if there were no
    /// credentials, because credentials are header fields in Errand.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if let credential = challenge.credential(for: request) {
            completionHandler(.useCredential, credential)
        } else if let refusal = challenge.refusal {
            // The completion handler is not called, because no decision would end the task with this response.
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

    /// Ends the exchange with the response or the failure.
    private func finish(with outcome: Result<HTTPURLResponse?, any Error>) {
        let last = end()
        promise.resolve(
            with: Result {
                guard let head = try outcome.get() ?? last.head else { throw URLError(.badServerResponse) }
                return response(head, last.body)
            })
        buffer?.end(outcome.map { _ in })
    }

    private func response(_ head: HTTPURLResponse, _ body: Data) -> DataResponse {
        var metrics = TransferMetrics()
        metrics.total = deadline.start.duration(to: .now)
        metrics.bytesSent = Int64(request.urlRequest.httpBody?.count ?? 0)
        metrics.bytesReceived = Int64(body.count)
        var response = DataResponse(head, data: body)
        response.metrics = metrics
        return response
    }
}

extension RequestPriority {
    /// The priority hint for the session.
    fileprivate var ofTask: Float {
        switch self {
        case .low: URLSessionTask.lowPriority
        case .normal: URLSessionTask.defaultPriority
        case .high: URLSessionTask.highPriority
        }
    }
}

extension URLRequest {
    /// This request with a timeout that the session supports: later than Errand's own, and at most a week. It ends
    /// abandoned tasks.
    fileprivate var timedOutBySession: URLRequest {
        var request = self
        let week: TimeInterval = 7 * 24 * 60 * 60
        request.timeoutInterval = min(timeoutInterval.rounded(.up) + 1, week)
        return request
    }
}

extension HTTPURLResponse {
    /// The length of the body; `nil` if it is unknown, as for a body with a content coding.
    fileprivate var decodedLength: Int64? {
        expectedContentLength > 0 && value(forHTTPHeaderField: "Content-Encoding") == nil ? expectedContentLength : nil
    }
}

extension URLSessionExchange {
    /// Passes received data to the reader, and suspends the task if the reader is slow.
    private func pass(_ data: Data, of task: URLSessionTask, to buffer: BodyBuffer) {
        // After a suspension, data that was already on its way still arrives.
        let isSuspended = buffer.isFull
        buffer.add(data)
        if isSuspended || buffer.checkRoom() { return }
        task.waitForReader()
        // The reader may have made room in the meantime, before the task was suspended.
        if !buffer.isFull { task.readOn() }
    }

    /// Waits for the next piece, and resumes the task when the buffer has room again.
    private func nextPiece(from buffer: BodyBuffer) async throws -> Data? {
        // Idle time is not counted while the buffer is full. If this read makes room, counting starts now.
        if buffer.isFull { deadline.touch() }
        switch await buffer.next(orAbandon: { self.abandon() }) {
        case .piece(let piece, let hasRoomAgain):
            if hasRoomAgain {
                // Again, because the buffer may have become full after the check.
                deadline.touch()
                task?.readOn()
            }
            return piece
        case .end(let result):
            try result.get()
            return nil
        }
    }

    /// The body for the reader. The exchange is abandoned when the last copy is released.
    var body: ResponseBody {
        guard let buffer else { return ResponseBody(Data()) }
        let lease = URLSessionBodyLease(self)
        return ResponseBody { try await lease.exchange.nextPiece(from: buffer) }
    }
}

/// A reference that every copy of the body holds; its deinitialization abandons the exchange, which its task keeps
/// alive.
private final class URLSessionBodyLease: Sendable {
    let exchange: URLSessionExchange

    init(_ exchange: URLSessionExchange) {
        self.exchange = exchange
    }

    deinit {
        exchange.abandon()
    }
}
