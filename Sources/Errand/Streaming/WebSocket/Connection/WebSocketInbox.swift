/// The bounded buffer of received messages. While it is full, the task that fills it waits, and the socket is not read.
package final class WebSocketInbox: Sendable {
    fileprivate struct State {
        var messages: [WebSocketMessage] = []
        var head = 0
        var size = 0
        /// The tasks that wait for a message, in order.
        var takers: [PipelinePromise<WebSocketMessage?, any Error>] = []
        /// The task that waits for space.
        var putter: PipelinePromise<Void, any Error>?
        var end: Result<Void, any Error>?
        /// Whether further messages are discarded.
        var isDiscarding = false
    }

    fileprivate enum Taking {
        case message(WebSocketMessage)
        case end(Result<Void, any Error>)
        case wait
    }

    private let capacity: Int
    private let state = Locked(State())

    /// - Parameter capacity: The capacity in bytes. The buffer accepts one message of any length.
    init(capacity: Int) {
        self.capacity = max(capacity, 1)
    }

    /// Whether the task that fills the buffer waits for space.
    var isFull: Bool { state.withLock { $0.putter != nil } }

    /// Adds a message, and returns when there is space for another.
    ///
    /// - Throws: ``ErrandError`` with `cancelled` when the task is cancelled.
    func put(_ message: WebSocketMessage) async throws {
        let room = PipelinePromise<Void, any Error>()
        let (taker, waits) = state.withLock { state in
            if state.isDiscarding || state.end != nil {
                return (PipelinePromise<WebSocketMessage?, any Error>?.none, false)
            }
            if !state.takers.isEmpty { return (state.takers.removeFirst(), false) }
            state.messages.append(message)
            state.size += message.cost
            let waits = state.size >= capacity
            if waits { state.putter = room }
            return (nil, waits)
        }
        taker?.resolve(with: .success(message))
        if waits { try await room.value }
    }

    /// Returns the next message; `nil` when there are no more and the connection was closed normally.
    ///
    /// - Throws: The error that ended the connection; ``ErrandError`` with `cancelled` when the task is cancelled.
    func next() async throws -> WebSocketMessage? {
        let promise = PipelinePromise<WebSocketMessage?, any Error>()
        let (taking, putter) = state.withLock { $0.next(promise, capacity: capacity) }
        putter?.resolve(with: .success(()))
        switch taking {
        case .message(let message): return message
        case .end(let end):
            try end.get()
            return nil
        case .wait: return try await promise.value
        }
    }

    /// Discards all further messages, so that no task waits for space.
    func discard() {
        let putter = state.withLock { state in
            state.isDiscarding = true
            defer { state.putter = nil }
            return state.putter
        }
        putter?.resolve(with: .success(()))
    }

    /// Ends the buffer. The remaining messages can still be read, unless `isDroppingRest` is `true`.
    func end(_ end: Result<Void, any Error>, isDroppingRest: Bool = false) {
        let (takers, putter) = state.withLock { state in
            if state.end == nil { state.end = end }
            if isDroppingRest { (state.messages, state.head, state.size) = ([], 0, 0) }
            defer { (state.takers, state.putter) = ([], nil) }
            return (state.takers, state.putter)
        }
        for taker in takers { taker.resolve(with: end.map { nil }) }
        putter?.resolve(with: .success(()))
    }
}

extension WebSocketInbox.State {
    /// Returns the result for the reader, and the waiting writer if there is space now.
    fileprivate mutating func next(
        _ taker: PipelinePromise<WebSocketMessage?, any Error>, capacity: Int
    ) -> (WebSocketInbox.Taking, PipelinePromise<Void, any Error>?) {
        if let message = take() {
            guard size < capacity else { return (.message(message), nil) }
            defer { putter = nil }
            return (.message(message), putter)
        }
        if let end { return (.end(end), nil) }
        takers.append(taker)
        return (.wait, nil)
    }

    private mutating func take() -> WebSocketMessage? {
        guard head < messages.count else { return nil }
        let message = messages[head]
        size -= message.cost
        head += 1
        if head * 2 >= messages.count {
            messages.removeFirst(head)
            head = 0
        }
        return message
    }
}

extension WebSocketMessage {
    /// The message's share of the capacity: its size and 64 bytes, since small messages use memory too.
    fileprivate var cost: Int { size + 64 }
}
