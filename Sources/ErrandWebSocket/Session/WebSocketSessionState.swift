import Errand

/// The state machine of a WebSocket, with the tasks that wait for its changes. ``WebSocketSession`` performs its
/// actions.
struct WebSocketSessionState: Sendable {
    /// The end of a connection, and finally of the WebSocket.
    enum Ending: Sendable {
        /// A closure by the other side, or by this side without a response.
        case closed(WebSocketClosure)
        /// A lost connection, or one that could not be opened.
        case lost(any Error)
        /// A failure that a new connection would not resolve.
        case failed(any Error)

        /// The error for calls that waited for this connection.
        var error: any Error {
            switch self {
            case .closed(let closure): ErrandError(closure)
            case .lost(let error), .failed(let error): error
            }
        }
    }

    /// The action that closes the WebSocket.
    enum CloseAction {
        /// The WebSocket has already ended with this closure.
        case known(WebSocketClosure)
        /// There is no connection to close.
        case endNow
        /// Send a close frame over this connection.
        case sendClose(any WebSocketChannel)
        /// Another call has already begun to close it.
        case wait
    }

    /// The end of the WebSocket: the tasks that waited for the opening (`openers`), for the close (`closers`) and for
    /// the end (`watchers`), and their results.
    struct Ended: Sendable {
        var openers: [PipelinePromise<WebSocketOpening, any Error>]
        var closers: [PipelinePromise<WebSocketClosure, any Error>]
        var watchers: [PipelinePromise<Void, any Error>]
        /// The result of the readers, after the last message.
        var result: Result<Void, any Error>
        /// The result of the closers.
        var closure: WebSocketClosure
        /// The error of the openers, and of messages that are not sent any more.
        var sendFailure: any Error
        /// Whether the WebSocket was cancelled. The remaining messages are then discarded.
        var isCancelled: Bool
    }

    private let request: URLRequest?
    private var hasBegun = false
    /// The task that opens and runs the connections.
    private(set) var task: Task<Void, Never>?
    /// The opening of the latest connection.
    private var opening: WebSocketOpening?
    private var openers: [PipelinePromise<WebSocketOpening, any Error>] = []
    private var closers: [PipelinePromise<WebSocketClosure, any Error>] = []
    private var watchers: [PipelinePromise<Void, any Error>] = []
    /// The number of connections that were opened.
    private var connections = 0
    /// The number of bytes that were sent since a sender has last let other tasks run.
    private var sentSinceYield = 0
    /// The end of the WebSocket; `nil` while it is open.
    private var ending: (closure: WebSocketClosure, sendFailure: any Error)?
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
    /// - Returns: Whether the sender must let other tasks run: once for each 64 KiB.
    mutating func countSent(_ size: Int) -> Bool {
        sentSinceYield += size + 64
        guard sentSinceYield >= 65_536 else { return false }
        sentSinceYield = 0
        return true
    }

    /// - Returns: Whether to start the task that opens the connections.
    mutating func begin() -> Bool {
        guard !hasBegun, ending == nil else { return false }
        hasBegun = true
        return true
    }

    /// Stores the task that opens the connections.
    ///
    /// - Returns: Whether to cancel the task immediately, since the WebSocket has already ended.
    mutating func started(_ task: Task<Void, Never>) -> Bool {
        self.task = task
        return ending != nil
    }

    /// Adds a task that waits for the opening of a connection.
    ///
    /// - Returns: The known result; `nil` if the caller must wait for it.
    mutating func waitForOpening(
        _ promise: PipelinePromise<WebSocketOpening, any Error>
    ) -> Result<WebSocketOpening, any Error>? {
        if let ending { return .failure(ending.sendFailure) }
        if channel != nil, let opening { return .success(opening) }
        openers.append(promise)
        return nil
    }

    /// Makes the connection the current one.
    ///
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

    /// Begins to close the WebSocket, and adds a task that waits for the end of that.
    mutating func close(_ promise: PipelinePromise<WebSocketClosure, any Error>) -> CloseAction {
        if let ending { return .known(ending.closure) }
        closers.append(promise)
        if isClosing { return .wait }
        isClosing = true
        return channel.map { .sendClose($0) } ?? .endNow
    }

    /// Adds a task that waits for the end.
    ///
    /// - Returns: Whether there is an end to wait for; `false` if the WebSocket has already ended.
    mutating func waitForEnd(_ promise: PipelinePromise<Void, any Error>) -> Bool {
        guard ending == nil else { return false }
        watchers.append(promise)
        return true
    }

    /// Ends the WebSocket.
    ///
    /// - Returns: The waiting tasks with their results; `nil` if the WebSocket had already ended.
    mutating func end(_ ending: Ending) -> Ended? {
        guard self.ending == nil else { return nil }
        let result: Result<Void, any Error>
        var closure = WebSocketClosure(code: .abnormal)
        switch ending {
        case .closed(let closed):
            closure = closed
            result = closed.code.isNormalEnd || isClosing ? .success(()) : .failure(describing(ErrandError(closed)))
        case .lost(let error), .failed(let error):
            // This side has closed, and does not need to know why the other side did not respond.
            result = isClosing && !error.isCancellation ? .success(()) : .failure(describing(error))
        }
        let isCancelled = if case .failed(let error) = ending { error.isCancellation } else { false }
        let sendFailure = if case .failure(let error) = result { error } else { describing(ErrandError(closure)) }
        self.ending = (closure, sendFailure)
        defer { (openers, closers, watchers, channel) = ([], [], [], nil) }
        return Ended(
            openers: openers, closers: closers, watchers: watchers, result: result, closure: closure,
            sendFailure: sendFailure, isCancelled: isCancelled)
    }

    /// Returns the error with the request and the number of connections.
    func describing(_ error: any Error) -> any Error {
        guard let request, let error = error as? ErrandError else { return error }
        return error.with(webSocket: request, attempts: connections)
    }
}
