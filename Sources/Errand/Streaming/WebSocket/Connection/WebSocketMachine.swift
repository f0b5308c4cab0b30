/// The states of one connection (RFC 6455, sections 5.5 and 7): which control frame is written next, what comes of what was
/// read, and how it ends. A pure value; its shell is ``WebSocketConnection``.
package struct WebSocketMachine: Sendable {
    /// A control frame to be written.
    package enum Control: Hashable, Sendable {
        case pong([UInt8])
        case ping([UInt8])
        /// The last frame of this side.
        case close(WebSocketClosure)
    }

    /// What is to be done about something that came.
    package enum Reaction: Hashable, Sendable {
        case nothing
        case deliver(WebSocketMessage)
        /// A control frame is to be written.
        case write
        /// These pings have been answered.
        case answered([Int])
        /// The other side has said its last; whether the answer is still to be written, ``next()`` tells.
        case closed
    }

    /// The pings that were not answered yet, in the order of their numbers.
    private var pings: [(number: Int, isSent: Bool)] = []
    private var lastPing = 0
    /// The payloads of the pings that were not answered yet, the oldest first.
    private var pongs: [[UInt8]] = []
    /// How many pings wait for their answer. Of more, the oldest are not answered (section 5.5.3), so that they cannot pile
    /// up.
    package static let maximumPongs = 64
    /// The close frame that is to be written before anything else.
    private var closing: WebSocketClosure?
    /// Whether this side has written its close frame, or is about to.
    package private(set) var hasSentClose = false
    /// What the other side's close frame said.
    package private(set) var received: WebSocketClosure?
    /// What the other side did wrong.
    package private(set) var violation: WebSocketViolation?

    package init() {}

    /// Whether messages may be written.
    package var maySend: Bool { !hasSentClose && closing == nil }

    /// Something has come.
    package mutating func receive(_ event: WebSocketMessageDecoder.Event) -> Reaction {
        guard received == nil else { return .nothing }
        switch event {
        case .message(let message):
            // Whoever has said goodbye does not listen any more.
            return maySend ? .deliver(message) : .nothing
        case .ping(let payload):
            guard maySend else { return .nothing }
            if pongs.count == Self.maximumPongs { pongs.removeFirst() }
            pongs.append(payload)
            return .write
        case .pong(let payload):
            return .answered(answered(by: payload))
        case .close(let closure):
            received = closure
            if maySend { closing = closure }
            return .closed
        }
    }

    /// The other side broke the protocol: it is told so.
    package mutating func fail(_ violation: WebSocketViolation) {
        self.violation = violation
        if maySend { closing = WebSocketClosure(code: violation.code) }
    }

    /// This side wants to end the connection.
    package mutating func close(_ closure: WebSocketClosure) {
        if maySend { closing = closure }
    }

    /// Sends a ping.
    ///
    /// - Returns: Its number; nil when it is too late for one.
    package mutating func ping() -> Int? {
        guard maySend, received == nil else { return nil }
        lastPing += 1
        pings.append((lastPing, false))
        return lastPing
    }

    /// Nobody waits for the answer to a ping any more.
    package mutating func forget(ping number: Int) {
        pings.removeAll { $0.number == number }
    }

    /// The next control frame to be written; nil for none. After a close nothing is written any more.
    package mutating func next() -> Control? {
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

    /// The pings that a pong answers: the one with its payload, and those before (section 5.5.3).
    private mutating func answered(by payload: [UInt8]) -> [Int] {
        guard let index = pings.firstIndex(where: { $0.isSent && Self.payload(of: $0.number) == payload }) else {
            return []
        }
        let answered = pings[...index].map(\.number)
        pings.removeFirst(index + 1)
        return answered
    }

    private static func payload(of number: Int) -> [UInt8] {
        Array(String(number).utf8)
    }
}
