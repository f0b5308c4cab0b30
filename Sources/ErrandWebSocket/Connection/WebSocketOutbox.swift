import Errand

/// The queue of messages to send. It outlives a connection, and keeps messages until the next connection. It calls the
/// current connection when there is something to take.
package final class WebSocketOutbox: Sendable {
    /// An entry of the queue, with a promise that is resolved when it is written or has failed.
    final class Entry: Sendable {
        enum Content {
            case message(WebSocketMessage)
            /// A close frame, to be sent after all entries before it.
            case close(WebSocketClosure)
        }

        let content: Content
        /// For a close frame, it is resolved as soon as the frame is the next one to write.
        let written = PipelinePromise<Void, any Error>()

        init(_ content: Content) {
            self.content = content
        }
    }

    /// The result of ``take(maximumSize:for:)``.
    enum Taking {
        case entry(Entry)
        /// The next message is longer than the caller accepts, and stays in the queue.
        case tooLong
        /// No entry may be taken now.
        case nothing
    }

    fileprivate struct State {
        /// The messages that a new connection sends before all other entries.
        var express: [Entry] = []
        var entries = Queue<Entry>()
        /// Whether only the express entries may be sent.
        var isHeld = true
        /// The number of the current or next connection, the only one that may take entries.
        var connection = 0
        /// The closure that makes the connection take entries.
        var flush: (@Sendable () -> Void)?
        /// The error of further entries, after the end.
        var end: (any Error)?
    }

    private let state = Locked(State())

    init() {}

    /// Appends an entry, and makes the connection take it unless it is held.
    ///
    /// - Parameter isExpress: Whether a new connection sends the entry before all others, even while they are held.
    /// - Throws: The error that ended the queue.
    func add(_ entry: Entry, isExpress: Bool = false) throws {
        let flush = try state.withLock { state throws(any Error) in
            if let end = state.end { throw end }
            if isExpress { state.express.append(entry) } else { state.entries.append(entry) }
            return isExpress || !state.isHeld ? state.flush : nil
        }
        flush?()
    }

    /// Removes an entry, unless it was taken.
    func withdraw(_ entry: Entry) {
        state.withLock { state in
            state.express.removeAll { $0 === entry }
            state.entries = Queue(state.entries.filter { $0 !== entry })
        }
    }

    /// Lets a connection take the entries.
    ///
    /// - Parameter flush: Called without the lock when there may be something to take.
    /// - Returns: The number with which the connection takes entries. It changes with each ``hold()``.
    func attach(_ flush: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.flush = flush
            return state.connection
        }
    }

    /// Takes the next entry to send, unless it is a message of more than `maximumSize` bytes.
    ///
    /// - Parameter connection: The number of the connection that takes it. An earlier one gets nothing any more.
    func take(maximumSize: Int = .max, for connection: Int) -> Taking {
        state.withLock { state in
            guard connection == state.connection else { return .nothing }
            guard let next = state.express.first ?? (state.isHeld ? nil : state.entries.first) else {
                return .nothing
            }
            if case .message(let message) = next.content, message.size > maximumSize { return .tooLong }
            if state.express.isEmpty { state.entries.popFirst() } else { state.express.removeFirst() }
            return .entry(next)
        }
    }

    /// Detaches the current connection, and holds all but the express entries until ``release()``. Remaining express
    /// entries belong to the detached connection, and fail with the reason for its end.
    func hold(failing error: any Error) {
        let remaining = state.withLock { state in
            state.isHeld = true
            state.connection += 1
            state.flush = nil
            defer { state.express = [] }
            return state.express
        }
        for entry in remaining { entry.written.resolve(with: .failure(error)) }
    }

    /// Makes the connection take the held entries.
    func release() {
        let flush = state.withLock { state in
            state.isHeld = false
            return state.flush
        }
        flush?()
    }

    /// Fails all waiting and all further entries.
    func end(_ error: any Error) {
        let remaining = state.withLock { state in
            if state.end == nil { state.end = error }
            defer { (state.express, state.entries, state.flush) = ([], Queue(), nil) }
            return state.express + state.entries
        }
        for entry in remaining { entry.written.resolve(with: .failure(error)) }
    }
}

extension TransportFailure {
    /// The failure of an open WebSocket without a close frame from the other side.
    static var lostWebSocket: TransportFailure {
        TransportFailure(URLError(.networkConnectionLost), reason: "the connection of the WebSocket was lost")
    }
}
