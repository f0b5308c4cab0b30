/// What has come and was not taken yet: bounded, so that who fills it has to wait, and with it the socket.
package final class WebSocketInbox: Sendable {
    fileprivate struct State {
        var messages: [WebSocketMessage] = []
        var head = 0
        var size = 0
        /// Who waits for a message, in order.
        var takers: [PipelinePromise<WebSocketMessage?, any Error>] = []
        /// Who waits for room.
        var putter: PipelinePromise<Void, any Error>?
        var end: Result<Void, any Error>?
        /// Whether nobody wants what comes from here on.
        var isDiscarding = false
    }

    fileprivate enum Taking {
        case message(WebSocketMessage)
        case end(Result<Void, any Error>)
        case wait
    }

    private let capacity: Int
    private let state = Locked(State())

    /// - Parameter capacity: How many bytes may wait; one message may be there however long it is.
    init(capacity: Int) {
        self.capacity = max(capacity, 1)
    }

    /// Whether who fills it has to wait.
    var isFull: Bool { state.withLock { $0.putter != nil } }

    /// Adds a message, and returns when there is room for another.
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

    /// The next message; nil when there are no more, and the connection was closed in order.
    ///
    /// - Throws: Why there are no more; ``ErrandError`` with `cancelled` when the task is cancelled.
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

    /// Has all that comes from here on dropped, so that nobody waits for room.
    func discard() {
        let putter = state.withLock { state in
            state.isDiscarding = true
            defer { state.putter = nil }
            return state.putter
        }
        putter?.resolve(with: .success(()))
    }

    /// Says that nothing comes any more; what is there can still be taken, unless the reader has left.
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
    /// What the taker gets, and who has room now.
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
    /// What it counts for: small ones take room too.
    fileprivate var cost: Int {
        switch self {
        case .text(let text): text.utf8.count + 64
        case .data(let data): data.count + 64
        }
    }
}
