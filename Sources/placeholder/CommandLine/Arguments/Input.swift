import Errand

/// A source of lines: the standard input of the process, or the input of a test.
struct Input: Sendable {
    /// Whether the input is a terminal, so that a prompt is useful.
    let isTerminal: Bool
    private let read: @Sendable () async -> String?

    init(isTerminal: Bool, read: @escaping @Sendable () async -> String?) {
        self.isTerminal = isTerminal
        self.read = read
    }

    /// The next line without its line break; `nil` at the end, or when the task is cancelled.
    func line() async -> String? {
        await read()
    }

    static let standardInput = Input(isTerminal: isatty(STDIN_FILENO) == 1) {
        // Reading blocks until the user has typed a line, so it uses a separate thread.
        let line = Pipeline<String?, any Error>.callback { promise in
            Thread.detachNewThread { promise.resolve(with: .success(readLine())) }
        }
        return (try? await line.value) ?? nil
    }
}
