import Errand

/// What other threads have to tell the server's, which it hears of through a pipe that it polls.
final class Mailbox: Sendable {
    enum Message: Sendable {
        /// The handler of a connection's request has come to this answer.
        case answer(MockResponse, connection: Int)
        /// The pause of a connection's drip is over.
        case resume(connection: Int)
        /// A piece of a connection's body has come; nil behind the last.
        case stream(Data?, connection: Int)
        /// The pause of a connection's drip, or its body, has thrown.
        case abandon(connection: Int)
        /// These bytes are to be sent over a connection that was upgraded.
        case output(Data, connection: Int, written: CheckedContinuation<Void, any Error>)
        /// There is room again for what comes over such a connection.
        case drained(connection: Int)
        /// Whoever spoke over such a connection has come to an end.
        case served(connection: Int)
        case stop
    }

    private struct State {
        var messages: [Message] = []
        /// The pipe holds a byte exactly when there are messages; nil once closed.
        var writeEnd: Int32?
    }

    /// Guards the messages and the pipe: a handler may finish long after the server has stopped, when the descriptor
    /// may be another file's.
    private let state: Locked<State>
    private let readEnd: Int32

    init() throws(MockServerError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .system("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        readEnd = ends[0]
        state = Locked(State(writeEnd: ends[1]))
    }

    /// What `poll` is to wait for.
    var interest: pollfd {
        pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
    }

    /// Leaves a message; after ``end()`` nobody reads it.
    func post(_ message: Message) {
        let isPosted = state.withLock { state in
            guard let writeEnd = state.writeEnd else { return false }
            if state.messages.isEmpty {
                var byte: UInt8 = 0
                _ = write(writeEnd, &byte, 1)
            }
            state.messages.append(message)
            return true
        }
        if !isPosted, case .output(_, _, let written) = message {
            written.resume(throwing: URLError(.networkConnectionLost))
        }
    }

    /// Takes all the messages there are.
    func take() -> [Message] {
        state.withLock { state in
            guard !state.messages.isEmpty else { return [] }
            var byte: UInt8 = 0
            _ = read(readEnd, &byte, 1)
            defer { state.messages = [] }
            return state.messages
        }
    }

    /// Closes the pipe, once the server's thread has done with it.
    func end() {
        let unread: [Message] = state.withLock { state in
            guard let writeEnd = state.writeEnd else { return [] }
            close(readEnd)
            close(writeEnd)
            defer { state = State() }
            return state.messages
        }
        // Released only here, without the lock: a response may hold the last reference to anything.
        withExtendedLifetime(unread) {}
        for case .output(_, _, let written) in unread { written.resume(throwing: URLError(.networkConnectionLost)) }
    }
}
