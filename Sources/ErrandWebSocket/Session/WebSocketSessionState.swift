import Errand

/// The state machine of a WebSocket, with the tasks that wait for its changes. ``WebSocketSession`` performs its
/// actions.
struct WebSocketSessionState: Sendable {
    /// The end of a connection, and finally of the WebSocket.
    enum Ending: Sendable {
        case closed(WebSocketClosure)
        /// A lost connection, or one that could not be opened.
        case lost(any Error)
        /// A failure that a new connection would not resolve.
        case failed(any Error)
    }

    /// The action that closes the WebSocket.
    enum CloseAction {
        case known(WebSocketClosure)
        /// There is no connection to close.
        case endNow
        case sendClose(any WebSocketChannel)
        /// Another call has already begun to close it.
        case wait
    }

    /// The tasks that wait for the opening (`openers`), for the close (`closers`) and for the end (`watchers`), and the
    /// result that they receive.
    struct Ended: Sendable {
        var openers: [PipelinePromise<WebSocketOpening, any Error>]
        var closers: [PipelinePromise<WebSocketClosure, any Error>]
        var watchers: [PipelinePromise<Void, any Error>]
        var result: Result<Void, any Error>
        var closure: WebSocketClosure
        var isCancelled: Bool
        /// The error that describes the closure.
        var closedFailure: any Error

        /// The error of the openers, and of messages that are not sent any more.
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
    /// The number of connections that were opened.
    private var connections = 0
    /// The number of bytes that were sent since a sender has let others run.
    private var sent = 0
    private var ending: (result: Result<Void, any Error>, closure: WebSocketClosure)?
    /// The current connection.
    var channel: (any WebSocketChannel)?
    /// Whether this side has begun to close.
    private(set) var isClosing = false

    /// - Parameter request: The request that errors include; `nil` for none.
    init(request: URLRequest? = nil) {
        self.request = request
    }

    var closure: WebSocketClosure? { ending?.closure }

    /// Counts the bytes of a message, and 64 more, because a small message also costs time.
    ///
    /// - Returns: Whether the sender must let others run, once for 64 KiB.
    mutating func countSent(_ size: Int) -> Bool {
        sent += size + 64
        guard sent >= 65_536 else { return false }
        sent = 0
        return true
    }

    /// - Returns: Whether to start the task.
    mutating func begin() -> Bool {
        guard !hasBegun, ending == nil else { return false }
        hasBegun = true
        return true
    }

    /// - Returns: Whether to cancel the task immediately, since the WebSocket has already ended.
    mutating func started(_ task: Task<Void, Never>) -> Bool {
        self.task = task
        return ending != nil
    }

    /// - Returns: The known result; `nil` if the caller must wait for it.
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

    /// - Returns: The opening with its number, or `nil` if the WebSocket has already ended, and the waiting promises.
    mutating func opened(
        _ channel: any WebSocketChannel
    ) -> (WebSocketOpening?, [PipelinePromise<WebSocketOpening, any Error>]) {
        guard ending == nil else { return (nil, []) }
        connections += 1
        var opening = channel.opening
        opening.number = connections
        self.opening = opening
        self.channel = channel
        defer { openers = [] }
        return (opening, openers)
    }

    mutating func close(_ promise: PipelinePromise<WebSocketClosure, any Error>) -> CloseAction {
        if let ending { return .known(ending.closure) }
        closers.append(promise)
        if isClosing { return .wait }
        isClosing = true
        return channel.map { .sendClose($0) } ?? .endNow
    }

    /// - Returns: Whether there is an end to wait for; `false` if the WebSocket has already ended.
    mutating func waitForEnd(_ promise: PipelinePromise<Void, any Error>) -> Bool {
        guard ending == nil else { return false }
        watchers.append(promise)
        return true
    }

    /// - Returns: The waiting tasks with their result; `nil` if the WebSocket had already ended.
    mutating func end(_ ending: Ending) -> Ended? {
        guard self.ending == nil else { return nil }
        var result: Result<Void, any Error>
        var closure = WebSocketClosure(code: .abnormal)
        switch ending {
        case .closed(let closed):
            closure = closed
            result =
                closed.code.isNormalEnd || isClosing
                ? .success(()) : .failure(describing(ErrandError(closed)))
        case .lost(let error), .failed(let error):
            // The task that closes does not need the reason why the other side did not respond.
            result = isClosing && !error.isCancellation ? .success(()) : .failure(describing(error))
        }
        let isCancelled = if case .failed(let error) = ending { error.isCancellation } else { false }
        self.ending = (result, closure)
        defer { (openers, closers, watchers, channel) = ([], [], [], nil) }
        return Ended(
            openers: openers, closers: closers, watchers: watchers, result: result, closure: closure,
            isCancelled: isCancelled, closedFailure: describing(ErrandError(closure)))
    }

    private func describing(_ error: any Error) -> any Error {
        guard let request, let error = error as? ErrandError else { return error }
        return error.with(webSocket: request, attempts: connections)
    }
}

extension ErrandError {
    /// Creates an error with `webSocketClosed` from a closure.
    init(_ closure: WebSocketClosure) {
        self.init(
            .webSocketClosed, reason: closure.code == .abnormal ? nil : "closed with \(closure.code)",
            underlyingError: closure
        )
    }
}
