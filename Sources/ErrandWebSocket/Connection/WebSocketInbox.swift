import Errand

/// The bounded buffer of received messages. While the buffer is full, the task that fills it waits, and the socket is
/// not read.
package final class WebSocketInbox: Sendable {
    /// A position in the messages. A new reader starts with the first message that no reader has taken.
    ///
    /// A message stays in the buffer until all readers have taken it. Releasing a reader removes its position.
    package final class Reader: Sendable {
        private let inbox: WebSocketInbox
        private let number: Int

        fileprivate init(_ inbox: WebSocketInbox) {
            self.inbox = inbox
            number = inbox.state.withLock { $0.addReader() }
        }

        deinit {
            inbox.resume(inbox.state.withLock { [inbox] in $0.removeReader(number, capacity: inbox.capacity) })
        }

        /// Returns the next message; `nil` when there are no more and the WebSocket was closed normally.
        ///
        /// - Throws: The error that ended the WebSocket; ``/Errand/ErrandError`` with `cancelled` when the task is
        ///   cancelled.
        package func next() async throws -> WebSocketMessage? {
            let promise = PipelinePromise<WebSocketMessage?, any Error>()
            let (taking, putter) = inbox.state.withLock { [inbox] state in
                state.next(State.Taker(reader: number, promise: promise), capacity: inbox.capacity)
            }
            inbox.resume(putter)
            switch taking {
            case .message(let message): return message
            case .end(let end):
                try end.get()
                return nil
            case .wait: return try await promise.value
            }
        }
    }

    fileprivate typealias Putter = PipelinePromise<Void, any Error>

    fileprivate struct State {
        struct Taker {
            let reader: Int
            let promise: PipelinePromise<WebSocketMessage?, any Error>
        }

        /// The messages that some reader has not taken.
        var messages = Queue<WebSocketMessage>()
        /// The number of the first of them; the WebSocket's first message is 0.
        var first = 0
        /// Their size in bytes, with 64 bytes more for each.
        var size = 0
        /// The number of the next message of each reader.
        var readers: [Int: Int] = [:]
        var readerCount = 0
        /// The number of the first message that no reader has taken.
        var untaken = 0
        /// The tasks that wait for a message, in order. A cancelled one is not removed, because its cancellation ends
        /// the WebSocket.
        var takers: [Taker] = []
        /// The task that waits for space.
        var putter: Putter?
        var end: Result<Void, any Error>?
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

    func makeReader() -> Reader { Reader(self) }

    /// Adds a message, and returns when there is space for another. One task calls this at a time.
    ///
    /// - Throws: ``/Errand/ErrandError`` with `cancelled` when the task is cancelled.
    func put(_ message: WebSocketMessage) async throws {
        let room = Putter()
        let (takers, waits) = state.withLock { state in
            if state.isDiscarding || state.end != nil { return ([State.Taker](), false) }
            let takers = state.add(message)
            let waits = state.size >= capacity
            if waits { state.putter = room }
            return (takers, waits)
        }
        for taker in takers { taker.promise.resolve(with: .success(message)) }
        guard waits else { return }
        // The next connection reads again.
        room.onCancel { self.state.withLock { $0.putter = nil } }
        try await room.value
    }

    /// Discards all further messages, so that no task waits for space.
    func discard() {
        let putter = state.withLock { state in
            state.isDiscarding = true
            defer { state.putter = nil }
            return state.putter
        }
        resume(putter)
    }

    /// Ends the buffer. The remaining messages can still be read, unless `isDroppingRest` is `true`.
    func end(_ end: Result<Void, any Error>, isDroppingRest: Bool = false) {
        let (takers, putter) = state.withLock { state in
            if state.end == nil { state.end = end }
            if isDroppingRest { state.dropAll() }
            defer { (state.takers, state.putter) = ([], nil) }
            return (state.takers, state.putter)
        }
        for taker in takers { taker.promise.resolve(with: end.map { nil }) }
        resume(putter)
    }

    private func resume(_ putter: Putter?) {
        putter?.resolve(with: .success(()))
    }
}

extension WebSocketInbox.State {
    fileprivate mutating func addReader() -> Int {
        readerCount += 1
        readers[readerCount] = untaken
        return readerCount
    }

    /// - Returns: The task that waits for space, if there is space now.
    fileprivate mutating func removeReader(_ reader: Int, capacity: Int) -> WebSocketInbox.Putter? {
        readers[reader] = nil
        return trim(to: capacity)
    }

    /// Adds a message, and returns the tasks that receive it immediately: the first one of each waiting reader.
    fileprivate mutating func add(_ message: WebSocketMessage) -> [Taker] {
        messages.append(message)
        size += message.cost
        var served: [Taker] = []
        // A reader waits only if it has taken all earlier messages.
        takers.removeAll { taker in
            guard !served.contains(where: { $0.reader == taker.reader }) else { return false }
            served.append(taker)
            return true
        }
        for taker in served { advance(taker.reader) }
        // No task waits for space, because only the caller fills the buffer.
        if !served.isEmpty { _ = trim(to: 0) }
        return served
    }

    /// Returns the result for the reader, and the task that waits for space, if there is space now.
    fileprivate mutating func next(
        _ taker: Taker, capacity: Int
    ) -> (WebSocketInbox.Taking, WebSocketInbox.Putter?) {
        let index = (readers[taker.reader] ?? untaken) - first
        if index < messages.count {
            let message = messages[index]
            advance(taker.reader)
            return (.message(message), trim(to: capacity))
        }
        if let end { return (.end(end), nil) }
        takers.append(taker)
        return (.wait, nil)
    }

    fileprivate mutating func dropAll() {
        let end = first + messages.count
        for reader in readers.keys { readers[reader] = end }
        (messages, first, untaken, size) = (Queue(), end, end, 0)
    }

    /// Records that a reader has taken its next message.
    private mutating func advance(_ reader: Int) {
        let next = (readers[reader] ?? untaken) + 1
        readers[reader] = next
        untaken = max(untaken, next)
    }

    /// Removes the messages that all readers have taken.
    ///
    /// - Returns: The task that waits for space, if less than `capacity` bytes remain.
    private mutating func trim(to capacity: Int) -> WebSocketInbox.Putter? {
        let oldest = readers.values.min() ?? untaken
        while first < oldest, let message = messages.popFirst() {
            size -= message.cost
            first += 1
        }
        guard size < capacity else { return nil }
        defer { putter = nil }
        return putter
    }
}

extension WebSocketMessage {
    /// The message's share of the capacity: its size and 64 bytes, since small messages use memory too.
    fileprivate var cost: Int { size + 64 }
}
