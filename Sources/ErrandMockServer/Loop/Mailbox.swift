import Errand
import ErrandTesting

/// The messages of other threads to the server's thread, which polls a pipe for them.
final class Mailbox: Sendable {
    enum Message: Sendable {
        /// The response of the handler of a connection's request.
        case respond(MockResponse, connection: Int)
        /// The end of a connection's pause.
        case resume(connection: Int)
        /// A piece of a connection's body; `nil` after the last one.
        case stream(Data?, connection: Int)
        /// An error of a connection's pause or body.
        case abandon(connection: Int)
        /// Bytes to send over an upgraded connection.
        case output(Data, connection: Int, written: PipelinePromise<Void, any Error>)
        /// Room for more received bytes of an upgraded connection.
        case drained(connection: Int)
        /// The end of the task that serves an upgraded connection.
        case served(connection: Int)
        case stop
    }

    private struct State {
        var messages: [Message] = []
        /// The pipe contains a byte exactly if there are messages; `nil` after it is closed.
        var writeEnd: Int32?
    }

    /// Guards the messages and the pipe. A handler may finish long after the server has stopped, when the descriptor
    /// may belong to another file.
    private let state: Locked<State>
    private let readEnd: Int32

    init() throws(MockServerError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .system("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        readEnd = ends[0]
        state = Locked(State(writeEnd: ends[1]))
    }

    /// The event that `poll` waits for.
    var interest: pollfd {
        pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
    }

    /// Posts a message. After ``end()`` it is discarded.
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
            written.resolve(with: .failure(URLError(.networkConnectionLost)))
        }
    }

    /// Takes all messages.
    func take() -> [Message] {
        state.withLock { state in
            guard !state.messages.isEmpty else { return [] }
            var byte: UInt8 = 0
            _ = read(readEnd, &byte, 1)
            defer { state.messages = [] }
            return state.messages
        }
    }

    /// Closes the pipe when the server's thread has finished.
    func end() {
        let unread: [Message] = state.withLock { state in
            guard let writeEnd = state.writeEnd else { return [] }
            close(readEnd)
            close(writeEnd)
            defer { state = State() }
            return state.messages
        }
        // Released without the lock, because a response may hold the last reference to any object.
        withExtendedLifetime(unread) {}
        for case .output(_, _, let written) in unread {
            written.resolve(with: .failure(URLError(.networkConnectionLost)))
        }
    }
}
