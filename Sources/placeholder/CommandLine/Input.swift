import Errand

/// Where lines come from: the standard input of the process, or what a test has for one.
struct Input: Sendable {
    /// Whether somebody sits there who may be told what to type.
    let isTerminal: Bool
    private let read: @Sendable () async -> String?

    init(isTerminal: Bool, read: @escaping @Sendable () async -> String?) {
        self.isTerminal = isTerminal
        self.read = read
    }

    /// The next line, without its end; nil when there are no more, or the task is cancelled.
    func line() async -> String? {
        await read()
    }

    static let standardInput = Input(isTerminal: isatty(STDIN_FILENO) == 1) {
        // Whoever types takes their time, so it is none of the threads that the program runs on that waits.
        let line = Pipeline<String?, any Error>.callback { promise in
            Thread.detachNewThread { promise.resolve(with: .success(readLine())) }
        }
        return (try? await line.value) ?? nil
    }
}
