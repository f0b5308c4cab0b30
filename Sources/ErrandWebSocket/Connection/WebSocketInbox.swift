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
            inbox.resume(inbox.state.withLock { $0.removeReader(number) })
        }

        /// Returns the next message; `nil` when there are no more and the WebSocket was closed normally.
        ///
        /// - Throws: The error that ended the WebSocket; ``/Errand/ErrandError`` with `cancelled` when the task is
        ///   cancelled.
        package func next() async throws -> WebSocketMessage? {
            let promise = PipelinePromise<WebSocketMessage?, any Error>()
            let (taking, putter) = inbox.state.withLock { $0.next(State.Taker(reader: number, promise: promise)) }
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

    /// The promise of a task that waits for space.
    fileprivate typealias Putter = PipelinePromise<Void, any Error>

    fileprivate struct State {
        /// A task that waits for the next message of its reader.
        struct Taker {
            let reader: Int
            let promise: PipelinePromise<WebSocketMessage?, any Error>
        }

        /// The capacity in bytes.
        let capacity: Int
        /// The messages that at least one reader has not taken.
        var messages = Queue<WebSocketMessage>()
        /// The number of the first message in the buffer; the WebSocket's first message is 0.
        var first = 0
        /// The total cost of the messages in the buffer.
        var size = 0
        /// The number of the next message of each reader.
        var readers: [Int: Int] = [:]
        /// The number of readers that were ever added, which is the number of the latest one.
        var readerCount = 0
        /// The number of the first message that no reader has taken.
        var untaken = 0
        /// The tasks that wait for a message, in order. A cancelled one is not removed, because its cancellation ends
        /// the WebSocket.
        var takers: [Taker] = []
        /// The task that waits for space.
        var putter: Putter?
        /// The result after the last message; `nil` until the WebSocket ends.
        var end: Result<Void, any Error>?
        /// Whether further messages are discarded.
        var isDiscarding = false
    }

    /// What a reader gets: a message, the end, or nothing yet.
    fileprivate enum Taking {
        case message(WebSocketMessage)
        case end(Result<Void, any Error>)
        case wait
    }

    private let state: Locked<State>

    /// - Parameter capacity: The capacity in bytes. The buffer accepts one message of any length.
    init(capacity: Int) {
        state = Locked(State(capacity: max(capacity, 1)))
    }

    /// Whether the task that fills the buffer waits for space.
    var isFull: Bool { state.withLock { $0.putter != nil } }

    func makeReader() -> Reader { Reader(self) }

    /// Adds a message, and returns when there is space for another. One task calls this at a time.
    ///
    /// - Throws: ``/Errand/ErrandError`` with `cancelled` when the task is cancelled.
    func put(_ message: WebSocketMessage) async throws {
        let putter = Putter()
        let (takers, waits) = state.withLock { state in
            if state.isDiscarding || state.end != nil { return ([State.Taker](), false) }
            let takers = state.add(message)
            let waits = state.size >= state.capacity
            if waits { state.putter = putter }
            return (takers, waits)
        }
        for taker in takers { taker.promise.resolve(with: .success(message)) }
        guard waits else { return }
        // A connection that ends cancels this task. The task of the next connection then fills the buffer.
        putter.onCancel { self.state.withLock { $0.putter = nil } }
        try await putter.value
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

    /// Ends the buffer; only the first call determines the result. The remaining messages can still be read, unless
    /// `isDroppingRest` is `true`.
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

    /// Resumes the task that waits for space. It must be called without the lock.
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
    fileprivate mutating func removeReader(_ reader: Int) -> WebSocketInbox.Putter? {
        readers[reader] = nil
        return makeSpace()
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
        if !served.isEmpty { trim() }
        return served
    }

    /// Returns the result for the reader, and the task that waits for space, if there is space now.
    fileprivate mutating func next(_ taker: Taker) -> (WebSocketInbox.Taking, WebSocketInbox.Putter?) {
        let index = (readers[taker.reader] ?? untaken) - first
        if index < messages.count {
            let message = messages[index]
            advance(taker.reader)
            return (.message(message), makeSpace())
        }
        if let end { return (.end(end), nil) }
        takers.append(taker)
        return (.wait, nil)
    }

    /// Removes all messages, as if all readers had taken them.
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
    /// - Returns: The task that waits for space, if there is space now.
    private mutating func makeSpace() -> WebSocketInbox.Putter? {
        trim()
        guard size < capacity else { return nil }
        defer { putter = nil }
        return putter
    }

    /// Removes the messages that all readers have taken.
    private mutating func trim() {
        let oldest = readers.values.min() ?? untaken
        while first < oldest, let message = messages.popFirst() {
            size -= message.cost
            first += 1
        }
    }
}

extension WebSocketMessage {
    /// The message's share of the capacity: its size and 64 bytes, since small messages use memory too.
    fileprivate var cost: Int { size + 64 }
}
