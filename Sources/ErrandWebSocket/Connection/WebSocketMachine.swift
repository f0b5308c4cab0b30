package import Errand

/// The state machine of one connection (RFC 6455, sections 5.5 and 7). It decides which task writes, which control
/// frame is written next, how events are handled, and how the connection ends. Its shell is ``WebSocketConnection``.
package struct WebSocketMachine: Sendable {
    /// The action that an event requires.
    package enum Reaction: Hashable, Sendable {
        case nothing
        /// Put the message into the inbox.
        case deliver(WebSocketMessage)
        /// Write the pong that ``next()`` returns.
        case write
        /// Complete the pings with these numbers.
        case completed([Int])
        /// The other side has sent its close frame. If this side must still respond, ``next()`` returns the frame.
        case closed
    }

    /// The turn to write. One task at a time has it: the task of the connection, which waits for the socket, or a task
    /// that sends a message and can write it at once.
    private enum Turn {
        case free
        /// A task has the turn. Meanwhile, another one may have asked for it.
        case taken(isAskedFor: Bool)
        /// Nothing is written any more.
        case over
    }

    /// The state of the turn after a task has given it back.
    package enum Handover: Hashable, Sendable {
        case free
        /// Another task has asked for the turn.
        case askedFor
        /// Nothing is written any more. The caller must remove its messages from the batch.
        case over
    }

    private var turn = Turn.free
    /// The pings of this side that have no pong yet, in the order of their numbers.
    private var pings: [(number: Int, isSent: Bool)] = []
    /// The number of the latest ping; 0 before the first one.
    private var lastPing = 0
    /// The payloads of the received pings whose pong was not sent yet, the oldest first.
    private var pongs: [[UInt8]] = []
    /// The maximum number of received pings that wait for a pong, so that they cannot accumulate. Beyond that, the
    /// oldest pings get no pong, as section 5.5.3 allows.
    package static let maximumPongs = 64
    /// The close frame to write before anything else.
    private var closing: WebSocketClosure?
    /// Whether this side has written its close frame, or is about to.
    package private(set) var hasSentClose = false
    /// The closure that the other side sent.
    package private(set) var received: WebSocketClosure?
    /// The reason for which this side fails the connection.
    package private(set) var violation: WebSocketViolation?

    package init() {}

    /// The error for calls of a connection that the other side has ended; `nil` if it has not.
    package var failure: ErrandError? { violation.map(ErrandError.init) ?? received.map(ErrandError.init) }

    /// Whether messages may be written.
    package var maySend: Bool { !hasSentClose && closing == nil }

    /// Handles a received message or control frame, and returns the action that it requires.
    package mutating func receive(_ event: WebSocketMessageDecoder.Event) -> Reaction {
        guard received == nil else { return .nothing }
        switch event {
        case .message(let message):
            // After this side has begun to close, it ignores messages.
            return maySend ? .deliver(message) : .nothing
        case .ping(let payload):
            guard maySend else { return .nothing }
            if pongs.count == Self.maximumPongs { pongs.removeFirst() }
            pongs.append(payload)
            return .write
        case .pong(let payload):
            return .completed(removePings(completedBy: payload))
        case .close(let closure):
            received = closure
            if maySend { closing = closure }
            return .closed
        }
    }

    /// Records the reason to fail the connection, and closes it with the reason's code.
    package mutating func fail(_ violation: WebSocketViolation) {
        self.violation = violation
        if maySend { closing = WebSocketClosure(code: violation.code) }
    }

    /// Closes the connection from this side.
    package mutating func close(_ closure: WebSocketClosure) {
        if maySend { closing = closure }
    }

    /// Adds a ping.
    ///
    /// - Returns: The number of the ping; `nil` if the connection is closing.
    package mutating func ping() -> Int? {
        guard maySend, received == nil else { return nil }
        lastPing += 1
        pings.append((lastPing, false))
        return lastPing
    }

    /// Removes a ping whose pong is not awaited any more.
    package mutating func forget(ping number: Int) {
        pings.removeAll { $0.number == number }
    }

    /// Returns the next control frame to write; `nil` for none. Nothing is written after a close frame.
    package mutating func next() -> WebSocketControl? {
        guard !hasSentClose else { return nil }
        if let closing {
            hasSentClose = true
            pongs = []
            return .close(closing)
        }
        if !pongs.isEmpty { return .pong(pongs.removeFirst()) }
        guard let index = pings.firstIndex(where: { !$0.isSent }) else { return nil }
        pings[index].isSent = true
        return .ping(Self.payload(of: pings[index].number))
    }

    /// Removes and returns the pings that a pong completes: the one with its payload, which may have been forgotten,
    /// and those before it (section 5.5.3).
    private mutating func removePings(completedBy payload: [UInt8]) -> [Int] {
        guard let number = Int(String(decoding: payload, as: UTF8.self)), number <= lastPing else { return [] }
        let completed = pings.prefix { $0.isSent && $0.number <= number }.map(\.number)
        pings.removeFirst(completed.count)
        return completed
    }

    /// The payload of a ping, by which its pong is recognized.
    private static func payload(of number: Int) -> [UInt8] {
        Array(String(number).utf8)
    }
}

// The turn to write.
extension WebSocketMachine {
    /// Takes the turn, or asks for it while another task has it.
    ///
    /// - Returns: `false` if another task has it, or if nothing is written any more.
    package mutating func takeTurn() -> Bool {
        switch turn {
        case .free:
            turn = .taken(isAskedFor: false)
            return true
        case .taken:
            turn = .taken(isAskedFor: true)
            return false
        case .over: return false
        }
    }

    /// Gives the turn back.
    ///
    package mutating func giveTurnBack() -> Handover {
        switch turn {
        case .taken(let isAskedFor):
            turn = .free
            return isAskedFor ? .askedFor : .free
        case .over: return .over
        case .free: preconditionFailure("only the task that has the turn gives it back")
        }
    }

    /// Ends writing, so that no task gets the turn from now on.
    ///
    /// - Returns: Whether no task has the turn. Otherwise, ``giveTurnBack()`` returns `over` to the task that has it.
    package mutating func endWriting() -> Bool {
        defer { turn = .over }
        if case .free = turn { return true }
        return false
    }
}
