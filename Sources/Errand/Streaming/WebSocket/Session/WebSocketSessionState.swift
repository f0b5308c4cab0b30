/// Where a WebSocket is in its life, and who waits for what; a pure value, which ``WebSocketSession`` acts for.
struct WebSocketSessionState: Sendable {
    /// How a connection, and at last the WebSocket, ended.
    enum Ending: Sendable {
        case closed(WebSocketClosure)
        /// With when it was opened, if it was.
        case lost(any Error, since: Duration?)
        /// For a reason that no other connection would mend.
        case failed(any Error)
    }

    /// What is to be done when somebody wants to close it.
    enum CloseAction {
        case known(WebSocketClosure)
        /// There is no connection to close.
        case endNow
        case sayGoodbye(any WebSocketChannel)
        /// Somebody else has begun to.
        case wait
    }

    /// Whom the end is told.
    struct Left: Sendable {
        var openers: [PipelinePromise<WebSocketOpening, any Error>]
        var closers: [PipelinePromise<WebSocketClosure, any Error>]
        var watchers: [PipelinePromise<Void, any Error>]
        var result: Result<Void, any Error>
        var closure: WebSocketClosure
        var isCancelled: Bool
        var closedFailure: any Error

        /// What a message fails with that is not sent any more.
        var sendFailure: any Error {
            guard case .failure(let error) = result else { return closedFailure }
            return error
        }
    }

    private let request: URLRequest?
    private var hasBegun = false
    private(set) var task: Task<Void, Never>?
    private var opening: WebSocketOpening?
    private var openers: [PipelinePromise<WebSocketOpening, any Error>] = []
    private var closers: [PipelinePromise<WebSocketClosure, any Error>] = []
    private var watchers: [PipelinePromise<Void, any Error>] = []
    private var connections = 0
    private var ending: (result: Result<Void, any Error>, closure: WebSocketClosure)?
    /// The connection that there is now.
    var channel: (any WebSocketChannel)?
    /// Whether this side wants no more.
    private(set) var isClosing = false

    /// - Parameter request: What errors name.
    init(request: URLRequest? = nil) {
        self.request = request
    }

    var closure: WebSocketClosure? { ending?.closure }

    /// - Returns: Whether the task is to be started.
    mutating func begin() -> Bool {
        guard !hasBegun, ending == nil else { return false }
        hasBegun = true
        return true
    }

    /// - Returns: Whether it is to be cancelled at once: the end came first.
    mutating func started(_ task: Task<Void, Never>) -> Bool {
        self.task = task
        return ending != nil
    }

    /// - Returns: What is known already; nil where it has to be waited for.
    mutating func waitForOpening(
        _ promise: PipelinePromise<WebSocketOpening, any Error>
    ) -> Result<WebSocketOpening, any Error>? {
        if let ending {
            switch ending.result {
            case .success: return .failure(describing(ErrandError(ending.closure)))
            case .failure(let error): return .failure(error)
            }
        }
        if channel != nil, let opening { return .success(opening) }
        openers.append(promise)
        return nil
    }

    /// - Returns: The opening with its number, nil when it comes too late, and who waited for it.
    mutating func opened(
        _ link: WebSocketLink
    ) -> (WebSocketOpening?, [PipelinePromise<WebSocketOpening, any Error>]) {
        guard ending == nil else { return (nil, []) }
        connections += 1
        var opening = link.opening
        opening.number = connections
        self.opening = opening
        channel = link.channel
        defer { openers = [] }
        return (opening, openers)
    }

    mutating func close(_ promise: PipelinePromise<WebSocketClosure, any Error>) -> CloseAction {
        if let ending { return .known(ending.closure) }
        closers.append(promise)
        if isClosing { return .wait }
        isClosing = true
        return channel.map { .sayGoodbye($0) } ?? .endNow
    }

    /// - Returns: Whether there is anything to wait for: `false` if it has ended.
    mutating func waitForEnd(_ promise: PipelinePromise<Void, any Error>) -> Bool {
        guard ending == nil else { return false }
        watchers.append(promise)
        return true
    }

    /// - Returns: Whom it is to be told; nil when it had ended before.
    mutating func end(_ ending: Ending) -> Left? {
        guard self.ending == nil else { return nil }
        var result: Result<Void, any Error>
        var closure = WebSocketClosure(code: .abnormal)
        switch ending {
        case .closed(let closed):
            closure = closed
            result =
                closed.code.isInOrder || isClosing
                ? .success(()) : .failure(describing(ErrandError(closed)))
        case .lost(let error, _), .failed(let error):
            // Whoever closes it need not know why the other side did not answer.
            result = isClosing && !error.isCancellation ? .success(()) : .failure(describing(error))
        }
        let isCancelled = if case .failed(let error) = ending { error.isCancellation } else { false }
        self.ending = (result, closure)
        defer { (openers, closers, watchers, channel) = ([], [], [], nil) }
        return Left(
            openers: openers, closers: closers, watchers: watchers, result: result, closure: closure,
            isCancelled: isCancelled, closedFailure: describing(ErrandError(closure)))
    }

    private func describing(_ error: any Error) -> any Error {
        guard let request, let error = error as? ErrandError else { return error }
        return error.with(webSocket: request, attempts: connections)
    }
}

extension ErrandError {
    /// A closure, as its own code.
    init(_ closure: WebSocketClosure) {
        self.init(
            .webSocketClosed, reason: closure.code == .abnormal ? nil : "closed with \(closure.code)",
            underlyingError: closure
        )
    }
}
