/// What is to be sent, in order: it outlives a connection, and fills up while there is none.
package final class WebSocketOutbox: Sendable {
    /// Something to be sent, and who waits until it is written.
    final class Entry: Sendable {
        enum Content {
            case message(WebSocketMessage)
            /// Say goodbye once all that is before this has been written.
            case close(WebSocketClosure)
        }

        let content: Content
        let written = PipelinePromise<Void, any Error>()

        init(_ content: Content) {
            self.content = content
        }
    }

    fileprivate struct State {
        /// What goes before everything else: what a hook sends on each new connection.
        var express: [Entry] = []
        var entries: [Entry] = []
        /// How much of `entries` has been taken.
        var head = 0
        /// Whether only the express entries may go.
        var isHeld = true
        /// Why nothing is taken in any more.
        var end: (any Error)?
    }

    private let state = Locked(State())

    init() {}

    /// How many wait, the express ones aside.
    var count: Int { state.withLock { $0.entries.count - $0.head } }

    /// Adds something behind all that is there.
    ///
    /// - Throws: Why nothing can be sent any more.
    func add(_ entry: Entry, isExpress: Bool = false) throws {
        try state.withLock { state in
            if let end = state.end { throw end }
            if isExpress { state.express.append(entry) } else { state.entries.append(entry) }
        }
    }

    /// Takes back what nobody waits for any more, unless it has been taken.
    func withdraw(_ entry: Entry) {
        state.withLock { state in
            state.express.removeAll { $0 === entry }
            if let index = state.entries[state.head...].firstIndex(where: { $0 === entry }) {
                state.entries.remove(at: index)
            }
        }
    }

    /// The next to be sent.
    func take() -> Entry? {
        state.withLock { state in
            if !state.express.isEmpty { return state.express.removeFirst() }
            guard !state.isHeld, state.head < state.entries.count else { return nil }
            defer { state.advance() }
            return state.entries[state.head]
        }
    }

    /// Has only express entries sent, until it is released; those that are left are of another connection, and fail.
    func hold() {
        let left = state.withLock { state in
            state.isHeld = true
            defer { state.express = [] }
            return state.express
        }
        for entry in left { entry.written.resolve(with: .failure(Self.lost)) }
    }

    func release() {
        state.withLock { $0.isHeld = false }
    }

    /// Fails whoever waits, and whoever comes.
    func end(_ error: any Error) {
        let left = state.withLock { state in
            if state.end == nil { state.end = error }
            defer { (state.express, state.entries, state.head) = ([], [], 0) }
            return state.express + state.entries[state.head...]
        }
        for entry in left { entry.written.resolve(with: .failure(error)) }
    }

    private static var lost: ErrandError { ErrandError(transportFailure: URLError(.networkConnectionLost)) }
}

extension WebSocketOutbox.State {
    /// Drops what has been taken when it is half of the queue, so that each is moved once on average.
    fileprivate mutating func advance() {
        head += 1
        guard head * 2 >= entries.count else { return }
        entries.removeFirst(head)
        head = 0
    }
}
